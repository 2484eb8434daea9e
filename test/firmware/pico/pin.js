// pin.js - two edges of a pin at every moment of a wait for them; the program is pin.c
// SPDX-License-Identifier: MIT
//
// The program toggles pin 15 when it begins to wait. The first edge of pin 14 comes `cancel_at`
// cycles later, and the second one soon behind it: from round to round at each distance. Without
// rounds the pin bounces.
const { sweep } = require("./sweep");

const DISTANCES = 400; // cycles: more than the interrupt takes
const BOUNCES = [3, 40, 1, 2, 900, 5, 5, 300, 1, 700, 2].map(us => us * 1e3); // nanoseconds

function prepare(chip) {
    const [pin, begin] = [chip.gpio[14], chip.gpio[15]];
    let gaps = [];
    const edge = chip.clock.createAlarm(() => {
        pin.setInputValue(!pin.rawInputValue);
        next();
    });
    const next = () => gaps.length && edge.schedule(gaps.shift());

    pin.setInputValue(true);
    begin.addListener((state, before) => {
        const round = chip.variable("done");

        if (before > 1) // it was no output: not the program's
            return;
        gaps = chip.variable("rounds") ?
            [chip.variable("cancel_at"), 1 + round % DISTANCES].map(cycles => cycles * chip.cycle) :
            [...BOUNCES];
        next();
    });
}

sweep(prepare, {
    end: 2400, // cycles: the task sleeps long before
    lent: "done",
    size: 0, // no DMA
    limit: 1e6,
    codes: [, "an edge is lost, or counted twice", "a press is not one", "the level is another",
        "an edge is counted that it was not opened for"],
    tell: () => "two edges each",
});
