// hooks.js - puts a hook before each statement of a program that the reader has changed, as instrument.py does
// SPDX-License-Identifier: MIT
"use strict";

const Hooks = (() => {
    const TOKEN = new RegExp(String.raw`(?<skip>\s+|/\*.*?\*/|//[^\n]*)|(?<hash>^[ \t]*#(?:[^\\\n]|\\.)*)` +
        String.raw`|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<word>[A-Za-z_]\w*)|(?<number>\d[\w.]*)` +
        String.raw`|(?<sign>->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\.\.\.|.)`, "gsm");
    const TYPES = new Set(("static const volatile struct union enum unsigned int char bool long short double void " +
        "size_t pt_time pt_status pt_label uint8_t uint32_t uint64_t pt_op").split(" "));
    const DECLARES = new Set(("PT_TASK PT_CHANNEL PT_QUEUE PT_BROADCAST PT_POOL PT_LATEST PT_RING PT_LOOP_STORAGE " +
        "PT_SELECTION PT_STATIC_ASSERT").split(" "));

    function tokensOf(source) {
        const tokens = [];
        let line = 1;
        for (const found of source.matchAll(TOKEN)) {
            const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined);
            if (kind !== "skip" && kind !== "hash")
                tokens.push({kind, text: found[0], at: found.index, end: found.index + found[0].length, line});
            line += found[0].split("\n").length - 1;
        }
        return tokens;
    }

    class Walk {
        constructor(source) {
            this.source = source;
            this.tokens = tokensOf(source);
            this.frame = ""; // the name of the frame in the function, if that is a coroutine
            this.insertions = [];
            this.lines = new Set();
            this.functions = {}; // the name of a function: its first and its last line
        }

        text(i) {
            return i < this.tokens.length ? this.tokens[i].text : "";
        }

        insert(at, text) {
            this.insertions.push([at, this.insertions.length, text]);
        }

        hook(i, end = ";") {
            const {line} = this.tokens[i];
            this.lines.add(line);
            return this.frame ? `play_body_(${this.frame}, ${line})${end} ` : `play_line_(${line})${end} `;
        }

        // The index after the bracket that closes the one at I.
        matching(i) {
            for (let depth = 0; i < this.tokens.length;) {
                depth += "([{".includes(this.text(i)) - ")]}".includes(this.text(i));
                i++;
                if (!depth)
                    return i;
            }
            throw new SyntaxError("a bracket is not closed");
        }

        semicolon(i) {
            while (this.text(i) !== ";") {
                if (i >= this.tokens.length)
                    throw new SyntaxError("a statement does not end");
                i = "([{".includes(this.text(i)) ? this.matching(i) : i + 1;
            }
            return i + 1;
        }

        run() {
            for (let i = 0; i < this.tokens.length;) {
                if (this.text(i) !== "{") {
                    i++;
                    continue;
                }
                const end = this.matching(i);
                if (this.text(i - 1) === ")") {
                    this.functions[this.nameOfFunction(i - 1)] = [this.tokens[i].line, this.tokens[end - 1].line];
                    this.block(i);
                }
                i = end;
            }
            let text = this.source;
            for (const [at, , what] of this.insertions.sort((a, b) => b[0] - a[0] || b[1] - a[1]))
                text = text.slice(0, at) + what + text.slice(at);
            return text;
        }

        nameOfFunction(closing) {
            let i = closing;
            for (let depth = 0; ; i--) {
                depth += (this.text(i) === ")") - (this.text(i) === "(");
                if (!depth)
                    break;
            }
            const coroutine = this.text(i - 1) === "PT_ASYNC"; // (name, frame)
            this.frame = coroutine ? this.text(i + 3) : "";
            return coroutine ? this.text(i + 1) : this.text(i - 1);
        }

        block(i) {
            const end = this.matching(i) - 1;
            for (i++; i < end;)
                i = this.statement(i, true);
            return end + 1;
        }

        // The statement after a condition: with braces of its own, or without.
        body(i) {
            if (this.text(i) === "{")
                return this.block(i);
            if (this.text(i) === ";")
                return i + 1;
            this.insert(this.tokens[i].at, "{ ");
            this.insert(this.tokens[i].at, this.text(i) === "while" ? "" : this.hook(i));
            const end = this.statement(i, false);
            this.insert(this.tokens[end - 1].end, " }");
            return end;
        }

        condition(i) {
            this.insert(this.tokens[i].end, this.hook(i, ","));
            return this.matching(i);
        }

        before(i, hooked) {
            if (hooked)
                this.insert(this.tokens[i].at, this.hook(i));
        }

        statement(i, hooked) {
            const word = this.text(i), {kind} = this.tokens[i];
            if (word === "{")
                return this.block(i);
            if (word === ";")
                return i + 1;
            if (word === "if") {
                this.before(i, hooked);
                return this.branches(this.matching(i + 1));
            }
            if (word === "while")
                return this.body(this.condition(i + 1));
            if (word === "for")
                return this.loop(i, hooked);
            if (word === "switch") {
                this.before(i, hooked);
                return this.body(this.matching(i + 1));
            }
            if (word === "do")
                return this.condition(this.body(i + 1) + 1) + 1;
            if (word === "case" || this.text(i + 1) === ":" && kind === "word") {
                while (this.text(i) !== ":")
                    i++;
                return i + 1;
            }
            if (word === "PT_FINALLY")
                return i + 1;
            if (kind === "word" && this.text(i + 1) === "(" && !DECLARES.has(word)) {
                const behind = this.matching(i + 1);
                if (this.text(behind) === "{" || this.tokens[behind].kind === "word" && this.text(behind) !== "else") {
                    this.before(i, hooked);
                    return this.body(behind);
                }
            }
            const end = this.semicolon(i);
            if (hooked && word !== "PT_BARE_END" && !this.declares(i, end))
                this.before(i, true);
            return end;
        }

        branches(i) {
            i = this.body(i);
            if (this.text(i) !== "else")
                return i;
            return this.text(i + 1) === "if" ? this.branches(this.condition(i + 2)) : this.body(i + 1);
        }

        loop(i, hooked) {
            this.before(i, hooked);
            const end = this.matching(i + 1), first = this.semicolon(i + 2), second = this.semicolon(first);
            if (second < end - 1)
                this.insert(this.tokens[second].at, this.hook(i, ","));
            return this.body(end);
        }

        // Whether a statement only declares: nothing happens there.
        declares(i, end) {
            const words = this.tokens.slice(i, end).map((token) => token.text);
            if (words[0] === "static" || DECLARES.has(words[0]))
                return true;
            const declares = TYPES.has(words[0]) ||
                this.tokens[i].kind === "word" && this.tokens[i + 1].kind === "word";
            return declares && words[0] !== "return" && words[0] !== "goto" && !words.includes("=");
        }
    }

    // hooked - {text, lines, functions} of a program; a program that is no C throws.
    function hooked(source) {
        const walk = new Walk(source), text = walk.run();
        return {text, lines: [...walk.lines].sort((a, b) => a - b), functions: walk.functions};
    }

    return {hooked};
})();
