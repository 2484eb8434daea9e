// worker.js - compiles a program in a worker of its own; the package's script stands behind it
// SPDX-License-Identifier: MIT
"use strict";

(() => {
    let given = null, libc = null, files = null;
    let begun = null;
    const beginning = new Promise((done) => (begun = done));

    const bytesOf = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

    // What the package's script fetches: its modules. Of its libraries it needs none.
    self.fetch = async (url) => {
        await beginning;
        const name = String(url).slice(given.address.length), type = {headers: {"content-type": "application/wasm"}};
        if (!(name in given.modules))
            return new Response(new Uint8Array(1024), type);
        const packed = new Response(bytesOf(given.modules[name])).body;
        delete given.modules[name];
        return new Response(packed.pipeThrough(new DecompressionStream("gzip")), type);
    };

    // {"a/b.h": text} as folders
    function tree(flat) {
        const root = {};
        for (const [path, text] of Object.entries(flat)) {
            const words = path.split("/"), name = words.pop();
            words.reduce((folder, word) => (folder[word] = folder[word] || {}), root)[name] = text;
        }
        return root;
    }

    async function command(words, its, said) {
        const decoder = new TextDecoder();
        return self.runLLVM(words, its, {fetchProgress: () => {}, stdout: () => {},
            stderr: (bytes) => bytes && said.push(decoder.decode(bytes, {stream: true}))});
    }

    // {wasm}, or {errors}: what the compiler says
    async function compiled({text, folder, chapter}) {
        const said = [], kind = chapter ? `PLAY_CHAPTER=${chapter}` : "PLAY_PT=1";
        // Chapter 2 shows how a local is overwritten: its functions must have no more stack than their variables.
        const level = chapter === 2 ? ["-O1", "-fno-inline"] : ["-O0"];
        try {
            const made = await command(["clang", "-cc1", "-triple", "wasm32", "-emit-obj", ...level, "-std=gnu11", "-w",
                "-fno-builtin", "-fno-caret-diagnostics", "-ferror-limit", "8", "-DPT_SITES=1", "-D__unix__=1",
                `-D${kind}`, "-I", folder, "-I", "include", "-I", "recorder", "-isystem", "recorder/libc",
                "-isystem", "own", "-x", "c", "-o", "program.o", "program.c"], {...files, "program.c": text}, said);
            const linked = await command(["wasm-ld", "program.o", "libc.o", "--no-entry", "--gc-sections", "-z",
                "stack-size=65536", "-o", "program.wasm"], {"program.o": made["program.o"], "libc.o": libc}, said);
            return {wasm: linked["program.wasm"]};
        } catch (error) {
            return {errors: said.join("") || String(error.message)};
        }
    }

    self.onmessage = async ({data}) => {
        if (data.modules) {
            given = data;
            files = tree(data.files);
            libc = bytesOf(data.library);
            begun();
            await self.runLLVM(null, {}, {fetchProgress: () => {}});
            self.postMessage({ready: true});
        } else {
            self.postMessage({number: data.number, ...await compiled(data)});
        }
    };
})();
