// dom.js - makes elements
// SPDX-License-Identifier: MIT
"use strict";

// h - an element: h("p.note", {id: "x"}, "text", child, [children])
function h(what, attributes, ...children) {
    const [tag, ...classes] = what.split(".");
    const element = document.createElement(tag);
    if (classes.length)
        element.className = classes.join(" ");
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith("on"))
            element.addEventListener(name.slice(2), value);
        else if (value === true)
            element.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined)
            element.setAttribute(name, value);
    }
    element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
}

const byId = (id) => document.getElementById(id);

// The colour of a task: one of eight that differ in both themes. They are never the only mark.
const hueOf = (id) => `hue${(id - 1) % 8}`;
