// board_view.js - a board in a page: the tasks of examples/firmware on an ATmega328P, its pins, UART and registers
// SPDX-License-Identifier: MIT
const { draw, unique, say, figure } = require("./draw");
const { Machine, HZ } = require("./machine");
const { Inside } = require("./inside");
const { Lanes } = require("./lanes");
const { programs } = require("./data");

const PROGRAMS = {
    three_timeout: { title: "three tasks: blink, button, line", lines: ["f", "s"],
                     text: "three_timeout.c: the LED of pin 13 blinks. The button switches that of pin 12. The line " +
                           "\u201cf\u201d makes the blinking fast, \u201cs\u201d slow. A line that pauses for " +
                           "a second is dropped." },
    three: { title: "the same, smaller: an incomplete line polls", lines: ["f", "s"],
             text: "three.c: fewer bytes, but while a line is incomplete, its task looks every millisecond." },
    demo: { title: "the demo: a shell, a sensor, two LEDs, a button", lines: ["ps", "up", "fast", "slow", "bye"],
            text: "demo.c: a short press changes how fast the LED of pin 13 blinks, a long one that of pin 12. The " +
                  "shell answers on the UART. \u201cps\u201d lists the tasks. \u201cbye\u201d ends the program: then " +
                  "the processor sleeps for ever." },
};
const SPEEDS = [[1, "real time"], [0.1, "10 times slower"], [0.001, "1,000 times slower"],
                [0.00001, "100,000 times slower"]];
const BOUNCE = [0, 0.4, 0.7, 1.3, 1.5]; // milliseconds at which a contact changes
const TAP = 40; // milliseconds for which the shortest press lasts: a tap of a finger can end before the board has run
const BYTE = 1360, GAP = 16000; // cycles of a byte on the line, and between two typed ones

class BoardView {
    constructor(root) {
        this.speed = 1;
        this.build(root);
        this.start("three_timeout");
    }

    build(root) {
        const title = unique("title");

        root.setAttribute("aria-labelledby", title);
        this.about = draw("p", {});
        this.leds = [13, 12].map(pin => draw("span", { class: "led led" + pin, role: "img" }));
        this.state = draw("span", { class: "state" });
        this.numbers = draw("dl", { class: "numbers" });
        this.memory = draw("div", { class: "memory" });
        this.lanes = new Lanes();
        this.inside = new Inside();
        root.append(draw("h2", { id: title }, "The same program as firmware"),
            draw("p", {}, "The tasks of examples/firmware, compiled for an Arduino Uno's processor and run here, " +
                 "instruction by instruction, at 16 MHz. Nothing is changed for the page: these are the bytes that " +
                 "go into the flash."),
            this.controls(), this.about,
            draw("div", { class: "halves" },
                 draw("div", {}, this.board(), this.lanes.element, this.numbers, this.memory),
                 draw("div", { class: "behind" }, this.uart(), this.inside.code), this.inside.registers));
    }

    controls() {
        const options = Object.entries(PROGRAMS).map(([name, { title }]) => draw("option", { value: name }, title));
        const speeds = SPEEDS.map(([speed, text]) => draw("option", { value: speed }, text));
        const labelled = (text, control) => draw("label", {}, text + " ", control);

        this.go = draw("button", { type: "button", class: "main", onclick: () => this.toggle() });
        return draw("div", { class: "controls" },
            labelled("Program", draw("select", { onchange: event => this.start(event.target.value) }, ...options)),
            labelled("Pace", draw("select", { onchange: event => this.pace(event.target.value) }, ...speeds)),
            draw("p", { class: "buttons" }, this.go,
                 draw("button", { type: "button", onclick: () => this.step() }, "Step"),
                 draw("button", { type: "button", onclick: () => this.toWake() }, "To the next wake"),
                 draw("button", { type: "button", onclick: () => this.start(this.name) }, "Reset")));
    }

    board() {
        const hold = pressed => () => this.hold(pressed);
        const key = pressed => event => {
            if (event.key !== " " && event.key !== "Enter")
                return;
            event.preventDefault();
            if (!event.repeat)
                this.hold(pressed);
        };

        const press = { onpointerdown: hold(true), onkeydown: key(true), onpointerup: hold(false), onkeyup: key(false),
                        onpointerleave: hold(false), onpointercancel: hold(false), onblur: hold(false) };

        this.button = draw("button", { type: "button", class: "push", "aria-pressed": "false", ...press },
                           "Button, pin 2");
        this.bounces = draw("input", { type: "checkbox", checked: true });
        return draw("div", { class: "board" }, ...this.leds.map((led, index) =>
            draw("span", { class: "device" }, led, `LED, pin ${index ? 12 : 13}`)),
            draw("span", { class: "device" }, this.button, draw("label", {}, this.bounces, " it bounces")),
            draw("span", { class: "device" }, this.state, "processor"));
    }

    uart() {
        this.output = draw("pre", { class: "uart", tabindex: 0, role: "log", "aria-label": "What the UART has sent" });
        this.typed = draw("input", { type: "text", size: 12, "aria-label": "A line for the UART" });
        this.quick = draw("span", { class: "quick" });
        return draw("div", {}, draw("h3", {}, "UART, 115,200 baud"), this.output,
            draw("form", { class: "buttons", onsubmit: event => {
                event.preventDefault();
                this.type(this.typed.value);
                this.typed.value = "";
            } }, this.typed, draw("button", { type: "submit" }, "Send"), this.quick));
    }

