// audit.js - what a reader with little or no sight needs of the page: names of controls, contrast of texts
// SPDX-License-Identifier: MIT
"use strict";

const Audit = (() => {
    const visible = (element) => element.checkVisibility ? element.checkVisibility() :
        element.getClientRects().length > 0;

    const named = (element) => Boolean(element.getAttribute("aria-label") || element.textContent.trim() ||
        element.getAttribute("title") || (element.labels && element.labels.length) ||
        (element.getAttribute("aria-labelledby") && document.getElementById(element.getAttribute("aria-labelledby"))));

    // [red, green, blue, alpha] of what getComputedStyle writes, each 0 to 1.
    function colour(text) {
        const numbers = (text.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
        if (text.startsWith("color("))
            return [...numbers.slice(0, 3), numbers.length > 3 ? numbers[3] : 1];
        return [numbers[0] / 255, numbers[1] / 255, numbers[2] / 255, numbers.length > 3 ? numbers[3] : 1];
    }

    const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);

    function background(element) {
        const layers = [];
        for (let one = element; one; one = one.parentElement)
            layers.push(colour(getComputedStyle(one).backgroundColor));
        return layers.reverse().reduce((under, top) => over(top, under), [1, 1, 1, 1]);
    }

    // The contrast of WCAG 2.
    function contrast(a, b) {
        const light = (one) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => sum +
            weight * (one[i] <= 0.04045 ? one[i] / 12.92 : ((one[i] + 0.055) / 1.055) ** 2.4), 0);
        const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
        return (high + 0.05) / (low + 0.05);
    }

    function faintTexts() {
        const faint = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
            const element = walk.currentNode.parentElement;
            if (!walk.currentNode.data.trim() || /^(SCRIPT|STYLE|OPTION)$/.test(element.tagName) || !visible(element) ||
                element.closest(":disabled, [aria-disabled]"))
                continue;
            const style = getComputedStyle(element), under = background(element);
            const text = element.namespaceURI.endsWith("svg") ? style.fill : style.color;
            const found = contrast(over(colour(text), under), under);
            if (found < 4.5)
                faint.add(`${element.tagName}.${element.className.baseVal || element.className} ${found.toFixed(2)}`);
        }
        return [...faint];
    }

    // faults - texts of what is wrong
    function faults() {
        const all = (what) => [...document.querySelectorAll(what)].filter(visible);
        const controls = all("button, input, select, a, [tabindex], [role=img]");
        const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
        const levels = all("h1, h2, h3, h4").map((one) => Number(one.tagName[1]));
        return [
            ...controls.filter((one) => !named(one)).map((one) => `without a name: ${one.outerHTML.slice(0, 80)}`),
            ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `twice: ${id}`),
            ...levels.filter((level, i) => i && level > levels[i - 1] + 1)
                .map((level) => `a heading of level ${level} is after a gap`),
            ...document.documentElement.lang ? [] : ["the page names no language"],
            ...faintTexts().map((text) => `too faint: ${text}`),
            ...document.documentElement.scrollWidth > innerWidth + 1 ? [`wider than the window: ${
                document.documentElement.scrollWidth}`] : [],
        ];
    }

    return {faults};
})();
