// cancel.js - cancels a transfer by DMA and SPI at every moment; the program is cancel.c
// SPDX-License-Identifier: MIT
//
// The device on the SPI answers each byte with one that is larger by 100.
const { sweep } = require("./sweep");

function prepare(chip) {
    chip.spi[0].exchange = byte => byte + 100 & 0xff;
    chip.spi[0].late = 300;
}

sweep(prepare, {
    end: 10000, // cycles: a transfer takes 8,000, unless items are long in flight
    lent: "in",
    size: 8,
    codes: [, "memory was written late", "the transfer behind it is not complete", "a canary"],
});