    // --- a program from its reset ---

    start(name) {
        this.name = name;
        this.machine = new Machine(programs[name]);
        this.events = []; // [cycle, what to do], in order
        this.sent = "";
        this.lanes.reset();
        this.machine.onEdge = (cycle, what, value) => {
            if (what === "uart")
                this.sent = (this.sent + String.fromCharCode(value)).slice(-2000);
            else
                this.lanes.note(cycle, what, value);
        };
        this.machine.onWake = cycle => this.lanes.wake(cycle);
        say(this.about, PROGRAMS[name].text);
        this.quick.replaceChildren(...PROGRAMS[name].lines.map(line =>
            draw("button", { type: "button", title: "send this line", onclick: () => this.type(line) }, line)));
        this.run(false);
        this.show();
    }

    run(running) {
        this.running = running;
        say(this.go, running ? "Pause" : "Run");
        if (running)
            requestAnimationFrame(time => this.frame(time, time));
    }

    pace(speed) {
        this.speed = Number(speed);
    }

    toggle() {
        this.run(!this.running);
        this.show();
    }

    frame(time, before) {
        if (!this.running)
            return;
        this.advance(this.machine.cycles + Math.min(time - before, 100) / 1000 * HZ * this.speed);
        this.show();
        requestAnimationFrame(next => this.frame(next, time));
    }

    // Run up to a cycle, with what happens on the pins.
    advance(limit) {
        while (this.events.length && this.events[0][0] <= limit) {
            const [at, act] = this.events.shift();

            this.machine.run(at);
            act();
        }
        this.machine.run(limit);
    }

    step() {
        const { machine } = this;
        const next = this.events.length ? this.events[0][0] : Infinity;

        this.run(false);
        if (next <= machine.cycles)
            this.events.shift()[1]();
        machine.step(Math.max(next, machine.cycles));
        this.show();
    }

    toWake() {
        const { wakes } = this.machine;
        const limit = this.machine.cycles + 10 * HZ;

        this.run(false);
        while (this.machine.wakes === wakes && this.machine.cycles < limit && !this.machine.stopped)
            this.advance(this.machine.cycles + 1);
        this.show();
    }

    // --- from outside ---

    later(cycles, act) {
        this.events.push([this.machine.cycles + cycles, act]);
        this.events.sort((a, b) => a[0] - b[0]);
    }

    hold(pressed) {
        if (pressed === (this.button.getAttribute("aria-pressed") === "true"))
            return;
        this.button.setAttribute("aria-pressed", String(pressed));

        const { cycles } = this.machine;
        const rest = pressed ? 0 : Math.max(0, this.pressed + TAP * HZ / 1000 - cycles);

        if (pressed)
            this.pressed = cycles;
        (this.bounces.checked ? BOUNCE : [0]).forEach((ms, number) => {
            const level = number % 2 ? !pressed : pressed;

            this.later(rest + ms * HZ / 1000, () => {
                this.machine.button(level);
                this.lanes.note(this.machine.cycles, "button", Number(level));
            });
        });
    }

    type(line) {
        [...line + "\n"].forEach((letter, number) =>
            this.later(BYTE + number * GAP, () => this.machine.receive(letter.charCodeAt(0) & 0x7f)));
    }

    // --- what is seen ---

    show() {
        const { machine } = this;
        const state = machine.stopped ? "stopped" : machine.asleep ? "asleep" : "awake";

        [5, 4].forEach((bit, led) => {
            const on = machine.leds.pinState(bit) === 1;

            this.leds[led].classList.toggle("on", on);
            this.leds[led].setAttribute("aria-label", on ? "on" : "off");
        });
        this.state.className = "state " + state;
        say(this.state, state);
        if (this.output.textContent !== this.sent) {
            this.output.textContent = this.sent;
            this.output.scrollTop = this.output.scrollHeight;
        }
        this.lanes.show(machine.cycles);
        this.showNumbers(machine);
        this.inside.show(machine, this.running);
    }

    showNumbers({ cycles, slept, wakes, instructions, deepest, program }) {
        const stack = 0x8ff - deepest;
        const share = cycles ? (100 * slept / cycles).toFixed(2) + " %" : "-";

        this.numbers.replaceChildren(...[["time", (cycles / HZ).toFixed(4) + " s"], ["asleep", share],
            ["wakes", figure(wakes)], ["instructions", figure(instructions)]].map(([term, value]) =>
                draw("div", {}, draw("dt", {}, term), draw("dd", {}, value))));
        this.memory.replaceChildren(
            this.meter("Flash", program.bytes, 32768, `${figure(program.bytes)} of 32,768 bytes`),
            this.meter("RAM", program.variables + stack, 2048,
                       `${program.variables} bytes of variables, ${stack} of stack, of 2,048`));
    }

    meter(name, value, max, text) {
        return draw("p", {}, draw("span", {}, `${name}: ${text}`),
                    draw("span", { class: "bar", "aria-hidden": "true" },
                         draw("i", { style: `width: ${Math.max(0.5, 100 * value / max)}%` })));
    }
}

module.exports = { BoardView };
