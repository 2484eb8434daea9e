// chip.js - an RP2040 with both of its cores, for tests: rp2040js 1.4.1, and here what that lacks
// SPDX-License-Identifier: MIT
//
// It models:
//   - two cores (core.js), each with its own NVIC, SysTick and number (sio.js), which share memory
//     and peripherals. Every interrupt of a peripheral goes to both, as on the chip; that of the
//     pins to core 0 alone (on the chip each core chooses its edges). A bus access takes no turn:
//     an instruction is one step, and no other core sees half of it.
//   - the start: both begin as behind the second stage of the boot, at the interrupt table at
//     0x10000100; core 1 waits in the boot ROM for the six words that start it
//   - the FIFOs between the cores, sev and wfe, and the 32 spinlocks with their owners
//   - TIMER with its alarms at the microsecond that equals them (peripherals.js), the UART with its
//     FIFOs, its time for a byte, its pause, and what is wrong with a byte
//   - SHOT, which no chip has: an interrupt after a number of cycles
//   - DMA and SPI whose transfers take time, and an abort that is slow: dma.js; a reset of the DMA
//   - the ADC with its round robin, its rate and its FIFO: adc.js
//   - I2C whose bytes take time, with an abort that waits for its STOP: wires.js
// It does not model caches, the write buffers, what a flash access costs, or bus priority: that an
// order of two cores is right is shown for one instruction after the other, not for reordered
// stores (an M0+ reorders none).
//
// A test makes `new Chip({ seed })`, loads a program, and calls `run(nanoseconds)`, or steps the
// cores itself. For a device of its own it gives its class: `chip.attach(address, peripheral)`.
const { rp2040js } = require("./package");
const { load } = require("./program");
const { Core, Private } = require("./core");
const { Locks, Sio } = require("./sio");
const { Adc } = require("./adc");
const { Dma, Spi } = require("./dma");
const { Resets, Shot, Timer, Uart } = require("./peripherals");
const { Wires } = require("./wires");
const { RP2040 } = rp2040js("rp2040");
const { SimulationClock } = rp2040js("clock/simulation-clock");

const TABLE = 0x10000100;
const PINS_IRQ = 13, FIFO_IRQ = 15;
const UARTS = [0x40034000, 0x40038000], SPIS = [0x4003c000, 0x40040000];
const I2CS = [0x40044000, 0x40048000];
const ADC_BASE = 0x4004c000, DMA_BASE = 0x50000000;
const RESETS_BASE = 0x4000c000, TIMER_BASE = 0x40054000, SHOT_BASE = 0x40070000;

// What rp2040js tells of is a mistake of the program, or nothing: a mistake ends the run.
const logger = {
    debug() {},
    info() {},
    warn(name, message) {
        throw new Error(`${name}: ${message}`);
    },
    error(name, message) {
        throw new Error(`${name}: ${message}`);
    },
};

class Chip extends RP2040 {
    constructor({ seed = 0 } = {}) {
        super(new SimulationClock());
        this.logger = logger;
        // What changes as the chip runs; not in the chip itself, because the cores' views inherit
        // from that, and node is slow when such an object changes.
        this.state = {
            random: seed >>> 0,
            stalls: seed !== 0,  // cores stall now and then
            ended: undefined,    // the program's exit code
            stepping: undefined, // the core that runs an instruction
        };
        this.program = undefined;
        this.locks = new Locks();
        this.sios = [];
        this.cores = [0, 1].map(id => this.makeCore(id));
        this.core = this.cores[0];
        this.addClockListener(hertz => {
            for (const core of this.cores)
                core.rp2040.ppb.systickTimer.frequency = hertz;
        });
        this.attach(RESETS_BASE, new Resets(this, "RESETS"));
        this.attach(TIMER_BASE, new Timer(this, "TIMER"));
        this.attach(SHOT_BASE, this.shot = new Shot(this, "SHOT"));
        this.dma = this.attach(DMA_BASE, new Dma(this, "DMA"));
        this.adc = this.attach(ADC_BASE, new Adc(this, "ADC"));
        this.spi = this.spi.map(({ name, irq, dreq }, index) =>
            this.attach(SPIS[index], new Spi(this, name, irq, dreq)));
        this.uart = this.uart.map(({ name, irq, dreq }, index) =>
            this.attach(UARTS[index], new Uart(this, name, irq, dreq)));
        this.i2c = this.i2c.map(({ name, irq }, index) =>
            this.attach(I2CS[index], new Wires(this, name, irq)));
        this.boot = []; // the words that have come for core 1
    }

