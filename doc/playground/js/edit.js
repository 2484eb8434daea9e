// edit.js - "Edit for real": the reader changes the text, a compiler in a worker compiles it, another worker runs it
// SPDX-License-Identifier: MIT
//
// The compiler is a file beside the page, compiler.js (../compiler). The page works without it.
"use strict";

const Edit = (() => {
    const LIMIT = 10000; // milliseconds that a program may run: some thousand steps take a few hundred
    const ABSENT = "There is no compiler beside this page. In the source of pt, `make -C build book` puts it there " +
        "(compiler.js), if npm is installed. On your computer each chapter's folder compiles with cc.";
    let compiler = null; // a promise of its worker
    let number = 0, original = null, done = null;

    const inline = (id) => URL.createObjectURL(new Blob([byId(id).textContent], {type: "text/javascript"}));

    function say(text) {
        byId("compiler").textContent = text;
    }

    // --- the compiler ---

    function load() {
        return new Promise((good, bad) => document.head.append(h("script", {src: "compiler.js", onload: good,
            onerror: () => bad(new Error(ABSENT))})));
    }

    async function start() {
        say("Loading the compiler, once: 32 MB ...");
        await load();
        say("Starting the compiler ...");
        const {bundle, ...rest} = window.PlayCompiler, text = `${byId("compile-worker").textContent}\n${bundle}`;
        const worker = new Worker(URL.createObjectURL(new Blob([text], {type: "text/javascript"})));
        await new Promise((good, bad) => {
            worker.onmessage = good;
            worker.onerror = (event) => bad(new Error(`The compiler does not start: ${event.message}`));
            worker.postMessage(rest);
        });
        delete window.PlayCompiler.modules; // the worker has them
        return worker;
    }

    function ready() {
        compiler = compiler || start().catch((error) => {
            compiler = null;
            throw error;
        });
        return compiler;
    }

    async function compile(text, {folder, chapter}) {
        const worker = await ready(), own = ++number;
        return new Promise((good) => {
            worker.onmessage = ({data}) => data.number === own && good(data);
            worker.postMessage({number: own, text, folder, chapter});
        });
    }

    // --- the program ---

    const coroutinesOf = (source) => [...source.matchAll(/^(?:static )?PT_ASYNC\((\w+),/gm)].map((found) => found[1]);

    // The tables of a program whose structs have changed: the names of its functions, and no fields.
    function plainTables(names, chapter) {
        const rows = names.map((name) => `    {"${name}", ${!chapter || chapter > 2 ? `PT_FN(${name}), ` : ""}` +
            `sizeof(struct ${name}), 0, play_no_fields_},\n`).join("");
        return '#include "tables.h"\n' +
            "static const struct play_field_ play_no_fields_[] = {{NULL, 0, 0, 0, 0, NULL}};\n" +
            `static const struct play_type_ play_types_[] = {\n${rows}    {NULL}};\n` +
            "static const struct play_object_ play_table_[] = {{NULL}};\n";
    }

    // What is compiled: as instrument.py makes it.
    function whole(text, file, tables, recorder) {
        const last = [...text.matchAll(/^#include.*\n/gm)].map((found) => found.index + found[0].length).pop() || 0;
        const line = text.slice(0, last).split("\n").length;
        return `#line 1 "${file}"\n${text.slice(0, last)}#include "play.h"\n#line ${line} "${file}"\n` +
            `${text.slice(last)}\n#line 1 "tables"\n${tables}${recorder}`;
    }

    // [{line, text}] of what the compiler says of a file
    const errorsIn = (said, file) => [...said.matchAll(/^(.*?):(\d+):\d+: (?:fatal )?error: (.*)$/gm)]
        .filter(([, where]) => where === file).map(([, , line, text]) => ({line: Number(line), text}));

    // A program of this text: {program}, or {errors}.
    async function made(source) {
        await ready();
        const its = window.PlayCompiler.programs[original.name], {file} = original;
        let hooks = {text: source, lines: [], functions: {}};
        try {
            hooks = Hooks.hooked(source);
        } catch (error) {
            // It is no C, or none that can be stepped by lines: the compiler says which.
        }
        const names = coroutinesOf(source), same = String(names) === String(its.coroutines) || !names.length;
        const plain = plainTables(names, its.chapter);
        let answer = await compile(whole(hooks.text, file, same ? its.tables : plain, its.recorder), its);
        if (answer.errors && !errorsIn(answer.errors, file).length && same)
            answer = await compile(whole(hooks.text, file, plain, its.recorder), its);
        if (answer.errors) {
            const errors = errorsIn(answer.errors, file);
            const first = answer.errors.match(/error: (.*)/) || ["", answer.errors.trim().split("\n")[0]];
            return {errors: errors.length ? errors : [{line: 0, text: first[1]}]};
        }
        return {program: {...original, source, edited: true, module: await WebAssembly.compile(answer.wasm),
            parameters: [], lines: hooks.lines, functions: hooks.functions, coroutines: names}};
    }

    // run - a promise of the trace of an edited program
    function run(program, seed) {
        return new Promise((good) => {
            const worker = new Worker(inline("run-worker"));
            const end = (trace) => {
                clearTimeout(timer);
                worker.terminate();
                good(trace);
            };
            const none = (stopped) => {
                const trace = new Machine.Trace();
                trace.stopped = stopped;
                trace.finish();
                end(trace);
            };
            const timer = setTimeout(() => none(`the program did not end in ${LIMIT / 1000} seconds: it was stopped`),
                LIMIT);
            worker.onmessage = ({data}) => end(data);
            worker.onerror = (event) => none(`the program stopped: ${event.message}`);
            worker.postMessage({module: program.module, seed});
        });
    }

    // --- the editor ---

    const editor = () => byId("editor");

    function numbers(errors = []) {
        const wrong = new Map(errors.map((one) => [one.line, one.text]));
        byId("gutter").replaceChildren(...editor().value.split("\n").map((_, i) =>
            h(wrong.has(i + 1) ? "li.wrong" : "li", {title: wrong.get(i + 1)}, i + 1)));
        byId("gutter").scrollTop = editor().scrollTop;
    }

    function goTo(line) {
        const lines = editor().value.split("\n"), from = lines.slice(0, line - 1).join("\n").length + (line > 1);
        editor().focus();
        editor().setSelectionRange(from, from + (lines[line - 1] || "").length);
        editor().scrollTop = editor().scrollHeight * (line - 1) / lines.length - editor().clientHeight / 3;
    }

    function tell(errors) {
        numbers(errors);
        byId("errors").replaceChildren(...errors.map(({line, text}) => h("li", null, line ?
            h("button.plain", {type: "button", onclick: () => goTo(line)}, `line ${line}: ${text}`) : text)));
        if (errors.length && errors[0].line)
            goTo(errors[0].line);
    }

    function visible(editing) {
        for (const [id, there] of [["edit-part", editing], ["source", !editing], ["edit", !editing]])
            byId(id).hidden = !there;
        if (editing)
            byId("parameters-part").hidden = true; // the page shows it again with the numbers of its program
    }

    // open - edit a program; TEXT is as it is shown. WHEN gets the changed program, or the original again.
    function open(program, text, when) {
        original = program.edited ? original : program;
        done = when;
        editor().value = text;
        visible(true);
        tell([]);
        say("");
        editor().focus();
        editor().setSelectionRange(0, 0);
        editor().scrollTop = 0;
    }

    async function go() {
        const source = editor().value.replace(/\n*$/, "\n");
        byId("compile").disabled = true;
        try {
            say("Compiling ...");
            await ready();
            say("Compiling ...");
            const {program, errors} = await made(source);
            say(errors ? `The compiler reports ${errors.length === 1 ? "an error" : `${errors.length} errors`}.` : "");
            tell(errors || []);
            if (program) {
                visible(false);
                await done(program);
            }
        } catch (error) {
            say(error.message);
        }
        byId("compile").disabled = false;
    }

    // leave - back to the program as it is in the book
    function leave() {
        visible(false);
        done(original);
    }

    function prepare() {
        byId("compile").addEventListener("click", go);
        byId("discard").addEventListener("click", leave);
        editor().addEventListener("input", () => numbers());
        editor().addEventListener("scroll", () => (byId("gutter").scrollTop = editor().scrollTop));
        editor().addEventListener("keydown", (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                go();
            }
            event.stopPropagation(); // the keys of the page are letters here
        });
    }

    return {prepare, open, run, close: () => visible(false)};
})();
