// seeds.js - the traces of a page's programs, run by node: seeds.js PAGE MACHINE FIRST LAST DIRECTORY
// SPDX-License-Identifier: MIT
"use strict";

const fs = require("fs");
const vm = require("vm");

const [page, machine, first, last, directory] = process.argv.slice(2);
const html = fs.readFileSync(page, "utf8");
const {programs} = JSON.parse(/<script type="application\/json" id="programs">(.*)<\/script>/.exec(html)[1]);

vm.runInThisContext(fs.readFileSync(machine, "utf8") + "\nglobalThis.Machine = Machine;");
for (const program of programs)
    for (let seed = Number(first); seed <= Number(last); seed++) {
        const {steps, output} = Machine.run(program, seed);
        fs.writeFileSync(`${directory}/${program.name}.${seed}`,
            [...steps, {k: "all", text: output}].map((record) => JSON.stringify(record)).join("\n"));
    }
