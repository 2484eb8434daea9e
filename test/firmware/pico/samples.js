// samples.js - cancels a run of the ADC and the DMA at every moment, and watches what they write
// SPDX-License-Identifier: MIT
//
//     node samples.js PROGRAM.elf [EACH]   PROGRAM is samples.c; EACH: a point each so many cycles
//
// Without EACH: a task and an interrupt are late, and the DMA is. A write of the DMA to memory that
// is not lent, or beside it, is a mistake.
const { Chip } = require("./chip");

const END = 15000; // cycles: two halves, and some of the third
const SIZE = 24;  // bytes lent
const LIMIT = 2e6, LIMIT_OF_ALL = 1e7; // instructions: of a round; without rounds

function main() {
    const [path, each] = process.argv.slice(2);
    const chip = new Chip({ seed: 1 });
    const variable = name => chip.variable(name);
    let wrong = "", number = 0, round = 0, left = each ? LIMIT : LIMIT_OF_ALL;

    chip.load(path);
    chip.state.stalls = false; // every point is tried
    chip.adc.input = channel => channel << 9 | number++ & 511;
    chip.dma.delay = () => {
        chip.dma.slowest = variable("slowest");
        return Object.getPrototypeOf(chip.dma).delay.call(chip.dma);
    };
    const { symbols } = chip.program;

    chip.dma.written = address => {
        const lent = variable("lent") && address >= symbols.buffer &&
            address < symbols.buffer + SIZE;

        if (address >>> 28 === 2 && !lent)
            wrong = wrong || `round ${variable("done")}: the DMA writes what is not lent`;
    };
    while (chip.cores[0].PC !== symbols.main)
        chip.advance();
    chip.writeUint32(symbols.rounds, each ? Math.floor(END / each) : 0);
    while (chip.state.ended === undefined && !wrong) {
        if (each)
            chip.writeUint32(symbols.cancel_at, 1 + variable("done") * each);
        if (variable("done") !== round) {
            round++;
            left = LIMIT;
        }
        if (!chip.advance() || !--left)
            wrong = `round ${round} has no end`;
    }
    if (each)
        console.log(`${variable("done")} points tried, ${variable("canceled")} canceled, ` +
            `${chip.dma.aborted} with an item in flight`);
    if (wrong || chip.state.ended)
        console.log(`${wrong}; code ${chip.state.ended}: see samples.c`);
    process.exit(wrong || chip.state.ended ? 1 : 0);
}

main();
