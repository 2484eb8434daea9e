// read.js - reads the picture back from the page's elements; canon.py makes the same of a trace
// SPDX-License-Identifier: MIT
"use strict";

const Read = (() => {
    const texts = (root, what) => [...root.querySelectorAll(what)].map((element) => element.textContent);
    const text = (root, what) => (root.querySelector(what) || {textContent: ""}).textContent;
    const number = (element) => Number(element.textContent.slice(1)); // behind a #
    const ids = (root) => [...root.querySelectorAll(".chip > b")].map(number);

    function frame(root) {
        return {fn: text(root, ".fn"), label: text(root, ".label"), line: text(root, ".site"),
            status: text(root, ".status"),
            fields: [...root.querySelectorAll(".field")].map((row) => [text(row, ".key"), text(row, ".value")])};
    }

    const frames = (root) => [...root.querySelectorAll(".frame")].map(frame);

    // The heap as an array again: with W ways, the children of entry I are W * I + 1 and so on.
    function heap(root) {
        const found = [], tree = root.querySelector(".heap");
        const visit = (node, i) => {
            const entry = node.querySelector(":scope > .entry");
            found[i] = [ids(entry)[0], text(entry, ".at")];
            [...node.querySelectorAll(":scope > ul > .node")].forEach((child, k) =>
                visit(child, Number(tree.dataset.ways) * i + 1 + k));
        };
        if (tree)
            visit(tree.querySelector(".node"), 0);
        return found;
    }

    const loop = (root) => ({now: text(root, ".now"), current: ids(root.querySelector(".current"))[0] || 0,
        turn: ids(root.querySelector(".turn")), later: ids(root.querySelector(".later")), timers: heap(root)});

    const task = (root) => ({id: number(root.querySelector("header > .chip > b")),
        doing: text(root, ".doing"),
        parent: ids(root.querySelector(".parent") || root.querySelector(".doing"))[0] || 0, frames: frames(root)});

    const fact = (root) => {
        const id = ids(root)[0];
        return [text(root, ".word"), id ? `-> task ${id}` : text(root, ".value")];
    };

    const object = (root) => ({name: text(root, ".key"), kind: text(root, ".kind"),
        sides: [...root.querySelectorAll(".side")].map((side) => [text(side, ".word"), ids(side)]),
        items: texts(root, ".items > li"), facts: [...root.querySelectorAll(".fact")].map(fact)});

    // state - what the page shows now
    function state() {
        const line = document.querySelector(".line.now");
        return {line: line ? Number(line.dataset.line) : 0,
            loops: [...document.querySelectorAll("#machine > .loop")].map(loop),
            tasks: [...document.querySelectorAll("#tasks > [data-task]")].map(task),
            alone: [...document.querySelectorAll("#tasks > .alone")].flatMap(frames),
            objects: [...document.querySelectorAll("#objects > .object")].map(object),
            ended: [...document.querySelectorAll("#ended > li:not(.none)")].map((one) =>
                [ids(one)[0], text(one, ".status")]),
            output: document.getElementById("output").textContent};
    }

    // forth - the states of all steps of a program. WHERE: only those of opcodes, and the last
    function forth(name, seed, opcodes) {
        Picture.silent = true;
        document.getElementById("ask").checked = false;
        App.choose(name);
        if (seed)
            App.setSeed(seed);
        const states = [state()];
        while (App.at() < App.length() - 1) {
            App.move(opcodes ? "opcode" : "line", 1);
            states.push(state());
        }
        return states;
    }

    // back - the number of steps whose state differs on the way back from that on the way forth
    function back(states) {
        let differ = 0;
        for (let i = states.length - 1; i >= 0; i--) {
            differ += JSON.stringify(state()) !== JSON.stringify(states[i]);
            if (i)
                App.move("line", -1);
        }
        return differ;
    }

    // changed - the last state of a program with another number
    function changed(name, number, value) {
        Picture.silent = true;
        document.getElementById("ask").checked = false;
        App.choose(name);
        const field = document.getElementById(`parameter-${number}`);
        field.value = value;
        field.dispatchEvent(new Event("change"));
        App.go(App.length() - 1);
        return state();
    }

    return {state, forth, back, changed};
})();
