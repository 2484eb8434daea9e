// checks.js - what must always hold, checked at each step of a trace
// SPDX-License-Identifier: MIT
"use strict";

const Checks = (() => {
    const each = (step, test) => step.loops.every(test);

    // Whether a program can break it: one without a clock has no timers.
    const matters = (check, trace) => trace.steps.some((step) => check.needs === "channel" ?
        step.objects.some((object) => object.kind === "channel") :
        step.loops.some((loop) => !check.needs || check.needs in loop));

    const duplicates = (list) => new Set(list).size !== list.length;

    // A task of a loop is in one of these places.
    function somewhere(task, loop) {
        if (task.id === loop.current || loop.ready.includes(task.id))
            return true;
        if ((loop.timers || []).some(([id]) => id === task.id) || (loop.sleepers || []).includes(task.id))
            return true;
        return !["runs", "is ready", "sleeps"].includes(task.doing);
    }

    // Each: its name, and whether it holds at the step I of the trace.
    const all = [
        {name: "The clock never goes back.", needs: "now", holds: (step, before) =>
            !before || each(step, (loop) => {
                const old = before.loops.find((one) => one.id === loop.id);
                return !old || loop.ticks >= old.ticks;
            })},
        {name: "A task is in the ready queue at most once.", holds: (step) =>
            each(step, (loop) => !duplicates(loop.ready))},
        {name: "The task that runs is not in the ready queue.", holds: (step) =>
            each(step, (loop) => !loop.current || !loop.ready.includes(loop.current))},
        {name: "No entry of the heap is earlier than its parent.", needs: "timers", holds: (step) =>
            each(step, (loop) => loop.timers.every(([, , at], i) =>
                !i || at >= loop.timers[Math.floor((i - 1) / loop.ways)][2]))},
        // Timers fire between a turn and the first resume of the next.
        {name: "A timer never fires early.", needs: "timers", holds: (step, before) =>
            !before || before.k !== "turn" || step.k !== "resume" || each(step, (loop) => {
                const old = before.loops.find((one) => one.id === loop.id);
                return !old || old.timers.every(([id, , at]) =>
                    at <= loop.ticks || loop.timers.some(([other]) => other === id));
            })},
        {name: "No task is lost: each runs, is ready, has a timer, or waits for something.", holds: (step) =>
            each(step, (loop) => loop.tasks.length === loop.live && loop.tasks.every((task) => somewhere(task, loop)))},
        {name: "At a channel, senders and receivers do not wait at the same time.", needs: "channel", holds: (step) =>
            step.objects.every((object) => object.kind !== "channel" ||
                !object.sides[0][1].length || !object.sides[1][1].length)},
    ];

    // first - the number of the first step at which each does not hold; -1: it always holds.
    function first(trace) {
        return all.map((check) => matters(check, trace) ?
            trace.steps.findIndex((step, i) => !check.holds(step, trace.steps[i - 1])) : -1);
    }

    return {all, first, matters};
})();
