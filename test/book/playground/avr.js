// avr.js - the firmware of the page under node: the interrupt lesson, the sleep, and edges as in simavr
// SPDX-License-Identifier: MIT
//
//     node avr.js BUNDLE [AVR_EDGES]
//
// AVR_EDGES is the program of avr_edges.c. Prints "ok NAME" or "FAIL NAME" for each test, and at the end "done".
const { execFileSync } = require("child_process");
const { writeFileSync } = require("fs");
const path = require("path");

const [bundle, edgesOfSimavr] = process.argv.slice(2);
const PtAvr = require(path.resolve(bundle));
const { Machine, HZ, TICK } = PtAvr.load("machine");
const { programs } = PtAvr.load("data");

function test(name, body) {
    try {
        body();
        console.log("ok " + name);
    } catch (wrong) {
        console.log("FAIL " + name);
        console.log("  " + wrong.stack.replace(/\n/g, "\n  "));
    }
}

function same(got, wanted, what) {
    if (JSON.stringify(got) !== JSON.stringify(wanted))
        throw new Error(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
}

function holds(condition, what) {
    if (!condition)
        throw new Error(what);
}

// --- the interrupt lesson ---

// The number of the instruction of the wake that last looks at the waker's mark, and of the sleep.
function lastLook(version) {
    const lesson = PtAvr.load("lesson");
    const machine = lesson.woken(version);
    const [address, size] = programs[version].symbols.waker;
    let look = 0, number = 0;

    machine.cpu.readHooks[address + size - 1] = at => {
        look = number;
        return machine.cpu.data[at];
    };
    for (; !machine.asleep; number++)
        machine.step();
    return { look, sleep: number - 1 };
}

test("the_page_s_right_main_loop_loses_no_wake_at_any_instruction", () => {
    const { places, lost } = PtAvr.sweep("right");

    holds(places.length > 100, "the wake is too short");
    same(lost, [], "lost");
});

test("the_page_s_wrong_main_loop_loses_a_wake_from_its_last_look_to_its_sleep_and_nowhere_else", () => {
    const { look, sleep } = lastLook("wrong");
    const between = Array.from({ length: sleep - look }, (_, number) => look + number);

    holds(look > 0 && between.length > 1, "no look at the mark");
    same(PtAvr.sweep("wrong").lost, between, "lost");
});

test("the_mark_of_the_page_s_waker_is_set_by_the_interrupt_and_cleared_by_the_loop", () => {
    for (const version of ["right", "wrong"]) {
        const marks = PtAvr.sweep(version).places.map(place => place.mark).join("");

        holds(/^0+1+0+$/.test(marks), marks);
    }
});

test("the_wake_of_the_page_goes_through_interrupt_loop_and_task_to_a_sleep", () => {
    const kinds = PtAvr.sweep("right").places.map(place => place.kind);

    same(kinds.filter((kind, number) => kind !== kinds[number - 1]), ["interrupt", "loop", "task", "loop", "asleep"],
         "kinds");
});

// --- the sleep ---

test("the_firmware_in_the_page_sleeps_between_its_deadlines", () => {
    for (const name of ["three", "three_timeout", "demo"]) {
        const { slept, cycles, wakes, instructions } = PtAvr.run(name, { seconds: 3 });

        holds(slept > 0.98 * cycles, `${name}: asleep for ${slept} of ${cycles} cycles`);
        holds(wakes > 500 && wakes < 1000, `${name}: ${wakes} wakes`);
        holds(instructions < cycles - slept, `${name}: ${instructions} instructions`);
    }
});

test("the_cycles_asleep_and_awake_are_all_cycles", () => {
    const machine = new Machine(programs.three);
    let awake = 0;

    while (machine.cycles < HZ) {
        const before = machine.cycles, slept = machine.slept;

        machine.step(HZ);
        awake += machine.cycles - before - (machine.slept - slept);
    }
    same(awake + machine.slept, machine.cycles, "cycles");
});

test("a_sleep_without_interrupts_stops_the_processor_in_the_page", () => {
    const input = [..."bye\n"].map((letter, number) => ({ at: HZ + number * 2000, byte: letter.charCodeAt(0) }));

    same(PtAvr.run("demo", { seconds: 2, input }).stopped, true, "stopped");
    same(PtAvr.run("demo", { seconds: 2 }).stopped, false, "stopped");
});

// --- the same edges as in simavr ---

// A script of inputs: a button that bounces, and typed lines, in the middle of ticks.
function script() {
    const input = [];
    const middle = at => Math.floor(at / TICK) * TICK + TICK / 2;

    function press(seconds, held) {
        [0, 0.5, 1, 1.5, 2, held, held + 0.5, held + 1].forEach((ms, number) => {
            input.push({ at: middle(seconds * HZ + ms * HZ / 1000), button: 1 - number % 2 });
        });
        input[input.length - 1].button = 0;
        input[input.length - 2].button = 1;
        input[input.length - 3].button = 0;
    }

    function type(seconds, text) {
        [...text].forEach((letter, number) => {
            input.push({ at: middle(seconds * HZ + number * 3000), byte: letter.charCodeAt(0) });
        });
    }

    press(0.2, 100);
    type(1.1, "f\n");
    press(2.31, 900);
    type(3.5, "ps\n");
    type(4.2, "x");
    type(6, "s\n");
    type(7, "up\n");
    return input;
}

function edgesIn(name, seconds, input) {
    const file = path.join(path.dirname(bundle), name + ".elf");
    const lines = input.map(({ at, button, byte }) =>
        `${at} ${byte === undefined ? "button " + button : "byte " + byte}\n`);

    return execFileSync(edgesOfSimavr, [file, String(seconds * HZ)], { input: lines.join("") }).toString().trim()
        .split("\n").map(line => line.split(" ")).map(([at, what, value]) => [Number(at), what, Number(value)]);
}

function sameEdges(name) {
    const seconds = 9, input = script();
    // simavr counts a cycle for the begin of an interrupt, where the data sheet has four, and four more from a sleep.
    const ours = PtAvr.run(name, { seconds, input, entry: { awake: 1, asleep: 0 } }).edges;
    const theirs = edgesIn(name, seconds, input);

    for (const output of ["led0", "led1", "uart"]) {
        const [a, b] = [ours, theirs].map(edges => edges.filter(edge => edge[1] === output));

        same(a.map(edge => edge[2]), b.map(edge => edge[2]), `${name}, ${output}`);
        holds(a.length > 1 || (output === "uart" && name !== "demo"), `${name}, ${output}: no edges`);
        a.forEach((edge, number) => {
            holds(Math.abs(edge[0] - b[number][0]) <= TICK, `${name}, ${output}: ${edge} and ${b[number]}`);
        });
    }
}

if (edgesOfSimavr)
    for (const name of ["three", "three_timeout", "demo"])
        test(`${name}_has_the_same_edges_in_the_page_and_in_simavr_within_a_tick`, () => sameEdges(name));
console.log("done");
