// uart.js - a UART by DMA, whose writes and reads are canceled at every moment; the program is
// uart.c
// SPDX-License-Identifier: MIT
//
// What the program sends comes back, in order. Without rounds a byte asks for a line with mistakes,
// and each is read before the next one comes.
const { sweep } = require("./sweep");

const FRAMING = 1 << 8, PARITY = 1 << 9, BREAK = 1 << 10;
const SLOW = 1e6; // nanoseconds: the task has read the word before
const LINES = { // by the byte that asks
    1: {
        each: SLOW,
        words: [..."ab", FRAMING | 0x55, ..."cd", BREAK, ..."ef", PARITY | 0x33, "g"],
    },
    2: { each: 0, words: [...Array(40).keys()] }, // more than the FIFO holds
    3: { each: SLOW, words: ["x"] },
};

function prepare(chip) {
    const line = chip.uart[1];
    let said = LINES[1];
    const arrives = chip.clock.createAlarm(() => {
        const { each, words } = said;
        const word = words.shift();

        line.receive(typeof word === "string" ? word.charCodeAt(0) : word);
        if (words.length)
            arrives.schedule(each || 10 * line.bit);
    });

    line.onByte = byte => {
        if (chip.variable("rounds")) {
            line.receive(byte);
            return;
        }
        said = { each: LINES[byte].each, words: [...LINES[byte].words] };
        arrives.schedule(said.each || 10 * line.bit);
    };
    return () => Math.abs(line.bit - 256) > 0.5 && "its speed is wrong"; // 3,906,250 a second
}

sweep(prepare, {
    end: 24000, // cycles: a write takes 20,000
    lent: "in",
    size: 0, // the DMA writes no memory
    limit: 1e6,
    codes: [, "other bytes than those that were written", "memory was written late", "a canary",
        "a write has not gone on behind a cancel", "a flush ended too soon", "more has arrived",
        "what goes wrong is not read where it happened", "opened again, it is another one"],
});
