// run.js - runs a program for a Pico, with its UART 0 on standard input and output
// SPDX-License-Identifier: MIT
//
//     node run.js PROGRAM.elf [--seed N] [--pin MS:PIN:LEVEL]... [--edges] [--limit SECONDS]
//
// PROGRAM is an ELF file, or an image of the flash. A byte of the input comes each 10 ms. At MS
// milliseconds the input pin PIN gets LEVEL, 0 or 1; before, pins that are pulled up are high.
// --edges prints each change of an output pin, as "12.000 ms pin 25 1". The exit code is the
// program's; 98 if it sleeps for ever, 99 if it has not ended after the limit of its own time: two
// hours, because a sleep without a deadline ends after 71 minutes. With a seed the cores stall now
// and then: chip.js says what else is modeled.
const fs = require("fs");
const { Chip } = require("./chip");

const BYTE_EACH = 10e6; // nanoseconds
const ASLEEP = 98, LATE = 99, WRONG = 2;

function usage() {
    console.error("usage: run.js PROGRAM [--seed N] [--pin MS:PIN:LEVEL]... [--edges]" +
        " [--limit SECONDS]");
    process.exit(WRONG);
}

function options(words) {
    const said = { seed: 0, pins: [], edges: false, limit: 7200, program: undefined };

    for (let i = 0; i < words.length; i++) {
        switch (words[i]) {
        case "--seed": said.seed = Number(words[++i]); break;
        case "--pin": said.pins.push(words[++i].split(":").map(Number)); break;
        case "--edges": said.edges = true; break;
        case "--limit": said.limit = Number(words[++i]); break;
        default: said.program = words[i];
        }
    }
    if (!said.program)
        usage();
    return said;
}

function main() {
    const said = options(process.argv.slice(2));
    const chip = new Chip({ seed: said.seed });
    const input = process.stdin.isTTY ? [] : [...fs.readFileSync(0)];
    const bytes = [];
    const print = text => bytes.push(...Buffer.from(text, "latin1"));

    chip.uart[0].onByte = byte => bytes.push(byte);
    const next = chip.clock.createAlarm(() => {
        chip.uart[0].receive(input.shift());
        if (input.length)
            next.schedule(BYTE_EACH);
    });
    if (input.length)
        next.schedule(BYTE_EACH);
    for (const pin of chip.gpio)
        pin.setInputValue(true);
    for (const [ms, pin, level] of said.pins)
        chip.clock.createAlarm(() => chip.gpio[pin].setInputValue(!!level)).schedule(ms * 1e6);
    if (said.edges) {
        const now = () => (chip.clock.nanos / 1e6).toFixed(3);

        for (const { index } of chip.gpio)
            chip.gpio[index].addListener(state => // below 2: it is an output
                state < 2 && print(`${now()} ms pin ${index} ${state}\n`));
    }
    chip.load(said.program);
    chip.run(said.limit * 1e9);
    if (chip.state.ended !== undefined) { // what is on its way is sent
        for (const core of chip.cores)
            core.running = false;
        for (let i = 0; i < 64 && chip.uart[0].shifting >= 0; i++)
            chip.rest();
    }
    fs.writeSync(1, Buffer.from(bytes));
    if (chip.state.ended !== undefined)
        process.exit(chip.state.ended);
    if (chip.clock.nanos >= said.limit * 1e9)
        process.exit(LATE);
    console.error("run.js: all wakes lost: the cores sleep, and nothing can wake them");
    process.exit(ASLEEP);
}

main();
