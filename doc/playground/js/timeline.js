// timeline.js - the whole run at a glance: a row for each task, and who runs when
// SPDX-License-Identifier: MIT
"use strict";

const Timeline = (() => {
    const ROW = 16, TOP = 18;
    let count = 1, width = 1000;

    function svg(tag, attributes, ...children) {
        const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [name, value] of Object.entries(attributes))
            element.setAttribute(name, value);
        element.append(...children);
        return element;
    }

    const x = (i) => i / Math.max(1, count - 1) * width;

    // The runs of each task: [task, from, to], in steps.
    function runs(trace) {
        const found = [];
        trace.steps.forEach((step, i) => {
            const last = found[found.length - 1];
            const task = step.k === "line" || step.k === "resume" ? step.task : 0;
            if (!task)
                return;
            if (last && last[0] === task && last[2] >= i - 1)
                last[2] = i;
            else
                found.push([task, i, i]);
        });
        return found;
    }

    // The steps at which the clock shows another time.
    function times(trace) {
        const marks = [];
        let last = null;
        trace.steps.forEach((step, i) => {
            const loop = step.loops[0];
            if (loop && loop.now !== last && (last = loop.now))
                marks.push([i, loop.now]);
        });
        return marks;
    }

    function draw(trace) {
        count = trace.steps.length;
        width = byId("timeline").clientWidth || 1000; // as many units as pixels: so letters keep their shape
        const found = runs(trace), rows = [...new Set(found.map(([task]) => task))].sort((a, b) => a - b).slice(0, 24);
        const height = TOP + Math.max(1, rows.length) * ROW + 2;
        let free = -1000;
        const marks = times(trace).flatMap(([i, now]) => {
            if (x(i) < free)
                return [svg("line", {class: "tick", x1: x(i), x2: x(i), y1: TOP - 3, y2: height})];
            free = x(i) + 10 + now.length * 7;
            return [svg("line", {class: "tick", x1: x(i), x2: x(i), y1: 4, y2: height}),
                svg("text", {x: x(i) + 3, y: 12}, now)];
        });
        const bars = found.filter(([task]) => rows.includes(task)).map(([task, from, to]) => svg("rect", {
            class: `bar ${hueOf(task)}`, x: x(from), y: TOP + rows.indexOf(task) * ROW + 2,
            width: Math.max(2.5, x(to + 1) - x(from) - 0.5), height: ROW - 4, rx: 2}));
        const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
            "aria-label": `The whole run: ${rows.length} tasks, ${count} steps. The slider below moves through it.`},
        ...marks, ...bars, svg("line", {id: "marker", class: "marker", x1: 0, x2: 0, y1: 0, y2: height}));
        picture.style.height = `${Math.min(height, 260)}px`;
        byId("timeline").replaceChildren(picture);
        byId("rows").replaceChildren(...rows.map((task) => h("li", null, Picture.chip(task))));
        byId("rows").style.setProperty("--row", `${Math.min(height, 260) / height * ROW}px`);
        byId("rows").style.paddingTop = `${Math.min(height, 260) / height * TOP}px`;
    }

    function mark(i) {
        const marker = byId("marker");
        marker.setAttribute("x1", x(i));
        marker.setAttribute("x2", x(i));
    }

    return {draw, mark};
})();
