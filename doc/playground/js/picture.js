// picture.js - draws one step: the source, the clock, the queues, the tasks and their frames, what they wait for
// SPDX-License-Identifier: MIT
"use strict";

const Picture = (() => {
    const KEYWORDS = new Set(("break case const continue default do else enum for if return sizeof static struct switch " +
        "typedef union unsigned void while int char bool long double").split(" "));
    const WORDS = /(\/\*[\s\S]*?\*\/|\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*")|(\bPT_\w+)|([A-Za-z_]\w*)|([\s\S])/g;
    let names = new Map(); // of the tasks of this trace

    // --- the source ---

    function coloured(text) {
        const parts = [];
        for (const [whole, comment, string, macro, word] of text.matchAll(WORDS)) {
            const kind = comment ? "comment" : string ? "string" : macro ? "macro" : KEYWORDS.has(word) ? "keyword" : "";
            const last = parts[parts.length - 1];
            if (last && last.kind === kind)
                last.text += whole;
            else
                parts.push({kind, text: whole});
        }
        return parts;
    }

    // The source as lines that can be marked. A comment may span lines.
    function source(program) {
        const lines = [[]];
        for (const {kind, text} of coloured(program.source.replace(/\n$/, ""))) {
            text.split("\n").forEach((piece, i) => {
                if (i)
                    lines.push([]);
                if (piece)
                    lines[lines.length - 1].push(kind ? h(`span.${kind}`, null, piece) : piece);
            });
        }
        byId("source").replaceChildren(...lines.map((parts, i) =>
            h("li.line", {id: `line-${i + 1}`, "data-line": i + 1}, h("code", null, parts.length ? parts : " "),
                h("span.here", null))));
    }

    function markLines(step) {
        const list = byId("source");
        for (const old of list.querySelectorAll(".now, .waits")) {
            old.classList.remove("now", "waits");
            old.removeAttribute("aria-current");
            old.querySelector(".here").replaceChildren();
        }
        const mark = (line, kind, task) => {
            const element = line && byId(`line-${line}`);
            if (!element)
                return;
            element.classList.add(kind);
            const here = element.querySelector(".here");
            if (task && here.childElementCount < 5)
                here.append(chip(task));
        };
        for (const loop of step.loops)
            for (const task of loop.tasks)
                task.frames.forEach((frame) => frame.line !== step.line && mark(frame.line, "waits", task.id));
        if (step.line) {
            mark(step.line, "now", step.task);
            byId(`line-${step.line}`).setAttribute("aria-current", "step");
            reveal(byId(`line-${step.line}`));
        }
    }

    // Scroll the source so that a line can be seen, and nothing else.
    function reveal(line) {
        const box = byId("source");
        if (!box.clientHeight || Picture.silent)
            return;
        const top = line.offsetTop;
        if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60)
            box.scrollTop = top - box.clientHeight / 3;
    }

    // --- pieces ---

    // What a task is called: its name, its number, and what its field `name` says.
    function know(trace) {
        names = new Map();
        for (const step of trace.steps)
            for (const loop of step.loops)
                for (const task of loop.tasks)
                    if (!names.has(task.id) || !names.get(task.id).own)
                        names.set(task.id, {name: task.name, own: ownName(task)});
        for (const step of trace.steps)
            for (const [id, name] of step.ended)
                if (!names.has(id))
                    names.set(id, {name, own: ""});
    }

    function ownName(task) {
        const base = task.frames[task.frames.length - 1];
        const field = base && (base.fields || []).find((one) => one.n === "name");
        return field && /^"/.test(field.v) ? field.v.slice(1, -1).trim() : "";
    }

    function called(id) {
        const known = names.get(id) || {name: "task", own: ""};
        return known.own ? `${known.name} ${id}, ${known.own}` : `${known.name} ${id}`;
    }

    function chip(id) {
        const known = names.get(id) || {name: "task", own: ""};
        return h(`span.chip.${hueOf(id)}`, {title: called(id)}, `${known.own || known.name} `, h("b", null, id));
    }

    const chips = (ids, none) => ids.length ? ids.map((id) => chip(id)) : [h("span.none", null, none)];

    // --- the loop ---

    function heap(loop) {
        const node = (i) => h("li.node", null, h("span.entry", null, h("span.at", null, loop.timers[i][1]), " ",
            chip(loop.timers[i][0])), children(i));
        const children = (i) => {
            const inner = [1, 2, 3, 4].map((k) => 4 * i + k).filter((k) => k < loop.timers.length);
            return inner.length ? h("ul", null, inner.map(node)) : null;
        };
        return loop.timers.length ? h("ul.heap", null, node(0)) : h("p.none", null, "no timer");
    }

    function queue(loop) {
        const turn = loop.ready.slice(0, loop.left), later = loop.ready.slice(loop.left);
        return h("div.queue", null,
            h("span.part", null, h("span.word", null, "this turn"), h("span.turn", null, chips(turn, "none"))),
            h("span.part", null, h("span.word", null, "next turn"), h("span.later", null, chips(later, "none"))));
    }

    function machine(loop, many) {
        return h("div.loop", {"data-loop": loop.id},
            many ? h("h3", null, `Loop ${loop.id}`) : null,
            h("dl.registers", null,
                h("div.clock", null, h("dt", null, "Clock"), h("dd.now", null, loop.now)),
                h("div.runs", null, h("dt", null, "Runs"), h("dd.current", null,
                    loop.current ? chip(loop.current) : h("span.none", null, "no task")))),
            h("h3", null, "Run queue"), queue(loop),
            h("h3", null, "Timer heap"), heap(loop));
    }

    // --- frames as memory ---

    // Pairs of hexadecimal digits of a field, those that have changed marked.
    function bytes(frame, from, size, old) {
        const now = frame.bytes.slice(2 * from, 2 * (from + size)), was = old && old.bytes.slice(2 * from, 2 * (from + size));
        const pairs = (now.match(/../g) || []).slice(0, 16);
        return h("td.bytes", null, pairs.map((pair, i) => was && was.slice(2 * i, 2 * i + 2) !== pair ?
            h("mark", null, pair) : h("span", null, pair)).flatMap((span, i) => i ? [" ", span] : [span]),
        2 * 16 < now.length ? " .." : "");
    }

    const shown = (value) => Array.isArray(value) ? `{${value.join(", ")}}` : value;

    function row(frame, field, old) {
        const was = old && (old.fields || []).find((one) => one.n === field.n);
        const changed = was && shown(was.v) !== shown(field.v);
        return h(changed ? "tr.field.changed" : "tr.field", null, h("td.offset", null, `+${field.o}`),
            bytes(frame, field.o, field.s, old), h("th.key", {scope: "row"}, field.n), h("td.value", null, shown(field.v)));
    }

    function frameOf(frame, old, runs) {
        const first = frame.fields && frame.fields.length ? Math.min(...frame.fields.map((field) => field.o)) : frame.size;
        return h(runs ? "div.frame.active" : "div.frame", null,
            h("div.head", null, h("span.fn", null, frame.fn), h("span.label", {title: "where it continues"}, `label ${frame.label}`),
                frame.line ? h("span.site", null, `line ${frame.line}`) : null,
                h("span.status", null, frame.status),
                frame.size ? h("span.size", null, `${frame.size} bytes at ${frame.at.toString(16)}`) : null),
            frame.size ? h("table", null,
                h("caption.unseen", null, `The memory of the frame of ${frame.fn}`),
                h("tbody", null,
                    h("tr.pt", null, h("td.offset", null, "+0"), bytes(frame, 0, first, old),
                        h("th", {scope: "row"}, "struct pt"), h("td", null, "function, caller, label, status")),
                    frame.fields.map((field) => row(frame, field, old)))) : null);
    }

    function state(task) {
        const words = [task.doing];
        if (task.until)
            words.push(`until ${task.until}`);
        if (task.paused)
            words.push("paused");
        if (task.canceled)
            words.push("canceled");
        return words.join(", ");
    }

    function taskCard(task, before, running) {
        const was = before && before.tasks.find((one) => one.id === task.id);
        const old = (frame) => was && was.frames.find((one) => one.at === frame.at && one.fn === frame.fn);
        return h(`article.task.${hueOf(task.id)}${running ? ".running" : ""}`, {"data-task": task.id, "aria-label": called(task.id)},
            h("header", null, chip(task.id), h("span.doing", null, state(task)),
                task.parent ? h("span.parent", null, "in the group of ", chip(task.parent)) : null),
            h("div.frames", null, task.frames.map((frame, i) => frameOf(frame, old(frame), running && !i))));
    }

    // --- what tasks wait for ---

    function object(one) {
        return h("article.object", {"data-object": one.name, "aria-label": `${one.kind} ${one.name}`},
            h("header", null, h("span.key", null, one.name), " ", h("span.kind", null, one.kind)),
            h("div.sides", null, one.sides.map(([side, ids]) => h("span.side", null,
                h("span.word", null, side), h("span.who", null, chips(ids, "none"))))),
            one.items ? h("ol.items", {"aria-label": "values, the oldest first"}, one.items.map((value) => h("li", null, value))) : null,
            one.facts.length ? h("span.facts", null, one.facts.map(([name, value], i) =>
                [i ? " " : "", h("span.fact", null, h("span.word", null, name), " ", h("span.value", null, named(value)))])) : null);
    }

    function named(value) {
        const found = /^-> task (\d+)$/.exec(value);
        return found ? chip(Number(found[1])) : value === "NULL" ? "nobody" : value;
    }

    // The stack in the lesson of the lost local. The local gets the value 42.
    function stack(step, trace, i) {
        const its = step.stack;
        if (!its)
            return [];
        const had = trace.steps.slice(0, i + 1).some((one) => one.stack && one.stack.words[8] === 42);
        const verdict = its.words[8] === 42 ? "It holds 42. Nothing keeps it there once the function has returned." :
            had ? "The value 42 is gone: another function has used this memory." : "It has no value yet.";
        return [h("p", null, "The memory around ", h("code", null, its.name), ", a local. ", h("strong.verdict", null, verdict)),
            h("ol.words", null, its.words.map((word, k) => h(k === 8 ? "li.word-of-local" : "li", null,
                h("span.address", null, k === 8 ? its.name : ""), h("code", null, word))))];
    }

    // draw - draw step I of a trace
    function draw(trace, i) {
        const step = trace.steps[i], before = trace.steps[i - 1];
        const old = (loop) => before && before.loops.find((one) => one.id === loop.id);
        markLines(step);
        byId("machine").replaceChildren(...step.loops.length ? step.loops.map((loop) => machine(loop, step.loops.length > 1)) :
            [h("p.none", null, "No loop is open.")]);
        byId("tasks").replaceChildren(...step.loops.flatMap((loop) => loop.tasks.map((task) =>
            taskCard(task, old(loop), task.id === loop.current))),
        ...step.alone.map((frame) => h("article.task.alone", null, h("header", null,
            h("span.doing", null, trace.loops ? "a frame that no loop runs" : "a frame")), h("div.frames", null, frameOf(frame, null, false)))));
        byId("ended").replaceChildren(...step.ended.length ? step.ended.map(([id, , status]) =>
            h("li", null, chip(id), " ", h("span.status", null, status))) : [h("li.none", null, "none yet")]);
        byId("objects").replaceChildren(...step.objects.map(object));
        byId("loop-part").hidden = byId("checks-part").hidden = byId("ended-part").hidden = !trace.loops;
        byId("objects-part").hidden = !step.objects.length;
        byId("stack").replaceChildren(...stack(step, trace, i));
        byId("stack-part").hidden = !step.stack;
        byId("output").textContent = trace.output.slice(0, step.out) || " ";
        byId("output").scrollTop = Picture.silent ? 0 : byId("output").scrollHeight;
        byId("said").textContent = sentence(step);
    }

    // sentence - the step in words
    function sentence(step) {
        const who = step.task ? called(step.task) : "main";
        switch (step.k) {
        case "open": return "A loop is open. It has no tasks yet.";
        case "close": return "The loop is closed.";
        case "resume": return `The loop takes ${who} from the run queue, and resumes it.`;
        case "op": return opcode(who, step);
        case "end": return `${who} has ended with ${step.op}.`;
        case "turn": return "The turn is over. Each task that was ready at its start has run once.";
        case "finish": return "The program has ended.";
        default: return `Next: line ${step.line}, in ${who}.`;
        }
    }

    function opcode(who, step) {
        const words = {
            YIELD: "returned YIELD: it goes to the back of the run queue.",
            WAIT: "returned WAIT: it goes into the timer heap.",
            PARK: "returned PARK: it leaves the run queue until something wakes it.",
            SPAWN: "returned SPAWN: the new task joins the run queue, and this task goes on at once.",
            WAIT_COMPLETE: "returned WAIT_COMPLETE: the awaited frame now runs in its place.",
            DONE: "returned DONE: the frame is complete.",
        };
        return `${who} ${words[step.op.replace(/^PT_OP_/, "")] || `returned ${step.op}.`}`;
    }

    return {source, know, draw, called, chip, sentence, silent: false};
})();