    // A core sees the chip as itself, but with its own core and private registers.
    makeCore(id) {
        const view = Object.create(this);
        const core = new Core(view, id, this);

        view.core = core;
        view.ppb = new Private(view, "PPB");
        view.sio = this.sios[id] = new Sio(view, core, this);
        view.onBreak = code => this.breakpoint(code, core);
        return core;
    }

    // PERIPHERAL answers at ADDRESS, in the place of what was there.
    attach(address, peripheral) {
        this.peripherals[address >>> 14 << 2] = peripheral;
        return peripheral;
    }

    load(path) {
        this.program = load(path);
        for (const { address, bytes } of this.program.segments)
            this.flash.set(bytes, address & 0xffffff);
        this.start(this.cores[0], TABLE, this.readUint32(TABLE), this.readUint32(TABLE + 4));
    }

    start(core, table, stack, entry) {
        core.VTOR = table;
        core.SP = stack;
        core.PC = entry & ~1;
        core.time = this.clock.nanos;
        core.running = true;
    }

    // The value of the 32-bit variable NAME.
    variable(name) {
        return this.readUint32(this.program.symbols[name]);
    }

    // --- what the cores share ---

    setInterrupt(irq, high) {
        for (const core of this.cores || []) {
            if (core.id === 0 || irq !== PINS_IRQ)
                core.setInterrupt(irq, high);
        }
    }

    event() {
        for (const core of this.cores)
            core.event();
    }

    // The boot ROM on core 1: it answers each word with the same word, and a wrong one with what it
    // waits for.
    fifoWritten(to) {
        if (to.id !== 1 || to.running)
            return;
        const sio = this.sios[1];
        const word = sio.pull();
        const expected = [0, 0, 1][this.boot.length];

        if (expected !== undefined && word !== expected)
            this.boot = [];
        else
            this.boot.push(word);
        sio.push(word);
        if (this.boot.length === 6) {
            this.start(to, this.boot[3], this.boot[4], this.boot[5]);
            this.boot = [];
        }
    }

    // A program ends as in qemu, by semihosting: SYS_EXIT_EXTENDED.
    breakpoint(code, core) {
        if (code !== 0xab || core.registers[0] !== 0x20)
            throw new Error(`core ${core.id} stops at 0x${core.PC.toString(16)}, with ${code}`);
        this.state.ended = this.readUint32(core.registers[1] + 4);
    }

    // --- time ---

    get cycle() {
        return 1e9 / this.clkSys; // nanoseconds
    }

    // By the seed, each core now and then waits: for up to 200 cycles, after up to 64 instructions.
    stall(core) {
        if (!this.state.stalls)
            return 0;
        core.rested = (core.rested || 1) - 1;
        if (core.rested > 0)
            return 0;
        core.rested = 1 + this.draw(64);
        return this.draw(200);
    }

    draw(below) {
        const { state } = this;

        state.random = Math.imul(state.random, 1664525) + 1013904223 >>> 0;
        return Math.floor(state.random / 2 ** 32 * below);
    }

    // One instruction of CORE, whatever the other one does: for a test that decides the order.
    step(core) {
        core.time = this.clock.nanos + core.step() * this.cycle;
        this.clock.tick(core.time - this.clock.nanos);
    }

    // The next instruction is of the core that is behind. False: both sleep, and nothing can wake
    // them.
    advance() {
        const { clock } = this;
        const [first, second] = this.cores;
        let core = first;

        if (first.asleep) {
            if (second.asleep)
                return this.rest();
            core = second;
        } else if (!second.asleep && second.time < first.time)
            core = second;
        core.time = Math.max(core.time, clock.nanos);
        core.time += (core.step() + this.stall(core)) * this.cycle;
        this.catchUp();
        return true;
    }

    // The clock follows the core that is behind.
    catchUp() {
        const { clock } = this;
        const [first, second] = this.cores;
        let time = first.asleep ? Infinity : first.time;

        if (!second.asleep && second.time < time)
            time = second.time;
        if (time !== Infinity && time > clock.nanos)
            clock.tick(time - clock.nanos);
    }

    rest() {
        const { clock } = this;

        if (!clock.nextAlarm)
            return false;
        clock.tick(Math.max(0, clock.nextAlarm.nanos - clock.nanos));
        return true;
    }

    // Run until the program ends, or for NANOS. Returns its exit code, or undefined.
    run(nanos = Infinity) {
        const end = this.clock.nanos + nanos;

        while (this.state.ended === undefined && this.clock.nanos < end) {
            if (!this.advance())
                break;
        }
        return this.state.ended;
    }
}

module.exports = { Chip };
