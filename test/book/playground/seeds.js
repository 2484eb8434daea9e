// seeds.js - the traces of a page's program, run by node: seeds.js PAGE MACHINE NAME LAST DIRECTORY writes those of the
// seeds 1 to LAST, and those with other numbers
// SPDX-License-Identifier: MIT
"use strict";

const fs = require("fs");
const vm = require("vm");

const [page, machine, name, last, directory] = process.argv.slice(2);
const html = fs.readFileSync(page, "utf8");
const {programs} = JSON.parse(/<script type="application\/json" id="programs">(.*)<\/script>/.exec(html)[1]);
const program = programs.find((one) => one.name === name);

vm.runInThisContext(fs.readFileSync(machine, "utf8") + "\nglobalThis.Machine = Machine;");
for (let seed = 1; seed <= Number(last); seed++) {
    const lines = [];
    Machine.run(program, seed, {}, (line) => lines.push(line));
    fs.writeFileSync(`${directory}/${seed}`, lines.map((line) => `${line}\n`).join(""));
}
// The ends of each number that can be changed.
program.parameters.forEach(({least, most}, number) => {
    for (const value of [least, most]) {
        const lines = [];
        Machine.run(program, 0, {[number]: value}, (line) => lines.push(line));
        fs.writeFileSync(`${directory}/${number}=${value}`, lines.map((line) => `${line}\n`).join(""));
    }
});
