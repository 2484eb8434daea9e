// usart.js - an STM32's USART, whose writes and reads are canceled at every moment; the program is
// usart.c
// SPDX-License-Identifier: MIT
//
// What the program sends comes back. Without rounds: what goes wrong on the line.
const { Usart } = require("./stm32_units");
const { sweep } = require("./sweep");

const AT = 0x40078000, IRQ = 29;

function prepare(chip) {
    chip.attach(AT, new Usart(chip, "USART", IRQ));
}

sweep(prepare, {
    end: 126000, // cycles: more than a line takes
    lent: "line",
    size: 0, // the DMA writes no memory
    codes: [, "other bytes than those that were written", "memory was written late", "a canary",
        "a flush ended too soon", "what goes wrong is not read where it happened"],
});
