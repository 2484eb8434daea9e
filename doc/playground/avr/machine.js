// machine.js - an ATmega328P at 16 MHz: avr8js's processor, timer 1, UART and pins, and what avr8js lacks
// SPDX-License-Identifier: MIT
//
// avr8js executes SLEEP as a NOP. Here it stops the processor until an interrupt: only the clock continues, from one
// event of a peripheral to the next. Also added: after SEI and RETI one more instruction runs before an interrupt; an
// interrupt takes four cycles, and four more from a sleep; a compare match sets its flag at the timer's next clock, as
// in the data sheet; a write to TIFR1 clears only the flags that it names.
const { CPU } = require("./avr8js/cpu/cpu");
const { avrInstruction } = require("./avr8js/cpu/instruction");
const { AVRIOPort, portBConfig, portDConfig } = require("./avr8js/peripherals/gpio");
const { AVRTimer, timer1Config } = require("./avr8js/peripherals/timer");
const { AVRUSART, usart0Config } = require("./avr8js/peripherals/usart");

const HZ = 16000000;
const TICK = 1024; // cycles of a tick of the board's clock
const RAM_START = 0x100, RAM_BYTES = 2048, FLASH_BYTES = 32768;
const SLEEP = 0x9588, SEI = 0x9478, RETI = 0x9518;
const SREG = 0x5f, SMCR = 0x53, TIFR1 = 0x36, TCNT1 = 0x84, OCR1A = 0x88;
const I = 0x80, SE = 1;
const BUTTON = 2; // PD2
const LEDS = [5, 4]; // PB5, PB4

function flash(text) {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const memory = new Uint8Array(FLASH_BYTES);

    memory.set(bytes);
    return new Uint16Array(memory.buffer);
}

class Machine {
    constructor(program) {
        const cpu = new CPU(flash(program.flash), RAM_BYTES);

        this.program = program;
        this.cpu = cpu;
        this.leds = new AVRIOPort(cpu, portBConfig);
        this.pins = new AVRIOPort(cpu, portDConfig);
        this.timer = new AVRTimer(cpu, timer1Config);
        this.uart = new AVRUSART(cpu, usart0Config, HZ);
        this.asleep = false;
        this.stopped = false; // asleep with interrupts off: for ever
        this.held = false;    // the next instruction runs before any interrupt
        this.slept = 0;       // cycles
        this.wakes = 0;
        this.instructions = 0;
        this.deepest = cpu.SP; // the lowest stack pointer
        this.entry = { awake: 4, asleep: 8 }; // cycles until an interrupt's first instruction
        this.onEdge = () => {};
        this.onWake = () => {};
        this.button(false);
        this.watchOutputs();
        this.matchOneClockLater();
        this.clearNamedFlagsOnly();
    }

    // Tell onEdge(cycle, name, value) of each change of an LED, and of each byte that is sent.
    watchOutputs() {
        this.leds.addListener((now, before) => {
            LEDS.forEach((pin, led) => {
                if ((now ^ before) >> pin & 1)
                    this.onEdge(this.cpu.cycles, "led" + led, now >> pin & 1);
            });
        });
        this.uart.onByteTransmit = byte => this.onEdge(this.cpu.cycles, "uart", byte);
    }

    // Only of compare register A, since the board uses no other. The timer counts modulo 2 to the 16.
    matchOneClockLater() {
        const { cpu, timer } = this;

        timer.timerUpdated = (now, before) => {
            const left = timer.ocrA + 1 - before & 0xffff;

            if (left > 0 && left <= (now - before & 0xffff))
                cpu.setInterruptFlag(timer.OCFA);
        };
    }

    clearNamedFlagsOnly() {
        const { data, writeHooks } = this.cpu;
        const clear = writeHooks[TIFR1];

        writeHooks[TIFR1] = (value, ...rest) => {
            const kept = data[TIFR1] & ~value;

            clear(value, ...rest);
            data[TIFR1] = kept;
            return true;
        };
    }

