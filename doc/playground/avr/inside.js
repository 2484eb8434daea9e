// inside.js - what the processor is at: its line of source, its next instructions, its registers
// SPDX-License-Identifier: MIT
const { draw, say, hex, shortName } = require("./draw");
const { Machine, SREG } = require("./machine");
const { names, texts } = require("./data");

const FLAGS = "ITHSVNZC";
const AROUND = 3; // lines of source, and instructions

class Inside {
    constructor() {
        this.where = draw("p", { class: "source" });
        this.source = draw("pre", { role: "group", "aria-label": "Lines of source", tabindex: 0 });
        this.instructions = draw("pre", { role: "group", "aria-label": "Instructions", tabindex: 0 });
        this.code = draw("div", { class: "inside" }, draw("h3", {}, "Where it is"), this.where, this.source,
                         this.instructions);
        this.special = draw("dl", { class: "numbers" });
        this.general = Array.from({ length: 32 }, () => draw("b", {}));
        this.registers = draw("details", { open: true }, draw("summary", {}, "Registers"), this.special,
            draw("div", { class: "registers" }, ...this.general.map((value, number) =>
                draw("span", {}, `r${number} `, value))));
    }

    show(machine) {
        const { cpu, pc } = machine;
        const at = machine.asleep ? pc - 2 : pc; // a sleep has left its instruction
        const { counter, compare } = machine.clock;
        const flags = [...FLAGS].map((flag, bit) => cpu.data[SREG] >> 7 - bit & 1 ? flag : "-").join("");

        this.showPlace(machine, at);
        this.general.forEach((value, number) => say(value, hex(cpu.data[number], 2)));
        this.special.replaceChildren(...[["PC", hex(pc, 4)], ["SP", hex(cpu.SP, 4)], ["SREG", flags],
            ["TCNT1", hex(counter, 4)], ["OCR1A", hex(compare, 4)]].map(([term, value]) =>
                draw("div", {}, draw("dt", {}, term), draw("dd", {}, value))));
    }

    showPlace(machine, pc) {
        if (this.machine === machine && this.pc === pc)
            return;
        this.machine = machine;
        this.pc = pc;

        const [file, line] = machine.line(pc);
        const { code } = machine.program;
        const at = Machine.last(code, pc);
        const lines = file === undefined ? [] : Object.entries(texts[file])
            .filter(([number]) => Math.abs(number - line) <= AROUND)
            .map(([number, text]) => [Number(number) === line, text]);

        say(this.where, file === undefined ? "the start" :
            `${machine.functionAt(pc)}, ${shortName(names[file])}:${line}`);
        this.fill(this.source, lines);
        this.fill(this.instructions, code.slice(Math.max(0, at - AROUND), at + AROUND + 1)
            .map(([address, text]) => [address === pc, `${hex(address, 4)}  ${text}`]));
    }

    fill(element, lines) {
        element.replaceChildren(...lines.map(([here, text]) =>
            draw("span", { class: here ? "line here" : "line" }, text + "\n")));
    }
}

module.exports = { Inside };
