// sweep.js - runs a program of sweep.h on the harness, and watches whose memory the DMA writes
// SPDX-License-Identifier: MIT
const { Chip } = require("./chip");

const LIMIT = 2e6; // instructions of a round

function tellCanceled(chip) {
    return `${chip.variable("canceled")} canceled, ${chip.dma.aborted} with an item in flight`;
}

// sweep(prepare, { end, lent, size, limit, codes }) - the program of the command line, and its end:
//
//     node PROGRAM.js PROGRAM.elf [EACH]     EACH: a cancel each so many cycles
//
// `prepare(chip)` gives the chip its devices; what it returns is called at the end, for a mistake
// that they have seen. The rounds are canceled up to the cycle `end`. Without EACH the program has
// no rounds. The DMA may write the `size` bytes of the variable `lent`, while the program has lent
// them. `codes`: what the program's code tells. `tell(chip)`: what the rounds were.
function sweep(prepare, { end, lent, size, limit = LIMIT, codes, tell = tellCanceled }) {
    const [path, each] = process.argv.slice(2);
    const chip = new Chip({ seed: 1 });
    const variable = name => chip.variable(name);
    let wrong = "", round = 0, left = each ? LIMIT : limit;

    chip.load(path);
    chip.state.stalls = false; // every point is tried
    const { symbols } = chip.program;
    const mistake = prepare(chip) || (() => "");

    chip.dma.written = address => {
        const allowed = variable("lent") && address >= symbols[lent] &&
            address < symbols[lent] + size;

        if (address >>> 28 === 2 && !allowed)
            wrong = wrong || `round ${variable("done")}: the DMA writes what is not lent`;
    };
    while (chip.cores[0].PC !== symbols.main)
        chip.advance();
    chip.writeUint32(symbols.rounds, each ? Math.floor(end / each) : 0);
    while (chip.state.ended === undefined && !wrong) {
        if (each)
            chip.writeUint32(symbols.cancel_at, 1 + variable("done") * each);
        if (variable("done") !== round) {
            round++;
            left = LIMIT;
        }
        try {
            if (!chip.advance() || !--left)
                wrong = `round ${round} has no end`;
        } catch (error) { // a mistake that the harness has seen
            wrong = `round ${round}: ${error.message}`;
        }
    }
    wrong = wrong || mistake();
    if (each)
        console.log(`${variable("done")} points tried, ${tell(chip)}`);
    if (wrong || chip.state.ended)
        console.log(`found: ${wrong || codes[chip.state.ended] || `code ${chip.state.ended}`}`);
    process.exit(wrong || chip.state.ended ? 1 : 0);
}

module.exports = { sweep };
