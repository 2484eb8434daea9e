// join.js - the end of avr.js: runs a module when another one first asks for it
// SPDX-License-Identifier: MIT
const made = {};

function load(name) {
    if (!made[name]) {
        made[name] = { exports: {} };
        modules[name](made[name], made[name].exports, wanted => load(within(name, wanted)));
    }
    return made[name].exports;
}

// The name of the module that NAME means by "../peripherals/gpio" or "./gpio".
function within(name, wanted) {
    const path = name.split("/").slice(0, -1);

    for (const step of wanted.split("/")) {
        if (step === "..")
            path.pop();
        else if (step !== ".")
            path.push(step);
    }
    return path.join("/");
}

world.PtAvr = { mount: load("mount").mount, run: load("run").run, sweep: load("lesson").sweep,
                load };
if (typeof module === "object" && module.exports)
    module.exports = world.PtAvr;
