// lanes.js - the last seconds of the pins and of the wakes, as a logic analyser draws them
// SPDX-License-Identifier: MIT
const { draw } = require("./draw");
const { HZ } = require("./machine");

const SECONDS = 3, WIDTH = 300, HEIGHT = 18, LANE = 26;
const NAMES = [["led0", "LED 13"], ["led1", "LED 12"], ["button", "button"]];

class Lanes {
    constructor() {
        this.paths = [...NAMES.map(([name]) => name), "wakes"].map((name, index) =>
            draw("path", { class: "lane " + name, transform: `translate(0 ${index * LANE + 4})` }));
        this.hint = draw("p", {}, "Run the program: the edges of its pins appear here.");
        this.element = draw("div", { class: "lanes" },
            draw("div", { "aria-hidden": "true" }, ...NAMES.map(([, text]) => draw("span", {}, text)),
                 draw("span", {}, "wakes")),
            draw("svg", { viewBox: `0 0 ${WIDTH} ${4 * LANE}`, preserveAspectRatio: "none", role: "img",
                          "aria-label": `LEDs, button and wakes in the last ${SECONDS} seconds` }, ...this.paths),
            this.hint);
        this.reset();
    }

    reset() {
        this.edges = { led0: [[0, 0]], led1: [[0, 0]], button: [[0, 0]] };
        this.wakes = [];
    }

    note(cycle, name, value) {
        this.edges[name].push([cycle, value]);
    }

    wake(cycle) {
        this.wakes.push(cycle);
    }

    show(now) {
        const from = Math.max(0, now - SECONDS * HZ);
        const x = cycle => ((cycle - from) / (SECONDS * HZ) * WIDTH).toFixed(2);

        this.hint.hidden = now > 0;

        NAMES.forEach(([name], index) => {
            const edges = this.edges[name];

            while (edges.length > 1 && edges[1][0] < from)
                edges.shift();

            const level = value => value ? 1 : HEIGHT;
            let path = `M0 ${level(edges[0][1])}`;

            for (const [cycle, value] of edges.slice(1))
                path += `H${x(cycle)}V${level(value)}`;
            this.paths[index].setAttribute("d", path + `H${x(now)}`);
        });
        while (this.wakes.length && this.wakes[0] < from)
            this.wakes.shift();
        this.paths[NAMES.length].setAttribute("d", this.wakes.map(cycle => `M${x(cycle)} 3V${HEIGHT}`).join(""));
    }
}

module.exports = { Lanes };
