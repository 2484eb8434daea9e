// lesson.js - the interrupt lesson: a second press while an instruction of a wake runs, and what becomes of it
// SPDX-License-Identifier: MIT
//
// An interrupt comes between two instructions: after the one that runs when the button is pressed. A processor cannot
// go back: each place is reached by running the program again from its reset, which takes a millisecond. The wake goes
// from a press in a sleep to the next sleep.
const { Machine } = require("./machine");
const { programs } = require("./data");

const PATIENCE = 5000; // instructions

function variable(machine, name) {
    const [address, size] = machine.program.symbols[name];

    // A waker ends with its mark.
    return machine.cpu.data[name === "waker" ? address + size - 1 : address];
}

function press(machine) {
    machine.button(true);
    machine.button(false);
}

// Where the processor is: "asleep", or in the "interrupt", the "task" or the main "loop".
function kind(machine) {
    const name = machine.functionAt(machine.pc);

    if (machine.asleep)
        return "asleep";
    if (machine.line(machine.pc).length === 0 || name.startsWith("__vector")) // the table of interrupts has no lines
        return "interrupt";
    return name === "lamp_pt_" ? "task" : "loop";
}

// The line of wake.c to which an instruction belongs, or undefined.
function ownLine(machine) {
    const [at, line] = Machine.entry(machine.program.own, machine.pc);

    return at === machine.pc ? line : undefined;
}

// What stands before the next instruction, for the page to show.
function place(machine) {
    return { pc: machine.pc, kind: kind(machine), text: machine.text(machine.pc), line: machine.line(machine.pc),
             own: ownLine(machine), cycle: machine.cycles, on: machine.interruptsOn,
             presses: variable(machine, "presses"), seen: variable(machine, "seen"), mark: variable(machine, "waker") };
}

// Run to the next sleep. Returns the places on the way, with the sleep.
function toSleep(machine) {
    const places = [];

    do {
        places.push(place(machine));
        machine.step();
        if (places.length > PATIENCE)
            throw new Error("the program does not sleep");
    } while (!machine.asleep);
    places.push(place(machine));
    return places;
}

// A processor that has just been woken by the first press.
function woken(version) {
    const machine = new Machine(programs[version]);

    toSleep(machine);
    press(machine);
    machine.serve();
    return machine;
}

// The places of a wake at which a press can come: each instruction, and the sleep after the last one.
function wake(version) {
    return toSleep(woken(version));
}

// Press while instruction NUMBER of the wake runs. Returns the places from there to the sleep, and whether the wake was
// lost: the processor sleeps, and the task has not seen the press.
function pressAt(version, number) {
    const machine = woken(version);

    for (let step = 0; step < number; step++)
        machine.step();
    press(machine);
    if (machine.asleep)
        machine.serve();

    const places = toSleep(machine);
    const last = places[places.length - 1];

    return { places, lost: last.seen !== last.presses };
}

// All of them: the numbers of the places at which a press is lost.
function sweep(version) {
    const places = wake(version);
    const lost = places.map((_, number) => number).filter(number => pressAt(version, number).lost);

    return { places, lost };
}

module.exports = { woken, wake, pressAt, sweep };