    // The button connects its pin to ground.
    button(pressed) {
        this.pressed = pressed;
        this.pins.setPin(BUTTON, !pressed);
    }

    // A byte has arrived on the UART.
    receive(byte) {
        this.uart.writeByte(byte, true);
    }

    get pc() {
        return this.cpu.pc * 2;
    }

    get cycles() {
        return this.cpu.cycles;
    }

    get interruptsOn() {
        return this.cpu.interruptsEnabled;
    }

    get pending() {
        return this.cpu.nextInterrupt >= 0;
    }

    get clock() {
        return { counter: this.timer.debugTCNT, compare: this.word(OCR1A) };
    }

    word(address) {
        return this.cpu.data[address] | this.cpu.data[address + 1] << 8;
    }

    // One instruction; or in a sleep, up to the next event, at most up to the cycle LIMIT.
    step(limit = Infinity) {
        const { cpu } = this;

        if (this.asleep) {
            if (!this.pending) // a press or a byte may have come since
                this.rest(limit);
        } else {
            const opcode = cpu.progMem[cpu.pc];
            const on = cpu.interruptsEnabled;

            if (opcode === SLEEP && cpu.data[SMCR] & SE)
                this.fallAsleep();
            else
                avrInstruction(cpu);
            this.instructions++;
            this.held = opcode === RETI || (opcode === SEI && !on);
            this.deepest = Math.min(this.deepest, cpu.SP);
        }
        this.events();
        this.serve();
        this.stopped = this.asleep && !cpu.interruptsEnabled;
    }

    fallAsleep() {
        this.asleep = true;
        this.cpu.pc++;
        this.cpu.cycles++;
    }

    rest(limit) {
        const { cpu } = this;
        const next = cpu.nextClockEvent ? cpu.nextClockEvent.cycles : Infinity;
        const until = Math.max(cpu.cycles, Math.min(next, limit));

        if (until === Infinity)
            return;
        this.slept += until - cpu.cycles;
        cpu.cycles = until;
    }

    // What the peripherals do by now. The processor's tick also takes an interrupt, so they are off.
    events() {
        const { cpu } = this;
        const on = cpu.data[SREG] & I;

        if (!cpu.nextClockEvent || cpu.nextClockEvent.cycles > cpu.cycles)
            return;
        cpu.data[SREG] &= ~I;
        while (cpu.nextClockEvent && cpu.nextClockEvent.cycles <= cpu.cycles)
            cpu.tick();
        cpu.data[SREG] |= on;
    }

    // Take the pending interrupt, if there is one and it may come now.
    serve() {
        const { cpu } = this;

        if (this.held || !this.pending || !cpu.interruptsEnabled)
            return;
        cpu.cycles += (this.asleep ? this.entry.asleep : this.entry.awake) - 2; // avr8js adds two
        if (this.asleep) {
            this.wakes++;
            this.onWake(cpu.cycles);
        }
        this.asleep = false;
        cpu.tick();
        this.deepest = Math.min(this.deepest, cpu.SP);
    }

    // Run up to the cycle LIMIT.
    run(limit) {
        while (this.cpu.cycles < limit && !this.stopped)
            this.step(limit);
    }

    // --- what the program's tables say about an address ---

    // The index of the last entry that begins at ADDRESS or before it; -1 if there is none.
    static last(table, address) {
        let low = 0, high = table.length;

        while (low < high) {
            const middle = low + high >> 1;

            if (table[middle][0] <= address)
                low = middle + 1;
            else
                high = middle;
        }
        return low - 1;
    }

    static entry(table, address) {
        return table[Machine.last(table, address)] || [];
    }

    text(address) {
        const [at, text] = Machine.entry(this.program.code, address);

        return at === address ? text : "";
    }

    functionAt(address) {
        return Machine.entry(this.program.functions, address)[1] || "";
    }

    // [file, line], or [] where the compiler's library is.
    line(address) {
        return Machine.entry(this.program.lines, address).slice(1);
    }
}

module.exports = { Machine, HZ, TICK, RAM_START, RAM_BYTES, FLASH_BYTES, SREG, TCNT1 };
