// machine.js - runs a program's WebAssembly once, and keeps what its recorder wrote: the trace
// SPDX-License-Identifier: MIT
//
// Compiled code cannot pause. So a program runs to its end at once, and the page replays the trace, forth and back.
"use strict";

const Machine = (() => {
    const modules = new Map(); // of the programs that were run

    const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

    class Stop extends Error {}

    function moduleOf(program) {
        if (program.module)
            return program.module; // the reader has changed it (edit.js)
        if (!modules.has(program.name))
            modules.set(program.name, new WebAssembly.Module(bytesOf(program.wasm)));
        return modules.get(program.name);
    }

    // run - the trace of one run: {steps, output, stopped}. CHANGES: numbers of the program by their places in
    // program.parameters. A step has the length of the output that was printed before it. KEEP gets the recorder's
    // lines.
    function run(program, seed, changes = {}, keep = null) {
        const trace = new Trace();
        let memory = null;
        const decoder = new TextDecoder();
        const imports = {play: {
            line: (at, size) => {
                const text = decoder.decode(new Uint8Array(memory.buffer, at, size));
                if (keep)
                    keep(text);
                trace.add(JSON.parse(text));
            },
            stop: (at) => {
                const bytes = new Uint8Array(memory.buffer, at, 200);
                trace.stopped = decoder.decode(bytes.slice(0, bytes.indexOf(0)));
                if (keep)
                    keep(JSON.stringify({k: "stop", why: trace.stopped}));
                throw new Stop();
            },
        }};
        const instance = new WebAssembly.Instance(moduleOf(program), imports);
        memory = instance.exports.memory;
        const parameters = new Int32Array(memory.buffer, instance.exports.parameters(), 64);
        for (const [number, value] of Object.entries(changes))
            parameters[number] = value;
        try {
            instance.exports.run(seed);
        } catch (error) {
            if (!(error instanceof Stop))
                trace.stopped = `the program stopped: ${error.message}`;
        }
        trace.finish();
        return trace;
    }

    class Trace {
        constructor() {
            this.steps = [];
            this.output = "";
            this.stopped = "";
            this.loops = false; // whether the program ever has a loop
            this.frames = false; // and a frame
        }

        add(record) {
            if (record.k === "out") {
                this.output += record.text;
                return;
            }
            record.out = this.output.length;
            this.loops = this.loops || record.loops.length > 0;
            this.frames = this.frames || this.loops || record.alone.length > 0;
            this.steps.push(record);
        }

        // The last step shows what was printed at the very end.
        finish() {
            const last = this.steps[this.steps.length - 1] ||
                {loops: [], objects: [], alone: [], ended: []};
            this.steps.push({...last, k: "finish", line: 0, task: 0, op: "", out: this.output.length});
        }
    }

    return {run, Trace};
})();
