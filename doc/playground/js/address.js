// address.js - the part of the address behind #: NAME&step=40&seed=3&p2=250; with &embed the page is a part of another
// SPDX-License-Identifier: MIT
"use strict";

const Address = (() => {
    let timer = 0;

    // {name, step, order, numbers, embedded} - what an address says. Steps count from 1, as the page shows them; p2 is
    // another value of the program's third number.
    function read(address = location) {
        const [name, ...rest] = address.hash.slice(1).split("&");
        const values = new URLSearchParams(rest.join("&"));
        const number = (key, least) => Math.max(least, Math.floor(Number(values.get(key))) || least);
        const numbers = Object.fromEntries([...values].filter(([key]) => /^p\d+$/.test(key))
            .map(([key, value]) => [Number(key.slice(1)), Number(value)]));
        return {name, step: number("step", 1), order: number("seed", 0), numbers, embedded: values.has("embed")};
    }

    // keep - show a step in the address, so that it can be copied and reloaded. A browser allows few changes a second.
    function keep(name, step, order, numbers) {
        clearTimeout(timer);
        timer = setTimeout(() => {
            const seed = order ? `&seed=${order}` : "", embed = read().embedded ? "&embed" : "";
            const rest = seed + Object.entries(numbers).map(([i, value]) => `&p${i}=${value}`).join("");
            history.replaceState(null, "", `#${name}&step=${step}${rest}${embed}`);
            byId("whole").href = `#${name}&step=${step}${rest}`;
        }, 200);
    }

    return {read, keep};
})();
