// terms.js - says what a thing in the picture is, when the pointer rests on it
// SPDX-License-Identifier: MIT
"use strict";

const Terms = (() => {
    // Where the thing is, and what it is; the words are those of the glossary.
    const TERMS = [
        ["#loop-part h2", "what runs tasks in turn, and sleeps when none is ready"],
        [".clock dt", "the time of this turn"],
        [".runs dt", "the task that runs now"],
        [".loop .queue", "the ready queue: the tasks that the loop will resume, in order"],
        [".queue .turn", "they were ready when this turn began, and have not run in it yet"],
        [".queue .later", "they became ready in this turn: the next one runs them"],
        [".heap", "a heap: no task is due later than those below it, so the first one wakes next"],
        [".entry .at", "when the task wakes"],
        [".doing", "what the task does, or waits for"],
        [".parent", "the group that this task belongs to"],
        [".frame .fn", "the function of this frame; the frame has what must survive a suspension"],
        [".frame .label", "the place where the function continues"],
        [".frame .site", "the line where the function is now, or where it continues"],
        [".frame .status", "the code of its last operation; at its end, that of the function"],
        [".frame .size", "the size of the frame, and where it is"],
        ["td.offset", "how many bytes this field is behind the beginning of the frame"],
        ["td.bytes", "the field as it is in memory; marked: what this step has changed"],
        ["tr.pt th", "the first member of each frame: the place, the function, its codes"],
        [".object .kind", "what tasks meet at"],
        [".sides .word", "the tasks that wait on this side, in order"],
        ["#checks-part h2", "what holds at each step, in each order of the tasks"],
        ["#ended-part h3", "the tasks that are done, and their codes"],
    ];

    function explain(root) {
        for (const [where, what] of TERMS)
            for (const element of root.querySelectorAll(where))
                element.title = element.title || what;
    }

    return {TERMS, explain};
})();
