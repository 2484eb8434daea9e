// quiz.js - says at once whether an answer is right, and why; counts the first tries of each chapter
// SPDX-License-Identifier: MIT
"use strict";

for (const part of document.querySelectorAll("section.quiz")) {
    const asked = [...part.querySelectorAll("fieldset")], first = new Map();
    part.classList.add("scripted");
    part.addEventListener("change", ({target}) => {
        const field = target.closest("fieldset"), line = target.closest("li"), right = target.value === "1";
        line.classList.add("told", right ? "right" : "wrong");
        line.querySelector(".why").setAttribute("role", "status");
        if (!first.has(field))
            first.set(field, right);
        const good = [...first.values()].filter(Boolean).length;
        part.querySelector(".score").textContent = first.size < asked.length ?
            `${first.size} of ${asked.length} answered` : `${good} of ${asked.length} right at the first try`;
    });
}
