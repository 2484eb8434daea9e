// runner.js - runs a program in a worker, which the page can stop; machine.js stands before it
// SPDX-License-Identifier: MIT
"use strict";

self.onmessage = ({data}) => {
    const {steps, output, stopped, loops, frames} = Machine.run({module: data.module}, data.seed);
    self.postMessage({steps, output, stopped, loops, frames});
};
