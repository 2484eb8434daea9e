// address.js - the part of the address behind #: NAME&step=40&seed=3; with &embed the page is a part of another
// SPDX-License-Identifier: MIT
"use strict";

const Address = (() => {
    let timer = 0;

    // {name, step, order, embedded} - what an address says. Steps count from 1, as the page shows them.
    function read(address = location) {
        const [name, ...rest] = address.hash.slice(1).split("&");
        const values = new URLSearchParams(rest.join("&"));
        const number = (key, least) => Math.max(least, Math.floor(Number(values.get(key))) || least);
        return {name, step: number("step", 1), order: number("seed", 0), embedded: values.has("embed")};
    }

    // keep - show a step in the address, so that it can be copied and reloaded. A browser allows few changes a second.
    function keep(name, step, order) {
        clearTimeout(timer);
        timer = setTimeout(() => {
            const seed = order ? `&seed=${order}` : "", embed = read().embedded ? "&embed" : "";
            history.replaceState(null, "", `#${name}&step=${step}${seed}${embed}`);
            byId("whole").href = `#${name}&step=${step}${seed}`;
        }, 200);
    }

    return {read, keep};
})();
