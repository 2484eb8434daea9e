// peripherals.js - TIMER, UART, RESETS of the harness, and an interrupt that no chip has
// SPDX-License-Identifier: MIT
const { rp2040js } = require("./package");
const { BasePeripheral } = rp2040js("peripherals/peripheral");
const { RPReset } = rp2040js("peripherals/reset");
const { RPTimer } = rp2040js("peripherals/timer");
const { RPUART } = rp2040js("peripherals/uart");

// An alarm rings when the low 32 bits of the microseconds become equal: one that is set to now, or
// past, rings in 71 minutes. A program must look at the clock behind it.
class Timer extends RPTimer {
    writeUint32(offset, value) {
        super.writeUint32(offset, value);
        if (offset >= 0x10 && offset < 0x20) {
            const now = this.clock.nanos;
            const micros = Math.floor(now / 1000);
            const wait = (value - micros - 1 >>> 0) + 1;

            this.alarms[(offset - 0x10) / 4].clockAlarm.schedule((micros + wait) * 1000 - now);
        }
    }
}

const DR = 0x00, FR = 0x18, IBRD = 0x24, FBRD = 0x28, LCR_H = 0x2c, IFLS = 0x34;
const RIS = 0x3c, MIS = 0x40, ICR = 0x44, DMACR = 0x48;
const FR_BUSY = 1 << 3, FR_RXFE = 1 << 4, FR_TXFF = 1 << 5, FR_RXFF = 1 << 6, FR_TXFE = 1 << 7;
const RX = 1 << 4, TX = 1 << 5, PAUSE = 1 << 6, OVERRUN = 1 << 10;
const DR_OVERRUN = 1 << 11;
const RX_DMA = 1, TX_DMA = 2;
const BITS = 10; // of a byte on the line
const LEVELS = [4, 8, 16, 24, 28];

// The UART: a byte takes its time on the line, in both directions; FIFOs of 32 bytes, or of one;
// interrupts at the levels, after a pause of 32 bits, and at an overrun; requests to the DMA.
// `onByte(byte)` gets what was sent, when its stop bit ends. `receive(word)` brings a byte at once,
// with bits of DR that say what is wrong with it. The first byte behind an overrun says so, too. A
// rate or a line that changes while it is on is an error of the program; a line without FIFOs
// empties them.
class Uart extends RPUART {
    constructor(...words) {
        super(...words);
        this.txFIFO = [];
        this.bytes = [];
        this.shifting = -1;
        this.levels = 0x12;
        this.raw = 0;
        this.dmaControl = 0;
        this.shift = this.rp2040.clock.createAlarm(() => this.shifted());
        this.lost = 0; // of the next byte
        this.pause = this.rp2040.clock.createAlarm(() => this.bytes.length && this.set(PAUSE));
    }

    get depth() {
        return this.fifosEnabled ? 32 : 1;
    }

    get bit() {
        return 1e9 * 16 * this.baudDivider / this.rp2040.clkPeri; // nanoseconds
    }

    get flags() {
        const { bytes, depth, txFIFO } = this;

        return (this.shifting >= 0 || txFIFO.length ? FR_BUSY : 0) |
            (txFIFO.length >= depth ? FR_TXFF : 0) | (txFIFO.length ? 0 : FR_TXFE) |
            (bytes.length >= depth ? FR_RXFF : 0) | (bytes.length ? 0 : FR_RXFE);
    }

    set(bits) {
        this.raw |= bits;
        this.checkInterrupts();
    }

    checkInterrupts() {
        if (this.raw !== undefined) // the constructor of the class above asks before
            this.rp2040.setInterrupt(this.irq, !!(this.raw & this.interruptMask));
    }

