// draw.js - elements of a page, and what both parts draw with them
// SPDX-License-Identifier: MIT
const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "path", "rect", "g", "line"]);

// An element with attributes and children; an attribute that begins with "on" is a listener.
function draw(tag, attributes = {}, ...children) {
    const made = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);

    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on"))
            made.addEventListener(name.slice(2), value);
        else if (value === true)
            made.setAttribute(name, "");
        else if (value !== false && value !== undefined)
            made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
}

let last = 0;

// A name for an element that no other one in the page has.
function unique(word) {
    return `pt-avr-${word}-${++last}`;
}

// Write a text, if it is another one: a screen reader hears each change.
function say(element, text) {
    if (element.textContent !== text)
        element.textContent = text;
}

function hex(number, digits) {
    return number.toString(16).padStart(digits, "0");
}

// "include/pt/run/run.h" is shown as "pt/run/run.h".
function shortName(name) {
    return name.replace(/^include\//, "").replace(/^(examples|doc\/playground)\//, "");
}

function calm() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function figure(number) {
    return number.toLocaleString("en");
}

module.exports = { draw, unique, say, hex, shortName, calm, figure };
