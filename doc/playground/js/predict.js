// predict.js - asks what comes next, before the page shows it
// SPDX-License-Identifier: MIT
//
// Questions come from the trace: which task a loop resumes next, where there is a choice; and at which line a task
// continues. The page explains a wrong answer by the state at that step. It keeps the progress in
// localStorage, where the browser allows that.
"use strict";

const Predict = (() => {
    const MOST = 6; // questions in one run
    const KEY = "pt-playground-answers";
    let questions = new Map(), answered = new Set(), program = null, seed = 0, own = false, asked = null;
    let kept = load(); // of each program, by seed and step: whether the first answer was right

    // What the browser has kept, as far as it can be true.
    function load() {
        const good = {};
        try {
            const found = JSON.parse(localStorage.getItem(KEY) || "{}");
            for (const [name, its] of Object.entries(found || {}))
                good[name] = Object.fromEntries(Object.entries(its || {})
                    .filter(([place, right]) => /^\d+:\d+$/.test(place) && typeof right === "boolean"));
        } catch (error) {
            // no storage, or other contents: the progress of this visit is kept here alone
        }
        return good;
    }

    function keep() {
        try {
            localStorage.setItem(KEY, JSON.stringify(kept));
        } catch (error) {
            // see above
        }
    }

    const loopOf = (step, task) => step.loops.find((loop) => loop.tasks.some((one) => one.id === task));
    const taskIn = (step, id) => step.loops.flatMap((loop) => loop.tasks).find((task) => task.id === id);

    // Why another task does not run now.
    function whyNot(step, id, right) {
        const loop = loopOf(step, right), task = taskIn(step, id), place = loop.ready.indexOf(id);
        if (!task)
            return `${Picture.called(id)} is not alive.`;
        if (place >= 0 && place >= loop.left && loop.left)
            return `${Picture.called(id)} is ready, but it became ready in this turn. It runs in the next turn.`;
        if (place >= 0)
            return `${Picture.called(id)} is ready too, but it is after ${Picture.called(right)} in the ready queue.`;
        if (task.until && task.until === loop.now)
            return `The time of ${Picture.called(id)} has come, but timers are looked at when a turn begins.`;
        const until = task.until ? ` until ${task.until}; the clock shows ${loop.now}` : "";
        return `${Picture.called(id)} ${task.doing}${until}. It is not in the ready queue.`;
    }

    // Which task comes next: asked at the step before a resume.
    function taskQuestion(trace, i) {
        const step = trace.steps[i], before = trace.steps[i - 1], right = step.task;
        const loop = before && loopOf(before, right);
        if (!loop || seed || program.ownOrder || loop.tasks.length < 2 || !loop.ready.includes(right))
            return null;
        const others = loop.tasks.map((task) => task.id).filter((id) => id !== right && id !== loop.current)
            .slice(0, 4);
        if (!others.length)
            return null;
        return {kind: "task", text: "Which task does the loop resume next?",
            choices: [right, ...others].sort((a, b) => a - b).map((id) => ({
                text: Picture.called(id), right: id === right, why: id === right ?
                    `Yes. ${Picture.called(right)} is the first in the ready queue.` : whyNot(before, id, right)}))};
    }

    // Where a task continues: asked at its resume. Not where a cancel or a timeout sends it elsewhere.
    function lineQuestion(trace, i) {
        const step = trace.steps[i], next = trace.steps[i + 1];
        const task = taskIn(step, step.task), frame = task && task.frames[0];
        const before = frame && taskIn(trace.steps[i - 1] || step, step.task);
        const span = frame && program.functions[frame.fn];
        if (!next || next.k !== "line" || next.task !== step.task || !span || !before || !before.frames[0].line)
            return null;
        const waits = before.frames[0].line, right = next.line;
        const lines = program.lines.filter((line) => line >= span[0] && line <= span[1]);
        const skips = [...Array(Math.max(0, right - waits)).keys()].some((k) =>
            /^\s*PT_FINALLY/.test(Source.text(waits + k)));
        const head = (line) => /^\s*(for \(;;\)|do\b)/.test(Source.text(line)); // has nothing to execute
        const others = [lines[0], waits, lines[lines.indexOf(right) + 1], lines[lines.indexOf(right) - 1]]
            .filter((line, at, all) => line && line !== right && !head(line) && all.indexOf(line) === at).slice(0, 3);
        if (!lines.includes(right) || !others.length || skips || task.canceled || frame.label === "cleanup")
            return null;
        const text = (line) => `line ${line}: ${Source.text(line).trim()}`;
        const why = (line) => line === lines[0] && line < waits ?
            `A function that continues does not begin again. Its label sends it to the place after line ${waits}.` :
            line === waits ? `It suspended in line ${waits}. It continues after that suspension.` :
                "Follow the source from the suspension: this line is not the next one that it reaches.";
        const yes = right > waits ? `Yes. It suspended in line ${waits}, and continues after it.` :
            `Yes. It suspended in line ${waits}, continues after it, and the loop comes to line ${right}.`;
        return {kind: "line", text: `${Picture.called(step.task)} is resumed. Which line does it execute next?`,
            choices: [right, ...others].sort((a, b) => a - b).map((line) =>
                ({text: text(line), right: line === right, why: line === right ? yes : why(line)}))};
    }

    // A few questions of both kinds, spread over the run. One about a task stands before the step that shows it; one
    // about a line at the resume. OWN: the reader has changed the program, so the answers do not count.
    function prepare(trace, its, itsSeed, itsOwn) {
        [program, seed, own] = [its, itsSeed, itsOwn];
        questions = new Map();
        answered = new Set();
        const gap = Math.max(6, Math.floor(trace.steps.length / (MOST + 2)));
        const kinds = {task: taskQuestion, line: lineQuestion};
        let last = -gap, wanted = "task";
        trace.steps.forEach((step, i) => {
            if (step.k !== "resume" || !i || i - last < gap && last >= 0 || questions.size >= MOST)
                return;
            const other = wanted === "task" ? "line" : "task";
            const question = kinds[wanted](trace, i) || kinds[other](trace, i);
            if (!question)
                return;
            questions.set(question.kind === "task" ? i - 1 : i, question);
            wanted = question.kind === "task" ? "line" : "task";
            last = i;
        });
        return questions.size;
    }

    // open - the question of a step that has no right answer yet
    const open = (i) => byId("ask").checked && questions.has(i) && !answered.has(i) ? questions.get(i) : null;

    function progress() {
        const its = Object.values(kept[program.name] || {}), right = its.filter(Boolean).length;
        byId("progress").textContent = its.length ? `${right} of ${its.length} questions right at the first try` : "";
        byId("forget").hidden = !its.length;
    }

    // A question counts once.
    function score(i, first) {
        const place = `${seed}:${i}`, its = kept[program.name] || {};
        if (own || place in its)
            return;
        kept[program.name] = {...its, [place]: first};
        keep();
        progress();
    }

    function forget() {
        delete kept[program.name];
        answered = new Set();
        keep();
        progress();
    }

    // show - show the question of a step, or none. DONE is called when it is answered.
    function show(i, done) {
        const question = open(i), box = byId("question");
        box.hidden = !question;
        progress();
        if (question && question === asked)
            return; // it is there already, with what was said to wrong answers
        asked = question;
        if (!question)
            return;
        let tries = 0;
        const said = h("p.said", {role: "status"});
        const buttons = question.choices.map((choice, k) => h("button", {type: "button", onclick: (event) => {
            tries++;
            said.textContent = choice.why;
            event.currentTarget.classList.add(choice.right ? "right" : "wrong");
            if (!choice.right) {
                event.currentTarget.setAttribute("aria-disabled", "true");
                return;
            }
            answered.add(i);
            score(i, tries === 1);
            for (const button of buttons)
                button.disabled = true;
            done();
            document.querySelector('[data-move="+line"]').focus();
        }}, h("kbd", {"aria-hidden": "true"}, k + 1), " ", choice.text));
        box.replaceChildren(h("h2", null, "Predict"), h("p", null, question.text),
            h("div.choices", null, buttons), said);
    }

    return {prepare, open, show, forget};
})();
