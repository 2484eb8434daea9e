// app.js - the controls: which program, which step, how fast
// SPDX-License-Identifier: MIT
"use strict";

const App = (() => {
    const {programs, others} = JSON.parse(byId("programs").textContent);
    let program = null, trace = null, at = 0, timer = 0, changes = {};
    const seed = () => Number(byId("seed").value);

    // --- steps ---

    const ENDS = {line: () => true, opcode: (step) => step.k === "op" || step.k === "end" || step.k === "finish",
        turn: (step) => step.k === "turn" || step.k === "open" || step.k === "finish"};

    // The next step of a kind, from I on in a direction; it stops at a question that is open.
    function target(kind, direction) {
        let i = at;
        while (i + direction >= 0 && i + direction < trace.steps.length) {
            if (direction > 0 && Predict.open(i))
                break;
            i += direction;
            if (ENDS[kind](trace.steps[i]))
                break;
        }
        return i;
    }

    function go(i) {
        at = Math.max(0, Math.min(i, trace.steps.length - 1));
        Picture.draw(trace, at);
        Timeline.mark(at);
        byId("position").value = at;
        byId("position").setAttribute("aria-valuetext", `step ${at + 1} of ${trace.steps.length}`);
        byId("count").textContent = `${at + 1} / ${trace.steps.length}`;
        checks();
        Predict.show(at, buttons);
        buttons();
    }

    function move(kind, direction) {
        pause();
        go(target(kind, direction));
    }

    function buttons() {
        const blocked = Boolean(Predict.open(at)), last = at === trace.steps.length - 1;
        for (const button of document.querySelectorAll("[data-move]"))
            button.disabled = button.dataset.move.startsWith("-") ? at === 0 : last || blocked;
        byId("play").disabled = last || blocked;
    }

    // --- running at a pace ---

    function pause() {
        clearInterval(timer);
        timer = 0;
        byId("play").textContent = "Run";
    }

    function play() {
        if (timer) {
            pause();
            return;
        }
        byId("play").textContent = "Pause";
        timer = setInterval(() => {
            go(target("line", 1));
            if (at === trace.steps.length - 1 || Predict.open(at)) {
                pause();
                buttons();
            }
        }, 1000 / Number(byId("pace").value));
    }

    // --- invariants ---

    let broken = [];

    function checks() {
        byId("checks").replaceChildren(...Checks.all.map((check, i) => {
            const holds = broken[i] < 0 || broken[i] > at;
            return h(holds ? "li.holds" : "li.broken", null, h("span.verdict", null, holds ? "holds" : `broken at step ${broken[i] + 1}`),
                " ", check.name);
        }));
    }

    // --- programs ---

    function rerun() {
        pause();
        trace = Machine.run(program, seed(), changes);
        broken = Checks.first(trace);
        Picture.know(trace);
        Timeline.draw(trace);
        Predict.prepare(trace, program, seed());
        byId("position").max = trace.steps.length - 1;
        byId("seed-value").textContent = !program.orders ? "it has one order" :
            seed() ? seed() : "0, in order";
        byId("stopped").textContent = trace.stopped;
        byId("stopped").hidden = !trace.stopped;
        go(0);
    }

    function parameters() {
        byId("parameters").replaceChildren(...program.parameters.map((one, i) => {
            const id = `parameter-${i}`;
            return h("label", {for: id}, `line ${one.line}: ${one.name}`, h("input", {id, type: "number", min: 1,
                max: Math.max(20, one.value * 4), value: one.value, onchange: (event) => {
                    const value = Math.round(Number(event.currentTarget.value));
                    if (value >= 1)
                        changes[i] = value;
                    rerun();
                }}), one.unit);
        }));
        byId("parameters-part").hidden = !program.parameters.length;
    }

    function choose(name) {
        program = programs.find((one) => one.name === name) || programs[0];
        changes = {};
        byId("program").value = program.name;
        byId("seed").value = 0;
        byId("seed").disabled = !program.orders;
        byId("file").textContent = program.path;
        byId("chapter").hidden = !program.chapter;
        byId("chapter").href = program.chapter || "index.html";
        document.title = `${program.title} - pt playground`;
        Picture.source(program);
        parameters();
        rerun();
    }

    function list() {
        const groups = new Map();
        for (const one of programs)
            groups.set(one.group, [...groups.get(one.group) || [], one]);
        byId("program").replaceChildren(...[...groups].map(([label, its]) => h("optgroup", {label}, its.map((one) =>
            h("option", {value: one.name}, `${one.name.replace(/^book-/, "").replace(/-.*/, "")}. ${one.title}`)))));
        const reasons = new Map();
        for (const one of others)
            reasons.set(one.reason, [...reasons.get(one.reason) || [], one]);
        byId("others").replaceChildren(...[...reasons].map(([reason, its]) => h("li", null, reason,
            h("ul", null, its.map((one) => h("li", null, h("code", null, one.path), ` - ${one.title}`))))));
    }

    // --- controls ---

    const KEYS = {ArrowRight: ["line", 1], ArrowLeft: ["line", -1], o: ["opcode", 1], O: ["opcode", -1],
        t: ["turn", 1], T: ["turn", -1]};

    function key(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
            return;
        const found = KEYS[event.key];
        if (found) {
            event.preventDefault();
            move(...found);
        } else if (event.key === "r" && !byId("play").disabled) {
            play();
        } else if (event.key === "Home" || event.key === "0") {
            go(0);
        }
    }

    function start() {
        list();
        for (const button of document.querySelectorAll("[data-move]"))
            button.addEventListener("click", () => {
                const [direction, kind] = [button.dataset.move[0] === "-" ? -1 : 1, button.dataset.move.slice(1)];
                move(kind, direction);
            });
        byId("play").addEventListener("click", play);
        byId("program").addEventListener("change", () => {
            location.hash = byId("program").value;
        });
        byId("seed").addEventListener("input", rerun);
        byId("position").addEventListener("input", () => {
            pause();
            go(Number(byId("position").value));
        });
        byId("pace").addEventListener("input", () => {
            if (timer) {
                pause();
                play();
            }
        });
        byId("ask").addEventListener("change", () => go(at));
        byId("bytes").addEventListener("change", () =>
            document.body.classList.toggle("without-bytes", !byId("bytes").checked));
        if (matchMedia("(max-width: 40rem)").matches) {
            byId("bytes").checked = false;
            document.body.classList.add("without-bytes");
        }
        addEventListener("resize", () => {
            Timeline.draw(trace);
            Timeline.mark(at);
        });
        document.addEventListener("keydown", key);
        addEventListener("hashchange", () => choose(location.hash.slice(1)));
        choose(location.hash.slice(1));
        if (typeof PtAvr !== "undefined") {
            byId("avr-part").hidden = false;
            byId("avr-more").addEventListener("toggle", () => PtAvr.mount(byId("avr")), {once: true});
        }
    }

    start();
    // What the tests use: they step and read as a reader does, without the questions.
    return {programs, choose, go, move, length: () => trace.steps.length, at: () => at, broken: () => broken,
        setSeed: (value) => {
            byId("seed").value = value;
            rerun();
        }};
})();
