// sio.js - what a core finds at 0xd0000000: its number, its end of the FIFOs, the spinlocks, and
// the pins of all
// SPDX-License-Identifier: MIT
//
// A spinlock knows who took it: that a core takes its own again, or returns one that it does not
// hold, is an error, for on the chip the first hangs and the second frees the other core's.
const { rp2040js } = require("./package");
const { RPSIO } = rp2040js("sio");

const CPUID = 0, PINS = 0x04, PINS_END = 0x50;
const FIFO_ST = 0x50, FIFO_WR = 0x54, FIFO_RD = 0x58, LOCKS_ST = 0x5c;
const LOCK0 = 0x100, LOCKS_END = 0x180;
const VALID = 1, READY = 2, OVERFLOW = 4, UNDERFLOW = 8;
const DEPTH = 8, FIFO_IRQ = 15;

class Locks {
    constructor() {
        this.owners = Array(32).fill(-1);
        this.taken = 0;
        this.refused = 0; // tries while the other core had it
    }

    take(index, core) {
        if (this.owners[index] === core.id)
            throw new Error(`core ${core.id} takes spinlock ${index} twice`);
        if (this.owners[index] >= 0) {
            this.refused++;
            return 0;
        }
        this.owners[index] = core.id;
        this.taken++;
        return 1 << index;
    }

    give(index, core) {
        const owner = this.owners[index];

        if (owner >= 0 && owner !== core.id)
            throw new Error(`core ${core.id} returns spinlock ${index} of core ${owner}`);
        this.owners[index] = -1;
    }

    get state() {
        return this.owners.reduce((bits, owner, index) => bits | (owner >= 0 ? 1 << index : 0), 0);
    }
}

class Sio extends RPSIO {
    constructor(view, core, chip) {
        super(view);
        this.core = core;
        this.chip = chip;
        this.received = []; // the FIFO to this core
        this.errors = 0;
    }

    get other() {
        return this.chip.sios[1 - this.core.id];
    }

    updateInterrupt() {
        const { core } = this;

        core.setInterrupt(FIFO_IRQ + core.id, this.received.length > 0 || this.errors !== 0);
    }

    readUint32(offset) {
        if (offset >= LOCK0 && offset < LOCKS_END)
            return this.chip.locks.take((offset - LOCK0) / 4, this.core);
        if (offset >= PINS && offset < PINS_END)
            return this.chip.sio.readUint32(offset);
        switch (offset) {
        case CPUID:
            return this.core.id;
        case FIFO_ST:
            return (this.received.length ? VALID : 0) |
                (this.other.received.length < DEPTH ? READY : 0) | this.errors;
        case FIFO_RD:
            return this.pull();
        case LOCKS_ST:
            return this.chip.locks.state;
        }
        return super.readUint32(offset);
    }

    writeUint32(offset, value) {
        if (offset >= LOCK0 && offset < LOCKS_END)
            this.chip.locks.give((offset - LOCK0) / 4, this.core);
        else if (offset >= PINS && offset < PINS_END)
            this.chip.sio.writeUint32(offset, value);
        else if (offset === FIFO_ST)
            this.setErrors(0);
        else if (offset === FIFO_WR)
            this.push(value);
        else
            super.writeUint32(offset, value);
    }

    setErrors(errors) {
        this.errors = errors;
        this.updateInterrupt();
    }

    push(value) {
        if (this.other.received.length === DEPTH) {
            this.setErrors(this.errors | OVERFLOW);
            return;
        }
        this.other.received.push(value >>> 0);
        this.other.updateInterrupt();
        this.chip.fifoWritten(this.other.core);
    }

    pull() {
        const value = this.received.shift();

        if (value === undefined)
            this.errors |= UNDERFLOW;
        this.updateInterrupt();
        return value === undefined ? 0 : value;
    }
}

module.exports = { Locks, Sio };
