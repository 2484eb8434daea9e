// slides.js - one slide at a time: keys, an overview, a speaker's view with notes and a clock
// SPDX-License-Identifier: MIT
"use strict";

(() => {
    const root = document.documentElement;
    const KEYS = [["→ ↓ space, Page Down", "next"], ["← ↑, Page Up", "back"], ["Home, End", "first, last"],
        ["o", "overview; Enter or a click chooses"], ["s", "speaker's view, in a window of its own"],
        ["f", "full screen"], ["?", "these keys"], ["Escape", "close"]];
    const READABLE = innerWidth < 640 ? 1.1 : 0; // rem
    const speaking = /^#speaker/.test(location.hash);
    let slides = [], at = 0, other = speaking ? window.opener : null, began = 0;

    function make(tag, attributes = {}, ...children) {
        const element = Object.assign(document.createElement(tag), attributes);
        element.append(...children);
        return element;
    }

    // The title, with its lines and notes, is a slide as the sections are.
    function collect() {
        const whole = document.querySelector("section.level1"), title = make("div", {className: "title"});
        const sections = [...document.querySelectorAll("section.level2")];
        title.append(...[...whole.childNodes].filter((node) => !sections.includes(node)));
        whole.prepend(title);
        slides = [title, ...sections];
        slides.forEach((slide, i) => {
            slide.classList.add("slide");
            slide.addEventListener("click", () => root.classList.contains("overview") && (overview(false), show(i)));
        });
    }

    const minutesOf = (slide) => Number((slide.querySelector(".notes") || {dataset: {}}).dataset.minutes || 0);

    // As large as it can be without a scroll bar; on a phone a wide listing has one, and can be read.
    function fit(slide) {
        const most = Math.max(1.3, Math.min(slide.clientWidth, slide.clientHeight * 1.6) / 500);

        for (let size = most; size >= 0.6; size -= 0.1) {
            slide.style.fontSize = `${size}rem`;
            if (slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth &&
                [...slide.querySelectorAll("pre")].every((one) =>
                    one.scrollWidth <= one.clientWidth || size < READABLE))
                return;
        }
    }

    // FROM: the window that asked, if it was the other one.
    function show(i, from = null) {
        at = Math.max(0, Math.min(i, slides.length - 1));
        slides.forEach((slide, k) => {
            slide.classList.toggle("now", k === at);
            slide.classList.toggle("next", speaking && k === at + 1);
        });
        fit(slides[at]);
        count.textContent = `${at + 1} / ${slides.length}`;
        history.replaceState(null, "", `${speaking ? "#speaker=" : "#"}${at + 1}`);
        const notes = slides[at].querySelector(".notes");
        said.replaceChildren(notes ? notes.cloneNode(true) : "No notes.");
        if (at && !began)
            began = Date.now();
        tick();
        if (other && from !== other)
            other.postMessage({slide: at, began}, "*");
    }

    function tick() {
        const passed = began ? Math.floor((Date.now() - began) / 1000) : 0;
        const planned = slides.slice(0, at + 1).reduce((sum, slide) => sum + minutesOf(slide), 0);
        const whole = slides.reduce((sum, slide) => sum + minutesOf(slide), 0);
        clock.replaceChildren(make("b", {}, `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, "0")}`),
            make("p", {}, `This slide: ${minutesOf(slides[at])} min. At its end: ${planned} of ${whole} min.`));
    }

    function overview(on) {
        root.classList.toggle("overview", on);
        if (on)
            slides[at].scrollIntoView({block: "center"});
        else
            fit(slides[at]);
    }

    function speak() {
        other = window.open(`${location.href.split("#")[0]}#speaker=${at + 1}`, "speaker", "width=1100,height=700");
    }

    const moves = {ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1};
    const others = {
        Home: () => show(0), End: () => show(slides.length - 1),
        o: () => overview(!root.classList.contains("overview")), s: () => speaking || speak(),
        f: () => document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen(),
        "?": () => help.open ? help.close() : help.showModal(),
        Escape: () => overview(false), Enter: () => overview(false),
    };

    function key(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || /^(A|BUTTON)$/.test(event.target.tagName) &&
            /^( |Enter)$/.test(event.key))
            return;
        if (event.key in moves)
            show(at + moves[event.key]);
        else if (event.key in others)
            others[event.key]();
        else
            return;
        event.preventDefault();
    }

    const button = (text, title, onclick) =>
        make("button", {type: "button", ariaLabel: title, title, onclick}, text);
    const count = make("span"), said = make("div", {className: "said"}), clock = make("div", {className: "clock"});
    const help = make("dialog", {}, make("table", {}, ...KEYS.map(([keys, what]) =>
        make("tr", {}, make("td", {}, make("kbd", {}, keys)), make("td", {}, what)))));
    const bar = make("nav", {className: "bar", ariaLabel: "Slides"}, button("‹", "back", () => show(at - 1)), count,
        button("›", "next", () => show(at + 1)), button("o", "overview", others.o),
        ...speaking ? [] : [button("s", "speaker's view", speak)], button("?", "keys", others["?"]));

    collect();
    root.classList.add("talk");
    root.classList.toggle("speaker", speaking);
    document.body.append(said, clock, bar, help);
    document.addEventListener("keydown", key);
    addEventListener("resize", () => fit(slides[at]));
    addEventListener("message", (event) => {
        if (event.data && Number.isInteger(event.data.slide) && (event.source === other || !other)) {
            other = event.source;
            began = began || event.data.began;
            show(event.data.slide, event.source);
        }
    });
    addEventListener("hashchange", () => show(Number(location.hash.replace(/\D/g, "")) - 1));
    setInterval(tick, 1000);
    show((Number(location.hash.replace(/\D/g, "")) || 1) - 1);
})();
