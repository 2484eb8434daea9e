// predict.js - asks what comes next, before the page shows it
// SPDX-License-Identifier: MIT
//
// Questions come from the trace: which task a loop resumes next, where there is a choice; and at which line a task
// continues. A wrong answer is told why it is wrong, from the state at that step. Progress is kept in localStorage,
// where the browser allows it.
"use strict";

const Predict = (() => {
    const MOST = 6; // questions in one run
    const KEY = "pt-playground";
    let questions = new Map(), answered = new Set(), program = null, asked = null;
    let kept = {};

    try {
        kept = JSON.parse(localStorage.getItem(KEY) || "{}");
    } catch (error) {
        kept = {}; // no storage: the progress of this visit is kept here alone
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
            return `${Picture.called(id)} is ready too, but it is behind ${Picture.called(right)} in the run queue.`;
        const until = task.until ? ` until ${task.until}; the clock shows ${loop.now}` : "";
        return `${Picture.called(id)} ${task.doing}${until}. It is not in the run queue.`;
    }

    // Which task comes next: asked at the step before a resume.
    function taskQuestion(trace, i, seed) {
        const step = trace.steps[i], before = trace.steps[i - 1], right = step.task;
        const loop = before && loopOf(before, right);
        if (!loop || seed || loop.tasks.length < 2 || !loop.ready.includes(right))
            return null;
        const others = loop.tasks.map((task) => task.id).filter((id) => id !== right && id !== loop.current).slice(0, 4);
        if (!others.length)
            return null;
        return {kind: "task", text: "Which task does the loop resume next?",
            choices: [right, ...others].sort((a, b) => a - b).map((id) => ({
                text: Picture.called(id), right: id === right, why: id === right ?
                    `Yes. ${Picture.called(right)} is the first in the run queue.` : whyNot(before, id, right)}))};
    }

    // Where a task continues: asked at its resume.
    function lineQuestion(trace, i) {
        const step = trace.steps[i], next = trace.steps[i + 1];
        const task = taskIn(step, step.task), frame = task && task.frames[0];
        const before = frame && taskIn(trace.steps[i - 1] || step, step.task);
        const span = frame && program.functions[frame.fn];
        if (!next || next.k !== "line" || next.task !== step.task || !span || !before || !before.frames[0].line)
            return null;
        const waits = before.frames[0].line, right = next.line;
        const lines = program.lines.filter((line) => line >= span[0] && line <= span[1]);
        const others = [lines[0], waits, lines[lines.indexOf(right) + 1], lines[lines.indexOf(right) - 1]]
            .filter((line, at, all) => line && line !== right && all.indexOf(line) === at).slice(0, 3);
        if (!lines.includes(right) || !others.length)
            return null;
        const text = (line) => `line ${line}: ${program.source.split("\n")[line - 1].trim()}`;
        const why = (line) => line === lines[0] ?
            `A function that continues does not begin again. Its label sends it behind the suspension in line ${waits}.` :
            line === waits ? `It was at line ${waits} that it suspended. It continues behind it.` :
                "Follow the source from the suspension on: this line is not the next that it comes to.";
        return {kind: "line", text: `${Picture.called(step.task)} is resumed. Which line does it execute next?`,
            choices: [right, ...others].sort((a, b) => a - b).map((line) => ({text: text(line), right: line === right,
                why: line === right ? `Yes. It suspended in line ${waits}, and goes on behind it.` : why(line)}))};
    }

    // The first few questions, of both kinds in turn, and not one at each step.
    function prepare(trace, its, seed) {
        program = its;
        questions = new Map();
        answered = new Set();
        let last = -10, wanted = "task";
        trace.steps.forEach((step, i) => {
            if (step.k !== "resume" || !i || i - last < 6 || questions.size >= MOST)
                return;
            const question = wanted === "task" ? taskQuestion(trace, i, seed) : lineQuestion(trace, i);
            if (!question)
                return;
            // A question about a task stands before the step that shows it; one about a line at the resume.
            questions.set(question.kind === "task" ? i - 1 : i, question);
            wanted = wanted === "task" ? "line" : "task";
            last = i;
        });
    }

    // open - the question of a step that has no right answer yet
    const open = (i) => byId("ask").checked && questions.has(i) && !answered.has(i) ? questions.get(i) : null;

    function progress() {
        const its = kept[program.name] || {right: 0, asked: 0};
        byId("progress").textContent = its.asked ?
            `${its.right} of ${its.asked} answered right at the first try` : "";
    }

    function score(first) {
        const its = kept[program.name] || {right: 0, asked: 0};
        kept[program.name] = {right: its.right + (first ? 1 : 0), asked: its.asked + 1};
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
        const buttons = question.choices.map((choice) => h("button", {type: "button", onclick: (event) => {
            tries++;
            said.textContent = choice.why;
            event.currentTarget.classList.add(choice.right ? "right" : "wrong");
            if (!choice.right) {
                event.currentTarget.setAttribute("aria-disabled", "true");
                return;
            }
            answered.add(i);
            score(tries === 1);
            for (const button of buttons)
                button.disabled = true;
            done();
        }}, choice.text));
        box.replaceChildren(h("h2", null, "Predict"), h("p", null, question.text), h("div.choices", null, buttons), said);
    }

    return {prepare, open, show, answered: (i) => answered.has(i)};
})();
