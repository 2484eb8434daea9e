// picture.js - draws one step: the clock, the queues, the tasks and their frames, what they wait for
// SPDX-License-Identifier: MIT
"use strict";

const Picture = (() => {
    let names = new Map(); // of the tasks of this trace
    let functions = [], head = ""; // of this program: [name, [first line, last line]]; what is in a struct pt

    // --- pieces ---

    // What a task is called: its name, its number, and what its field `name` says.
    function know(trace, program) {
        names = new Map();
        functions = Object.entries(program.functions);
        head = program.head;
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
        return h(`span.chip.${hueOf(id)}`, {title: called(id)}, `${known.own || known.name} `, h("b", null, `#${id}`));
    }

    const chips = (ids, none) => ids.length ? ids.map((id) => chip(id)) : [h("span.none", null, none)];

    // --- the loop ---

    // An array as a tree: entry I has WAYS children, from WAYS * I + 1 on.
    function heap({timers, ways}) {
        if (!timers.length)
            return h("p.none", null, "empty: no task waits for a time");
        const node = (i) => {
            const inner = timers.map((_, k) => k).filter((k) => k > ways * i && k <= ways * i + ways);
            return h("li.node", null, h("span.entry", null, h("span.at", null, timers[i][1]), " ", chip(timers[i][0])),
                inner.length ? h("ul", null, inner.map(node)) : null);
        };
        return h("ul.heap", {"data-ways": ways}, node(0));
    }

    function queue(loop) {
        const part = (word, name, ids, none) => h("span.part", null, h("span.word", null, word),
            h(`span.${name}`, null, chips(ids, none)));
        return h("div.queue", null, part("this turn", "turn", loop.ready.slice(0, loop.left), "none"),
            part("next turn", "later", loop.ready.slice(loop.left), "none"));
    }

    function machine(loop, many) {
        const clock = "now" in loop;
        return h("div.loop", {"data-loop": loop.id},
            many ? h("h3", null, `Loop ${loop.id}`) : null,
            h("dl.registers", null,
                clock ? h("div.clock", null, h("dt", null, "Clock"), h("dd.now", null, loop.now)) : null,
                h("div.runs", null, h("dt", null, "Runs"), h("dd.current", null,
                    loop.current ? chip(loop.current) : h("span.none", null, "no task")))),
            h("h3", null, "Ready queue"), queue(loop),
            h("h3", null, "Timers"),
            clock ? heap(loop) : h("p.none", null, "This loop has no clock and no timers yet: chapter 5 adds them."));
    }

    // --- frames as memory ---

    // Pairs of hexadecimal digits of a field, those that have changed marked.
    function bytes(frame, from, size, old) {
        const hex = (one) => one.bytes.slice(2 * from, 2 * (from + size));
        const now = hex(frame), was = old && hex(old);
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
            bytes(frame, field.o, field.s, old), h("th.key", {scope: "row"}, field.n),
            h("td.value", null, shown(field.v)));
    }

    // RUNS: it is the frame of the function that runs; AT: it is at its line now.
    function frameOf(frame, old, runs, at) {
        const fields = frame.fields || [], first = Math.min(frame.size, ...fields.map((field) => field.o));
        return h(runs ? "div.frame.active" : "div.frame", null,
            h("div.head", null, h("span.fn", null, frame.fn),
                h("span.label", null, `label ${frame.label}`),
                frame.line ? h("span.site", null, `${at ? "at" : "continues at"} line ${frame.line}`) : null,
                h("span.status", null, frame.status),
                frame.size ? h("span.size", null, `${frame.size} bytes at ${frame.at.toString(16)}`) : null),
            frame.size ? h("table", null,
                h("caption.unseen", null, `The memory of the frame of ${frame.fn}`),
                h("tbody", null,
                    h("tr.pt", null, h("td.offset", null, "+0"), bytes(frame, 0, first, old),
                        h("th", {scope: "row"}, "struct pt"), h("td", null, head)),
                    fields.map((field) => row(frame, field, old)))) : null);
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

    function taskCard(task, before, running, step) {
        const was = before && before.tasks.find((one) => one.id === task.id);
        const old = (frame) => was && was.frames.find((one) => one.at === frame.at && one.fn === frame.fn);
        const kind = `article.task.${hueOf(task.id)}${running ? ".running" : ""}`;
        return h(kind, {"data-task": task.id, "aria-label": called(task.id)},
            h("header", null, chip(task.id), h("span.doing", null, state(task)),
                task.parent ? h("span.parent", null, "in the group of ", chip(task.parent)) : null),
            h("div.frames", null, task.frames.map((frame, i) =>
                frameOf(frame, old(frame), running && !i, running && !i && step.k === "line"))));
    }

    // --- what tasks wait for ---

    function object(one) {
        return h("article.object", {"data-object": one.name, "aria-label": `${one.kind} ${one.name}`},
            h("header", null, h("span.key", null, one.name), " ", h("span.kind", null, one.kind)),
            h("div.sides", null, one.sides.map(([side, ids]) => h("span.side", null,
                h("span.word", null, side), h("span.who", null, chips(ids, "none"))))),
            one.items ? h("ol.items", {"aria-label": "values, the oldest first"},
                one.items.map((value) => h("li", null, value))) : null,
            one.facts.length ? h("span.facts", null, one.facts.map(fact)) : null);
    }

    const fact = ([name, value], i) => [i ? " " : "", h("span.fact", null, h("span.word", null, name), " ",
        h("span.value", null, named(value)))];

    function named(value) {
        const found = /^-> task (\d+)$/.exec(value);
        return found ? chip(Number(found[1])) : value === "NULL" ? "no task" : value;
    }

    // The stack in the lesson of the lost local. The local gets the value 42.
    function stack(step, trace, i) {
        const its = step.stack;
        if (!its)
            return [];
        const had = trace.steps.slice(0, i + 1).some((one) => one.stack && one.stack.words[8] === 42);
        const verdict = its.words[8] === 42 ? "It holds 42. Nothing keeps it there once the function has returned." :
            had ? "The value 42 is gone: another function has used this memory." : "It has no value yet.";
        return [h("p", null, "The memory around ", h("code", null, its.name), ", a local. ",
            h("strong.verdict", null, verdict)),
            h("ol.words", null, its.words.map((word, k) => h(k === 8 ? "li.word-of-local" : "li", null,
                h("span.address", null, k === 8 ? its.name : ""), h("code", null, word))))];
    }

    // A frame that no task runs: a generator's, or one in a program without tasks.
    function aloneCard(frame, trace, i) {
        const before = trace.steps[i - 1], runs = frame.line && frame.line === trace.steps[i].line;
        const old = before && before.alone.find((one) => one.at === frame.at && one.fn === frame.fn);
        return h("article.task.alone", null, h("header", null, h("span.doing", null, trace.loops ?
            "a frame that no loop runs" : "a frame")),
        h("div.frames", null, frameOf(frame, old, runs, runs)));
    }

    function cards(trace, i) {
        const step = trace.steps[i], before = trace.steps[i - 1];
        const old = (loop) => before && before.loops.find((one) => one.id === loop.id);
        const all = step.loops.flatMap((loop) => loop.tasks.map((task) =>
            taskCard(task, old(loop), task.id === loop.current, step)))
            .concat(step.alone.map((frame) => aloneCard(frame, trace, i)));
        const none = !trace.frames ? "This program has no frames." :
            step.ended.length ? "All tasks have ended." : "No task has started yet.";
        return all.length ? all : [h("p.none", null, none)];
    }

    // draw - draw step I of a trace
    function draw(trace, i) {
        const step = trace.steps[i];
        Source.mark(step);
        byId("machine").replaceChildren(...step.loops.length ?
            step.loops.map((loop) => machine(loop, step.loops.length > 1)) :
            [h("p.none", null, trace.loops ? "No loop is open." :
                "This program has no loop: main calls its functions.")]);
        byId("tasks").replaceChildren(...cards(trace, i));
        byId("ended").replaceChildren(...step.ended.length ? step.ended.map(([id, , status]) =>
            h("li", null, chip(id), " ", h("span.status", null, status))) : [h("li.none", null, "none yet")]);
        byId("objects").replaceChildren(...step.objects.map(object));
        byId("checks-part").hidden = byId("ended-part").hidden = !trace.loops;
        byId("objects-part").hidden = !step.objects.length;
        byId("stack").replaceChildren(...stack(step, trace, i));
        byId("stack-part").hidden = !step.stack;
        byId("output").textContent = trace.output.slice(0, step.out) || " ";
        if (!Picture.silent) // a scroll lays out the whole page
            byId("output").scrollTop = byId("output").scrollHeight;
        byId("said").textContent = sentence(trace, i);
        Terms.explain(byId("picture"));
    }

    // --- the step in words ---

    const functionAt = (line) =>
        (functions.find(([, [first, last]]) => first <= line && line <= last) || ["main"])[0];
    const taskIn = (step, id) => step.loops.flatMap((loop) => loop.tasks).find((task) => task.id === id);

    // A function of a task: the outermost one is called as the task is.
    const within = (name, task) => task.frames[task.frames.length - 1].fn === name ? called(task.id) :
        `${name} of ${called(task.id)}`;

    // What the next line belongs to: a task, a function that a task calls, or a function without a task.
    function place(step) {
        const name = functionAt(step.line), task = taskIn(step, step.task);
        if (!task)
            return name;
        const own = task.frames.some((frame) => frame.fn === name);
        return own ? within(name, task) : `${name}, called by ${called(task.id)}`;
    }

    // A task runs: from the ready queue, at its time, or at once after what it has returned.
    function resumed(step, before) {
        const who = called(step.task), loop = step.loops.find((one) => one.current === step.task);
        const old = before && loop && before.loops.find((one) => one.id === loop.id);
        const frame = (taskIn(step, step.task) || {frames: []}).frames[0];
        if (old && before.k === "op" && before.task === step.task && !old.ready.includes(step.task)) {
            const what = before.op.replace(/^PT_OP_/, "");
            return what === "WAIT_COMPLETE" ? `${who} is in ${frame.fn} now, the function that it awaits.` :
                what === "DONE" ? `${who} is in ${frame.fn} again, which awaited that function.` :
                    `${who} continues at once.`;
        }
        const timer = old && (old.timers || []).some(([id]) => id === step.task);
        if (timer && !(loop.timers || []).some(([id]) => id === step.task))
            return `The clock shows ${loop.now}: the time of ${who} has come. The loop resumes it.`;
        return old && old.ready.includes(step.task) ? `The loop takes ${who} from the ready queue, and resumes it.` :
            `The loop resumes ${who}.`;
    }

    function returned(step) {
        const what = step.op.replace(/^PT_OP_/, ""), task = taskIn(step, step.task);
        const ready = step.loops.some((loop) => loop.ready.includes(step.task));
        const until = task && task.until ? `, or until ${task.until}` : "";
        const words = {
            YIELD: "the task goes to the end of the ready queue.",
            WAIT: "the task goes into the heap of timers.",
            PARK: ready ? "a wake has come before, so the task stays ready." :
                `the task does not run again until something wakes it${until}.`,
            SPAWN: "the new task joins the ready queue, and this task continues at once.",
            WAIT_COMPLETE: "the awaited function now runs in its place.",
            AWAIT: "the awaited function now runs in its place.",
            DONE: "the function is done.",
            true: "the function is not at its end.",
            false: "the function is at its end.",
        };
        const who = task && task.frames.length ? within(task.frames[0].fn, task) : called(step.task);
        return `${who} returned ${what}${words[what] ? `: ${words[what]}` : "."}`;
    }

    // sentence - step I in words
    function sentence(trace, i) {
        const step = trace.steps[i], who = step.task ? called(step.task) : "";
        switch (step.k) {
        case "open": return "A loop is open. It has no tasks yet.";
        case "close": return "The loop is closed.";
        case "resume": return resumed(step, trace.steps[i - 1]);
        case "op": return returned(step);
        case "end": return `${who} has ended${step.op ? ` with ${step.op}` : ""}.`;
        case "turn": return "The turn is over. Each task that was ready at its start has run once.";
        case "finish": return trace.stopped ? "The page has stopped the program here." : "The program has ended.";
        default: return `Next: line ${step.line}, in ${place(step)}.`;
        }
    }

    // Whether two steps are in the same function of the same task.
    const sameCall = (one, other) => one.task === other.task && functionAt(one.line) === functionAt(other.line);

    return {know, draw, called, chip, sentence, sameCall, silent: false};
})();
