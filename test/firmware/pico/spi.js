// spi.js - an STM32's SPI, whose transfers are canceled at every moment; the program is spi.c
// SPDX-License-Identifier: MIT
//
// Without rounds: parts of all lengths, and an interrupt that does not come.
const { Spi } = require("./stm32_units");
const { sweep } = require("./sweep");

const AT = 0x40074000, IRQ = 28;

function prepare(chip) {
    chip.attach(AT, new Spi(chip, "SPI", IRQ)).late = 700;
}

sweep(prepare, {
    end: 13000, // cycles: more than a transfer takes
    lent: "in",
    size: 0, // the DMA writes no memory
    codes: [, "memory was written late", "a transfer was not complete", "a canary",
        "a device stays selected", "a part of another length", "more than a byte behind an abort",
        "no reset"],
});
