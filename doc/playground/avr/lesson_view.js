// lesson_view.js - the interrupt lesson in a page: a field of instructions, each of which can be interrupted
// SPDX-License-Identifier: MIT
const { draw, unique, say, hex, shortName, calm } = require("./draw");
const { wake, pressAt } = require("./lesson");
const { names, texts } = require("./data");

const KINDS = { interrupt: "the interrupt", loop: "the main loop", task: "the task", asleep: "asleep" };
const VERSIONS = { wrong: "with a mistake", right: "without it" };
const PARTS = { interrupt: "The interrupt", task: "The task", wrong: "The main loop", right: "The main loop" };

// The lines [number, text] of a part of wake.c, which begins at a line "//- NAME".
function partOf(name) {
    const lines = Object.entries(texts[names.indexOf("doc/playground/avr/wake.c")]);
    const from = lines.findIndex(([, text]) => text === "//- " + name || text === `//- ${name} loop`);
    const to = lines.findIndex(([, text], index) => index > from && /^(\/\/-|#)/.test(text));

    return lines.slice(from + 1, to).filter(([, text], index, all) => text || (index && index < all.length - 1));
}

class LessonView {
    constructor(root) {
        this.id = unique("cell");
        this.build(root);
        this.choose("wrong");
    }

    build(root) {
        const title = unique("title");

        root.setAttribute("aria-labelledby", title);
        this.field = draw("div", { class: "field", role: "listbox", tabindex: 0,
                                   "aria-label": "Instructions of the wake; Enter presses the button",
                                   onkeydown: event => this.key(event), onclick: event => this.click(event) });
        this.detail = draw("div", { class: "detail" });
        this.verdict = draw("p", { class: "verdict", "aria-live": "polite" });
        this.path = draw("div", { class: "path", role: "img", "aria-label": "no press yet" });
        this.code = draw("div", { class: "code" });
        this.score = draw("p", { class: "soft", "aria-live": "polite" });
        root.append(
            draw("h2", { id: title }, "Press the interrupt at any instruction"),
            draw("p", {}, "The processor slept. Then the button was pressed: its interrupt posts a waker, the main " +
                 "loop wakes the task, the task looks at the count, and the processor sleeps again. Each square is " +
                 "one instruction of that wake, in a simulated ATmega328P. Press the button a second time while one " +
                 "of them runs. If the processor sleeps before the task has seen the press, the wake is lost."),
            this.choice(),
            draw("div", { class: "halves" },
                 draw("div", {}, this.legend(), this.field, this.buttons(), this.score),
                 draw("div", {}, this.detail, this.verdict, this.path)),
            this.code, this.reasons());
    }

    choice() {
        const name = unique("version");
        const radio = ([version, text]) => draw("label", {}, draw("input", {
            type: "radio", name, value: version, checked: version === "wrong", onchange: () => this.choose(version) }),
            " " + text);

        return draw("fieldset", { class: "choice" }, draw("legend", {}, "The main loop"),
                    ...Object.entries(VERSIONS).map(radio));
    }

    legend() {
        const entries = Object.entries(KINDS).filter(([kind]) => kind !== "asleep");

        return draw("p", { class: "legend" }, ...entries.map(([kind, text]) =>
            draw("span", {}, draw("i", { class: "cell " + kind, "aria-hidden": "true" }), " " + text)));
    }

    buttons() {
        return draw("p", { class: "buttons" },
                    draw("button", { type: "button", onclick: () => this.select(this.selected - 1),
                                     "aria-label": "Previous instruction" }, "\u25c0"),
                    draw("button", { type: "button", onclick: () => this.select(this.selected + 1),
                                     "aria-label": "Next instruction" }, "\u25b6"),
                    draw("button", { type: "button", class: "main", onclick: () => this.press() }, "Press here"),
                    draw("button", { type: "button", onclick: () => this.pressAll() }, "Try every instruction"));
    }

    reasons() {
        return draw("details", {}, draw("summary", {}, "Why there, and nowhere else?"),
            draw("p", {}, "An interrupt sets the waker's mark. The loop looks at the mark when a turn begins, and " +
                 "once more before it sleeps. That last look sees a press before it. A press in the sleep ends the " +
                 "sleep. In between, the press sets the mark, the loop does not look at it again, and the sleep " +
                 "lasts until the next interrupt."),
            draw("p", {}, "The cure: turn interrupts off before the last look. A press then stays pending. The " +
                 "instruction sei turns them on again, but lets one more instruction run before any interrupt: the " +
                 "sleep. So the pending interrupt ends that sleep at once. pt_loop_turn_and_sleep does this for you."));
    }

    // --- what is chosen ---

    choose(version) {
        clearTimeout(this.timer);
        this.version = version;
        this.places = wake(version);
        this.lost = new Map();
        this.cells = this.places.map((place, number) => draw("div", {
            class: "cell " + place.kind, role: "option", id: `${this.id}-${number}`, "aria-selected": "false",
            "aria-label": this.name(number) }));
        this.field.replaceChildren(...this.cells);
        this.code.replaceChildren(draw("div", {}, this.listing(version), this.listing("interrupt")),
                                  this.listing("task"));
        this.verdict.className = "verdict";
        say(this.verdict, "Choose a square, and press. Where is the wake lost?");
        this.path.replaceChildren();
        this.path.setAttribute("aria-label", "no press yet");
        this.select(0);
        this.count();
    }

    listing(part) {
        const lines = partOf(part).map(([number, text]) =>
            draw("span", { class: "line", "data-line": number }, text + "\n"));

        return draw("figure", {}, draw("figcaption", {}, PARTS[part]), draw("pre", { tabindex: 0 }, ...lines));
    }

    name(number) {
        const { kind, text } = this.places[number];
        const where = kind === "asleep" ? "asleep" : `${text}, in ${KINDS[kind]}`;
        const tried = this.lost.has(number) ? (this.lost.get(number) ? ", the wake was lost" : ", seen") : "";

        return `${number + 1}: ${where}${tried}`;
    }

    select(number) {
        if (number < 0 || number >= this.places.length)
            return;
        if (this.selected < this.cells.length)
            this.cells[this.selected].setAttribute("aria-selected", "false");
        this.selected = number;
        this.cells[number].setAttribute("aria-selected", "true");
        this.field.setAttribute("aria-activedescendant", this.cells[number].id);
        this.show(this.places[number]);
    }

    show(place) {
        const [file, line] = place.line;
        const source = file === undefined ? "" : (texts[file][line] || "").trim();
        const state = place.on ? "on" : "off: a press waits";

        this.detail.replaceChildren(
            draw("p", { class: "instruction" },
                 draw("span", { class: "soft" }, `${this.selected + 1} of ${this.places.length} `),
                 draw("code", {}, place.kind === "asleep" ? "(asleep)" : place.text)),
            draw("p", { class: "source" }, file === undefined ? "The table of interrupts" :
                 draw("span", { class: "soft" }, `${shortName(names[file])}:${line} `), draw("code", {}, source)),
            draw("dl", {}, ...[["interrupts", state], ["presses", place.presses], ["seen", place.seen],
                               ["mark", place.mark], ["address", "0x" + hex(place.pc, 4)]].flatMap(([term, value]) =>
                [draw("dt", {}, term), draw("dd", {}, String(value))])));
        for (const shown of this.code.querySelectorAll(".line"))
            shown.classList.toggle("here", Number(shown.dataset.line) === place.own);
    }

    // --- presses ---

    press() {
        const { places, lost } = pressAt(this.version, this.selected);
        const cycles = places[places.length - 1].cycle - places[0].cycle;

        this.mark(this.selected, lost);
        this.verdict.className = "verdict " + (lost ? "bad" : "good");
        say(this.verdict, (lost ? "\u2717 Lost. The processor sleeps, and the task has not seen the press. The mark " +
                                  "is set, and the loop does not look at it before the next interrupt." :
                                  "\u2713 Seen. The task has run again before the processor sleeps.") +
                          ` Instruction ${this.selected + 1}; the sleep comes ${cycles} cycles later.`);
        this.drawPath(places);
        this.count();
    }

    // A bar of what ran from the press to the sleep, as long as it took.
    drawPath(places) {
        const runs = [];

        for (const place of places) {
            if (!runs.length || runs[runs.length - 1].kind !== place.kind)
                runs.push({ kind: place.kind, from: place.cycle });
        }
        runs.forEach((run, index) => {
            run.cycles = index + 1 < runs.length ? runs[index + 1].from - run.from : 60;
        });
        this.path.setAttribute("aria-label",
                               "From the press to the sleep: " + runs.map(run => KINDS[run.kind]).join(", "));
        this.path.replaceChildren(...runs.map(run =>
            draw("span", { class: run.kind, style: `flex-grow: ${run.cycles}` }, run.cycles > 25 ? run.kind : "")));
    }

    mark(number, lost) {
        this.lost.set(number, lost);
        this.cells[number].classList.add(lost ? "bad" : "good");
        this.cells[number].setAttribute("aria-label", this.name(number));
    }

    pressAll(number = 0) {
        const pace = calm() ? this.places.length : 6;

        clearTimeout(this.timer);
        for (const end = Math.min(number + pace, this.places.length); number < end; number++)
            this.mark(number, pressAt(this.version, number).lost);
        if (number < this.places.length) {
            this.timer = setTimeout(() => this.pressAll(number), 30);
            return;
        }
        this.count();

        const found = [...this.lost].filter(([, lost]) => lost).map(([tried]) => tried);
        const [first, end] = [Math.min(...found) + 1, Math.max(...found) + 1];

        this.path.replaceChildren();
        this.path.setAttribute("aria-label", "no press yet");
        this.verdict.className = "verdict " + (found.length ? "bad" : "good");
        say(this.verdict, found.length ?
            `\u2717 The bad place: a press at the instructions ${first} to ${end} is lost. They stand between the ` +
            "last look at the mark and the sleep." : "\u2713 A press is seen wherever it comes.");
        if (found.length)
            this.select(first - 1);
    }

    count() {
        const lost = [...this.lost.values()].filter(value => value).length;

        say(this.score, `${this.lost.size} of ${this.places.length} places tried, ` +
                        `${lost} ${lost === 1 ? "wake" : "wakes"} lost`);
    }

    // --- keys and clicks ---

    key(event) {
        const row = this.cells.findIndex(cell => cell.offsetTop > this.cells[0].offsetTop);
        const width = row > 0 ? row : this.cells.length;
        const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width, Home: -this.selected,
                        End: this.places.length - 1 - this.selected };

        if (event.key === "Enter" || event.key === " ")
            this.press();
        else if (event.key in steps)
            this.select(this.selected + steps[event.key]);
        else
            return;
        event.preventDefault();
    }

    click(event) {
        const number = this.cells.indexOf(event.target);

        if (number < 0)
            return;
        this.select(number);
        this.press();
    }
}

module.exports = { LessonView };
