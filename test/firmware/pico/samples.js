// samples.js - cancels a run of the ADC and the DMA at every moment; the program is samples.c
// SPDX-License-Identifier: MIT
//
// Without rounds a task and an interrupt are late, and the DMA is.
const { sweep } = require("./sweep");

function prepare(chip) {
    let number = 0;

    chip.adc.input = channel => channel << 9 | number++ & 511;
    chip.dma.delay = () => {
        chip.dma.slowest = chip.variable("slowest");
        return Object.getPrototypeOf(chip.dma).delay.call(chip.dma);
    };
}

sweep(prepare, {
    end: 15000, // cycles: two halves, and some of the third
    lent: "buffer",
    size: 24,
    limit: 1e7, // instructions
    codes: [],
});
