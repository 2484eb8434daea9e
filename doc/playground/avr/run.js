// run.js - a program without a page: what its pins and its UART do, for a script of inputs
// SPDX-License-Identifier: MIT
//
//     run("demo", { seconds: 2, input: [{ at: 16000, button: 1 }, { at: 32000, byte: 10 }] })
//
// An input comes at a cycle AT: the button is pressed (1) or released (0), or the UART has received a byte. ENTRY says
// how many cycles an interrupt takes to begin, { awake, asleep }; by default as in the data sheet. Returns EDGES, each
// [cycle, "led0", "led1" or "uart", value], and for how long the processor slept.
const { Machine, HZ } = require("./machine");
const { programs } = require("./data");

function give(machine, { button, byte }) {
    if (button !== undefined)
        machine.button(button !== 0);
    else
        machine.receive(byte);
}

function run(name, { seconds = 1, input = [], entry } = {}) {
    const machine = new Machine(programs[name]);
    const edges = [];

    machine.entry = entry || machine.entry;
    machine.onEdge = (...edge) => edges.push(edge);
    for (const event of input) {
        machine.run(event.at);
        give(machine, event);
    }
    machine.run(seconds * HZ);
    return { edges, cycles: machine.cycles, slept: machine.slept, wakes: machine.wakes,
             instructions: machine.instructions, stopped: machine.stopped };
}

module.exports = { run };