    // The levels make an interrupt when they are crossed; a FIFO that was emptied, or filled, ends
    // it.
    update() {
        const rx = this.fifosEnabled ? LEVELS[this.levels >> 3 & 7] : 1;
        const tx = this.fifosEnabled ? LEVELS[this.levels & 7] : 0;
        const wanted = this.dmaControl;

        this.raw = this.bytes.length >= rx ? this.raw | RX : this.raw & ~RX;
        this.raw = this.txFIFO.length <= tx ? this.raw | TX : this.raw & ~TX;
        if (!this.bytes.length)
            this.raw &= ~PAUSE;
        this.checkInterrupts();
        this.request(this.dreq.rx, wanted & RX_DMA && this.bytes.length);
        this.request(this.dreq.tx, wanted & TX_DMA && this.txFIFO.length < this.depth);
    }

    request(number, wanted) {
        const { dma } = this.rp2040;

        if (wanted)
            dma.setDREQ(number);
        else
            dma.clearDREQ(number);
    }

    receive(word) {
        if (!this.enabled || !this.rxEnabled)
            return;
        if (this.bytes.length >= this.depth) {
            this.raw |= OVERRUN;
            this.lost = DR_OVERRUN;
        } else {
            this.bytes.push(word | this.lost);
            this.lost = 0;
        }
        if (this.fifosEnabled)
            this.pause.schedule(32 * this.bit);
        this.update();
    }

    send() {
        if (this.shifting >= 0 || !this.txFIFO.length)
            return;
        this.shifting = this.txFIFO.shift();
        this.shift.schedule(BITS * this.bit);
        this.update();
    }

    shifted() {
        const byte = this.shifting;

        this.shifting = -1;
        if (this.onByte)
            this.onByte(byte);
        this.send();
        this.update();
    }

    readUint32(offset) {
        switch (offset) {
        case DR: {
            const byte = this.bytes.length ? this.bytes.shift() : 0;

            this.update();
            return byte;
        }
        case FR:
            return this.flags;
        case IFLS:
            return this.levels;
        case RIS:
            return this.raw;
        case MIS:
            return this.raw & this.interruptMask;
        case DMACR:
            return this.dmaControl;
        }
        return super.readUint32(offset);
    }

    writeUint32(offset, value) {
        switch (offset) {
        case DR:
            if (this.txFIFO.length < this.depth)
                this.txFIFO.push(value & 0xff);
            this.send();
            this.update();
            return;
        case IBRD:
        case FBRD:
        case LCR_H:
            if (this.enabled)
                throw new Error("UART: its rate or its line changes while it is on");
            super.writeUint32(offset, value);
            if (!this.fifosEnabled)
                [this.bytes, this.txFIFO] = [[], []];
            this.update();
            return;
        case IFLS:
            this.levels = value;
            this.update();
            return;
        case ICR:
            this.raw &= ~value;
            this.checkInterrupts();
            return;
        case DMACR:
            this.dmaControl = value;
            this.update();
            return;
        }
        super.writeUint32(offset, value);
    }
}

// RESETS: of the DMA and of I2C alone.
const RESET = 0x00, DMA = 1 << 2, I2C = 3;

class Resets extends RPReset {
    writeUint32(offset, value) {
        const { dma, i2c } = this.rp2040;

        super.writeUint32(offset, value);
        if (offset !== RESET)
            return;
        if (value & DMA)
            dma.reset();
        i2c.forEach((bus, index) => value >> I2C + index & 1 && bus.reset());
    }
}

// No chip has it. N to the register at 0: interrupt 31 comes after N cycles, once; 0: not any more.
// N to the one at 4: the core that writes stands still for N cycles.
const SHOT_IRQ = 31;

class Shot extends BasePeripheral {
    constructor(chip, name) {
        super(chip, name);
        this.alarm = chip.clock.createAlarm(() => {
            for (const core of chip.cores)
                core.pend(1 << SHOT_IRQ);
        });
    }

    writeUint32(offset, value) {
        if (offset === 4) {
            this.rp2040.state.stepping.cycles += value;
            return;
        }
        this.alarm.cancel();
        if (value)
            this.alarm.schedule(value * this.rp2040.cycle);
    }
}

module.exports = { Resets, Shot, Timer, Uart };
