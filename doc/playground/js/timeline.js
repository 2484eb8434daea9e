// timeline.js - the whole run at a glance: a row for each task, and when it runs
// SPDX-License-Identifier: MIT
"use strict";

const Timeline = (() => {
    const ROW = 16, TOP = 18, MOST = 24; // rows
    let count = 1, width = 1000;

    function svg(tag, attributes, ...children) {
        const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [name, value] of Object.entries(attributes))
            element.setAttribute(name, value);
        element.append(...children);
        return element;
    }

    const x = (i) => i / Math.max(1, count - 1) * width;

    // What runs at each step: a task; in a program without tasks, a function. Nothing: null.
    function running(trace, program) {
        const tasks = trace.steps.some((step) => step.task), functions = Object.entries(program.functions);
        const within = (line) => functions.find(([, [first, last]]) => first <= line && line <= last);
        return trace.steps.map((step) => tasks ? (/^(line|resume)$/.test(step.k) && step.task || null) :
            (within(step.line) || [null])[0]);
    }

    // The runs of each: [what, from, to], in steps.
    function runs(trace, program) {
        const found = [];
        running(trace, program).forEach((what, i) => {
            const last = found[found.length - 1];
            if (what && last && last[0] === what && last[2] >= i - 1)
                last[2] = i;
            else if (what)
                found.push([what, i, i]);
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

    // The clock's lines. A time stands after its line, or before it at the right edge, where there is room.
    function clock(trace, height) {
        let free = -1000;
        return times(trace).flatMap(([i, now]) => {
            const line = (y1) => svg("line", {class: "tick", x1: x(i), x2: x(i), y1, y2: height});
            const long = 6 + now.length * 7, before = x(i) + long > width, from = before ? x(i) - long : x(i);
            if (from < free)
                return [line(TOP - 3)];
            free = from + long + 4;
            return [line(4), svg("text", {x: before ? x(i) - 3 : x(i) + 3, y: 12,
                "text-anchor": before ? "end" : "start"}, now)];
        });
    }

    function draw(trace, program) {
        count = trace.steps.length;
        width = byId("timeline").clientWidth || 1000; // as many units as pixels: so letters keep their shape
        const found = runs(trace, program), all = [...new Set(found.map(([what]) => what))];
        const rows = all.sort((a, b) => a - b).slice(0, MOST), tasks = rows.every(Number.isInteger);
        const rest = all.length - rows.length;
        const height = TOP + Math.max(1, rows.length) * ROW + 2, shown = Math.min(height, 260);
        const hue = (what) => hueOf(tasks ? what : rows.indexOf(what) + 1);
        const bars = found.filter(([what]) => rows.includes(what)).map(([what, from, to]) => svg("rect", {
            class: `bar ${hue(what)}`, x: x(from), y: TOP + rows.indexOf(what) * ROW + 2,
            width: Math.max(2.5, x(to + 1) - x(from) - 0.5), height: ROW - 4, rx: 2}));
        const what = `${rows.length} ${tasks ? "tasks" : "functions"}`;
        const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
            "aria-label": `The whole run: ${what}, ${count} steps. The slider below moves through it.`},
        ...clock(trace, height), ...bars,
        svg("line", {id: "marker", class: "marker", x1: 0, x2: 0, y1: 0, y2: height}));
        picture.style.height = `${shown}px`;
        byId("timeline").replaceChildren(picture);
        byId("rows").replaceChildren(...rows.map((what) => h("li", null,
            tasks ? Picture.chip(what) : h(`span.chip.${hue(what)}`, {title: what}, what))));
        byId("rest").textContent = rest ? `${rest} more tasks are not in this chart.` : "";
        byId("rows").style.setProperty("--row", `${shown / height * ROW}px`);
        byId("rows").style.paddingTop = `${shown / height * TOP}px`;
    }

    function mark(i) {
        const marker = byId("marker");
        marker.setAttribute("x1", x(i));
        marker.setAttribute("x2", x(i));
    }

    return {draw, mark};
})();
