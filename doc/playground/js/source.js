// source.js - the program's text, and the lines where its tasks are
// SPDX-License-Identifier: MIT
"use strict";

const Source = (() => {
    const KEYWORDS = new Set(("break case const continue default do else enum for if return sizeof static struct " +
        "switch typedef union unsigned void while int char bool long double").split(" "));
    const WORDS = /(\/\*[\s\S]*?\*\/|\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*")|(\bPT_\w+)|([A-Za-z_]\w*)|([\s\S])/g;
    let texts = []; // of the lines

    function coloured(text) {
        const parts = [];
        for (const [whole, comment, string, macro, word] of text.matchAll(WORDS)) {
            const kind = comment ? "comment" : string ? "string" : macro ? "macro" :
                KEYWORDS.has(word) ? "keyword" : "";
            const last = parts[parts.length - 1];
            if (last && last.kind === kind)
                last.text += whole;
            else
                parts.push({kind, text: whole});
        }
        return parts;
    }

    // The source with the numbers that the reader has changed; `numbers`: where in each line a number can be changed.
    function changed(program, changes) {
        const lines = program.source.replace(/\n$/, "").split("\n"), numbers = lines.map(() => []);
        const usedBy = (one, i) => String(i in changes ? changes[i] : one.value);
        const places = program.parameters.map((one, i) => ({...one, i, used: usedBy(one, i)}));
        for (const {line, column, value, used, i} of places.sort((a, b) => b.column - a.column)) {
            const old = lines[line - 1], longer = used.length - String(value).length;
            lines[line - 1] = old.slice(0, column) + used + old.slice(column + String(value).length);
            for (const other of numbers[line - 1])
                other.from += longer;
            numbers[line - 1].unshift({i, from: column, size: used.length});
        }
        return {lines, numbers};
    }

    // A piece of a line from a column on, in which numbers can be changed.
    function pieces(text, from, numbers, program) {
        const parts = [];
        let at = from;
        for (const one of numbers.filter((its) => its.from >= from && its.from + its.size <= from + text.length)) {
            const {name, unit} = program.parameters[one.i];
            parts.push(text.slice(at - from, one.from - from), h("button.number", {type: "button",
                title: `Change it: ${name}${unit && `, in${unit}`}`, "data-parameter": one.i},
            text.slice(one.from - from, one.from - from + one.size)));
            at = one.from + one.size;
        }
        return [...parts, text.slice(at - from)];
    }

    // The source as lines that can be marked. A comment may span lines.
    function show(program, changes) {
        const lines = [[]], edited = new Set(Object.keys(changes).map((i) => program.parameters[i].line));
        const {lines: all, numbers} = changed(program, changes);
        let column = 0;
        texts = all;
        for (const {kind, text} of coloured(texts.join("\n"))) {
            text.split("\n").forEach((piece, i) => {
                if (i) {
                    lines.push([]);
                    column = 0;
                }
                const parts = pieces(piece, column, numbers[lines.length - 1], program);
                column += piece.length;
                if (piece)
                    lines[lines.length - 1].push(...kind ? [h(`span.${kind}`, null, parts)] : parts);
            });
        }
        byId("source").replaceChildren(...lines.map((parts, i) =>
            h(edited.has(i + 1) ? "li.line.edited" : "li.line", {id: `line-${i + 1}`, "data-line": i + 1},
                h("code", null, parts.length ? parts : " "), edited.has(i + 1) ? h("span.word", null, "changed") : null,
                h("span.here", null))));
    }

    function mark(step) {
        const list = byId("source");
        for (const old of list.querySelectorAll(".now, .waits")) {
            old.classList.remove("now", "waits");
            old.removeAttribute("aria-current");
            old.querySelector(".here").replaceChildren();
        }
        const set = (line, kind, task) => {
            const element = line && byId(`line-${line}`);
            if (!element)
                return;
            element.classList.add(kind);
            const here = element.querySelector(".here");
            if (task && here.childElementCount < 5)
                here.append(Picture.chip(task));
        };
        for (const loop of step.loops)
            for (const task of loop.tasks)
                task.frames.forEach((frame) => frame.line !== step.line && set(frame.line, "waits", task.id));
        if (step.line) {
            set(step.line, "now", step.task);
            byId(`line-${step.line}`).setAttribute("aria-current", "step");
            reveal(byId(`line-${step.line}`));
        } else {
            const task = step.loops.flatMap((loop) => loop.tasks).find((one) => one.id === step.task);
            const line = task && task.frames[0] && byId(`line-${task.frames[0].line}`);
            if (line)
                reveal(line);
        }
    }

    // Scroll the source so that a line can be seen, and nothing else.
    function reveal(line) {
        const box = byId("source");
        if (Picture.silent || !box.clientHeight)
            return;
        const top = line.offsetTop;
        if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60)
            box.scrollTop = top - box.clientHeight / 3;
    }

    return {show, mark, text: (line) => texts[line - 1], whole: () => `${texts.join("\n")}\n`};
})();
