// app.js - the controls: which program, which step, how fast
// SPDX-License-Identifier: MIT
"use strict";

const App = (() => {
    const {programs, others} = JSON.parse(byId("programs").textContent);
    let program = null, trace = null, at = 0, timer = 0, changes = {};
    let kinds = new Set(); // of steps that this run has
    const seed = () => Number(byId("seed").value);

    // --- steps ---

    const ENDS = {line: () => true, over: (step, from) => step.line && Picture.sameCall(step, from),
        opcode: (step) => step.k === "op" || step.k === "end" || step.k === "finish",
        turn: (step) => step.k === "turn" || step.k === "open" || step.k === "finish"};

    // The next step of a kind, from I on in a direction; it stops at a question that is open.
    function target(kind, direction) {
        let i = at;
        while (i + direction >= 0 && i + direction < trace.steps.length) {
            if (direction > 0 && Predict.open(i))
                break;
            i += direction;
            if (ENDS[kind](trace.steps[i], trace.steps[at]))
                return i;
        }
        return kind === "over" && !Predict.open(i) ? Math.max(0, Math.min(at + direction, trace.steps.length - 1)) : i;
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
        Address.keep(program.name, at + 1, seed(), changes);
    }

    function move(kind, direction) {
        pause();
        if (direction > 0 && Predict.open(at))
            byId("question").querySelector("button").focus();
        else
            go(target(kind, direction));
    }

    function buttons() {
        const blocked = Boolean(Predict.open(at)), last = at === trace.steps.length - 1;
        for (const button of document.querySelectorAll("[data-move]")) {
            const none = !/over$/.test(button.dataset.move) && !kinds.has(button.dataset.move.slice(1));
            button.disabled = none || (button.dataset.move.startsWith("-") ? at === 0 : last || blocked);
            button.title = none ? "no loop runs this program" : "";
        }
        byId("play").disabled = blocked;
        byId("play").textContent = timer ? "Pause" : last ? "Again" : "Run";
    }

    // --- running at a pace ---

    function pause() {
        clearInterval(timer);
        timer = 0;
        buttons();
    }

    function play() {
        if (timer) {
            pause();
            return;
        }
        if (at === trace.steps.length - 1)
            go(0);
        timer = setInterval(() => {
            go(target("line", 1));
            if (at === trace.steps.length - 1 || Predict.open(at))
                pause();
        }, 1000 / Number(byId("pace").value));
        buttons();
    }

    // --- invariants ---

    let broken = [], relevant = []; // of each check

    function checks() {
        byId("checks").replaceChildren(...Checks.all.flatMap((check, i) => {
            if (!relevant[i])
                return [];
            const holds = broken[i] < 0 || broken[i] > at;
            return [h(holds ? "li.holds" : "li.broken", null,
                h("span.verdict", null, holds ? "holds" : `broken at step ${broken[i] + 1}`), " ", check.name)];
        }));
    }

    // --- programs ---

    // A program that the reader has changed may not end: it runs in a worker, and its trace comes later.
    function rerun() {
        clearInterval(timer);
        timer = 0;
        const its = program;
        if (!its.edited)
            return shown(Machine.run(its, seed(), changes));
        return Edit.run(its, seed()).then((found) => program === its && shown(found));
    }

    function shown(found) {
        trace = found;
        kinds = new Set(["line", ...trace.steps.map((step) => ({op: "opcode", turn: "turn"})[step.k])]);
        Source.show(program, changes);
        broken = Checks.first(trace);
        relevant = Checks.all.map((check) => Checks.matters(check, trace));
        Picture.know(trace, program);
        Timeline.draw(trace, program);
        const some = Predict.prepare(trace, program, seed(),
            Boolean(program.edited) || Object.keys(changes).length > 0);
        byId("ask").disabled = !some;
        byId("ask").parentElement.title = some ? "" : "there is nothing to ask in this run";
        byId("position").max = trace.steps.length - 1;
        byId("reset").disabled = !Object.keys(changes).length;
        byId("seed-value").textContent = !program.orders ? "it has one order" :
            seed() ? seed() : "0, in order";
        byId("stopped").textContent = trace.stopped;
        byId("stopped").hidden = !trace.stopped;
        go(0);
    }

    // --- the numbers of a program ---

    const GROUPS = ["Tasks", "Capacities", "Rounds", "Delays", "Values"];

    // The nearest number that is possible.
    function possible(one, text) {
        const wanted = Math.round(Number(text));
        if (!String(text).trim() || !Number.isFinite(wanted) || one.values && !one.values.includes(wanted))
            return one.value;
        return Math.min(one.most, Math.max(one.least, wanted));
    }

    // The field shows the number that is used.
    function change(i, field) {
        const one = program.parameters[i], value = possible(one, field.value);
        field.value = value;
        delete changes[i];
        if (value !== one.value)
            changes[i] = value;
        rerun();
    }

    // A number in the source becomes a field; when it has changed, the program runs again.
    function editNumber(i, button) {
        const field = h("input", {type: "number", value: button.textContent, "aria-label": button.title});
        let left = false;
        const leave = () => {
            if (left)
                return;
            left = true;
            change(i, field);
            parameters();
            (document.querySelector(`#source [data-parameter="${i}"]`) || byId("source")).focus();
        };
        field.addEventListener("blur", leave);
        field.addEventListener("keydown", (event) => {
            if (event.key === "Enter" || event.key === "Escape") {
                field.value = event.key === "Enter" ? field.value : button.textContent;
                event.preventDefault();
                leave();
            }
        });
        button.replaceWith(field);
        field.select();
    }

    function parameter(one, i) {
        const id = `parameter-${i}`, onchange = (event) => change(i, event.currentTarget);
        const used = i in changes ? changes[i] : one.value;
        const field = one.values ? h("select", {id, onchange}, one.values.map((value) =>
            h("option", {value, selected: value === used}, value))) :
            h("input", {id, type: "number", min: one.least, max: one.most, value: used, onchange});
        return h("div.parameter", null, h("label", {for: id}, h("span.key", null, one.name),
            h("span.word", null, `line ${one.line}`)), h("span.entry-field", null, field, one.unit));
    }

    function parameters() {
        const all = program.parameters.map((one, i) => [one, i]);
        const groups = GROUPS.map((name) => [name, all.filter(([one]) => one.group === name)]);
        byId("parameters").replaceChildren(...groups.filter(([, its]) => its.length).map(([name, its]) =>
            h("fieldset", null, h("legend", null, name), its.map(([one, i]) => parameter(one, i)))));
        byId("parameters-part").hidden = !all.length;
    }

    function reset() {
        changes = {};
        parameters();
        rerun();
    }

    // What the page says of a name in the address that is none of its programs.
    function unknown(name) {
        const other = others.find((one) => one.name === name);
        return other ? `${name} is not in this page. ${other.reason}` : `There is no program "${name}" in this page.`;
    }

    // FROM: the step to begin with, from 1 on; ORDER: the seed; NUMBERS: other values of its numbers, by their places.
    // If there is no such program, another one is shown.
    function choose(name, from = 1, order = 0, numbers = {}) {
        const found = programs.find((one) => one.name === name);
        byId("unknown").textContent = found || !name ? "" : unknown(name);
        byId("unknown").hidden = Boolean(found || !name);
        if (program && !found)
            return;
        program = found || programs[0];
        changes = Object.fromEntries(program.parameters.flatMap((one, i) => {
            const value = found && i in numbers ? possible(one, numbers[i]) : one.value;
            return value === one.value ? [] : [[i, value]];
        }));
        byId("program").value = program.name;
        byId("seed").value = program.orders ? order : 0;
        byId("seed").disabled = !program.orders;
        Edit.close();
        byId("original").hidden = true;
        byId("file").textContent = program.path;
        byId("chapter").hidden = !program.chapter;
        byId("chapter").href = program.chapter || "index.html";
        document.title = `${program.title} - pt playground`;
        parameters();
        rerun();
        if (found && from > 1)
            go(from - 1);
    }

    // The reader has changed the program, or taken the change back.
    function became(next) {
        program = next;
        changes = {};
        byId("original").hidden = !next.edited;
        byId("file").textContent = next.path + (next.edited ? ", changed" : "");
        parameters();
        return rerun();
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
        n: ["over", 1], N: ["over", -1], t: ["turn", 1], T: ["turn", -1]};

    // Whether an element needs a key itself.
    function taken(element, key) {
        const arrow = /^(Arrow|Home|End|Page)/.test(key), type = element.type;
        return element.tagName === "SELECT" ||
            element.tagName === "INPUT" && (type === "range" ? arrow : type !== "checkbox") ||
            arrow && /^(source|output)$/.test(element.id);
    }

    function key(event) {
        if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || taken(event.target, event.key))
            return;
        const found = KEYS[event.key], choices = byId("question").hidden ? [] :
            byId("question").querySelectorAll("button");
        if (/^[1-9]$/.test(event.key) && choices[event.key - 1]) {
            choices[event.key - 1].click();
        } else if (found) {
            event.preventDefault();
            move(...found);
        } else if (event.key === "r" && !byId("play").disabled) {
            play();
        } else if (event.key === "Home" || event.key === "End") {
            pause();
            go(event.key === "Home" ? 0 : trace.steps.length - 1);
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
            choose(byId("program").value);
        });
        byId("seed").addEventListener("input", rerun);
        byId("reset").addEventListener("click", reset);
        byId("source").addEventListener("click", ({target}) => {
            if (target.dataset.parameter) {
                pause();
                editNumber(Number(target.dataset.parameter), target);
            }
        });
        Edit.prepare();
        byId("edit").addEventListener("click", () => {
            pause();
            Edit.open(program, Source.whole(), became);
        });
        byId("original").addEventListener("click", () => choose(program.name));
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
            Timeline.draw(trace, program);
            Timeline.mark(at);
        });
        document.addEventListener("keydown", key);
        addEventListener("hashchange", (event) => {
            const {name, step, order, numbers} = Address.read(new URL(event.newURL)); // it may have been replaced since
            if (name !== program.name || step !== at + 1 || order !== seed() ||
                JSON.stringify(numbers) !== JSON.stringify(changes))
                choose(name, step, order, numbers);
        });
        // A link inside the page keeps the program's name in the address.
        for (const link of document.querySelectorAll('nav a[href^="#"], a.skip'))
            link.addEventListener("click", (event) => {
                event.preventDefault();
                const part = document.querySelector(link.getAttribute("href"));
                part.tabIndex = -1;
                part.focus();
                part.scrollIntoView();
            });
        byId("forget").addEventListener("click", () => {
            Predict.forget();
            go(at);
        });
        byId("timeline").addEventListener("click", (event) => {
            const {left, width} = byId("timeline").getBoundingClientRect();
            pause();
            go(Math.round((event.clientX - left) / width * (trace.steps.length - 1)));
        });
        const {name, step, order, numbers, embedded} = Address.read();
        if (embedded) {
            document.body.classList.add("embedded");
            byId("ask").checked = false;
        }
        Terms.explain(document);
        choose(name, step, order, numbers);
    }

    start();
    // What the tests use: they step and read as a reader does, without the questions.
    return {programs, choose, go, move, length: () => trace.steps.length, at: () => at, broken: () => broken,
        setSeed: (value) => {
            byId("seed").value = value;
            rerun();
        }};
})();
