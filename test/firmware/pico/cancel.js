// cancel.js - cancels a transfer by DMA at every moment, and watches whose memory the DMA writes
// SPDX-License-Identifier: MIT
//
//     node cancel.js PROGRAM.elf [EACH]      PROGRAM is cancel.c; EACH: a point each so many cycles
//
// The device on the SPI answers each byte with one that is larger by 100. A write of the DMA to
// memory that the task has taken back is a mistake, and so is a transfer that is cut short by the
// one before it.
const { Chip } = require("./chip");

const END = 10000; // cycles: a transfer takes 8,000, unless items are long in flight

function main() {
    const [path, each] = process.argv.slice(2);
    const chip = new Chip({ seed: 1 });
    const step = Number(each || 1);
    let wrong = "";

    chip.load(path);
    chip.state.stalls = false; // every point is tried
    chip.spi[0].exchange = byte => byte + 100 & 0xff;
    chip.spi[0].late = 300;
    chip.dma.written = address => {
        if (address >>> 28 === 2 && !chip.variable("lent"))
            wrong = wrong || `round ${chip.variable("done")}: the DMA writes what is not lent`;
    };
    while (chip.cores[0].PC !== chip.program.symbols.main)
        chip.advance();
    chip.writeUint32(chip.program.symbols.rounds, Math.floor(END / step));
    while (chip.state.ended === undefined && !wrong) {
        chip.writeUint32(chip.program.symbols.cancel_at, 1 + chip.variable("done") * step);
        if (!chip.advance())
            wrong = "asleep for ever";
    }
    console.log(`${chip.variable("done")} points tried, ${chip.variable("canceled")} canceled, ` +
        `${chip.dma.aborted} with an item in flight`);
    if (wrong || chip.state.ended)
        console.log(`${wrong}; code ${chip.state.ended}: 1 written late, 2 not complete, 3 canary`);
    process.exit(wrong || chip.state.ended ? 1 : 0);
}

main();
