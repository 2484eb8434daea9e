// stm32_units.js - USART and SPI of an STM32F4, as its manual (RM0090) says, for tests of chips/
// SPDX-License-Identifier: MIT
//
// No emulator here has them with their time and their interrupts. spi.js and usart.js attach them to
// an RP2040, whose interrupts 26 to 30 are free; a bit is so many cycles of its processor.
//
//   Usart    What it sends it receives, as by a wire. A byte takes ten bits; another one waits.
//            What is wrong with a byte is cleared by a read of SR and then of DR, and TC by a read
//            of SR that has seen it and then a write of DR, or by a 0: a driver that does otherwise
//            sees it. To 0x100 goes what is wrong with the next byte: FE, NE; ORE: the byte is lost,
//            and nothing is received.
//            0x104 is 1 while a byte is on the line.
//   Spi      RXNE comes half of a bit before the end of a byte, BSY ends `late` cycles after it. To
//            0x100 goes the chip select. The device answers a byte with one that is larger by 100.
//
// A byte that is lost within the driver, a chip select or a switch while a byte is on the line are
// errors of the program. DMA, parity, flow control and CRC are not modelled.
const { rp2040js } = require("./package");
const { BasePeripheral } = rp2040js("peripherals/peripheral");

const TEST = 0x100, LINE = 0x104;

class Unit extends BasePeripheral {
    constructor(chip, name, irq) {
        super(chip, name);
        this.irq = irq;
        this.shifts = -1; // the byte on the line
        this.waits = -1;  // the byte behind it
        this.data = 0;
        this.control = 0;
    }

    alarm(act) {
        return this.rp2040.clock.createAlarm(() => {
            act();
            this.update();
        });
    }

    after(alarm, cycles) {
        alarm.schedule(cycles * this.rp2040.cycle);
    }

    wrong(what) {
        throw new Error(`${this.name}: ${what}`);
    }

    // The program writes the data register.
    put(value) {
        if (this.waits >= 0)
            this.wrong("a byte is written over one that waits");
        if (this.shifts >= 0)
            this.waits = value & 0xff;
        else
            this.shift(value & 0xff);
    }

    readUint32(offset) {
        const value = this.get(offset);

        this.update();
        return value;
    }

    writeUint32(offset, value) {
        this.set(offset, value);
        this.update();
    }

    update() {
        this.rp2040.setInterrupt(this.irq, this.interrupts);
    }
}

const FE = 1 << 1, NE = 1 << 2, ORE = 1 << 3, RXNE = 1 << 5, TC = 1 << 6, TXE = 1 << 7;
const RE = 1 << 2, TE = 1 << 3, UE = 1 << 13;

class Usart extends Unit {
    constructor(...words) {
        super(...words);
        this.status = TC;
        this.seen = 0; // by the last read of SR
        this.bit = 0;
        this.fault = 0;
        this.end = this.alarm(() => this.shifted());
    }

    get flags() {
        return this.status | (this.waits < 0 ? TXE : 0);
    }

    get interrupts() {
        const asked = this.control & (RXNE | TC | TXE);

        return !!(this.flags & asked || this.status & ORE && asked & RXNE);
    }

    shift(byte) {
        if (~this.control & (UE | TE))
            this.wrong("it is not on");
        this.shifts = byte;
        this.after(this.end, 10 * this.bit);
    }

    shifted() {
        const { shifts, waits } = this;

        this.shifts = this.waits = -1;
        this.receive(shifts);
        if (waits >= 0)
            this.shift(waits);
        else
            this.status |= TC;
    }

    receive(byte) {
        const { fault } = this;

        this.fault = 0;
        if (~this.control & (UE | RE))
            return;
        if (this.status & RXNE || fault & ORE)
            this.status |= ORE;
        else {
            this.data = byte;
            this.status |= RXNE | fault;
        }
    }

    get(offset) {
        switch (offset) {
        case 0x00: return this.seen = this.flags;
        case 0x04:
            this.status &= ~(RXNE | this.seen & (FE | NE | ORE));
            this.seen = 0;
            return this.data;
        case 0x0c: return this.control;
        case LINE: return this.shifts >= 0 ? 1 : 0;
        }
        return this.wrong(`a read at ${offset}`);
    }

    set(offset, value) {
        switch (offset) {
        case 0x00: this.status &= value | ~(TC | RXNE); return;
        case 0x04:
            this.status &= ~(this.seen & TC);
            this.seen = 0;
            this.put(value);
            return;
        case 0x08: this.bit = value; return;
        case 0x0c: this.control = value; return;
        case TEST: this.fault = value; return;
        }
        this.wrong(`a write at ${offset}`);
    }
}

const SPI_RXNE = 1 << 0, SPI_TXE = 1 << 1, OVR = 1 << 6, BSY = 1 << 7;
const RXNEIE = 1 << 6, TXEIE = 1 << 7, MSTR = 1 << 2, SPE = 1 << 6;
const FORM = 0x3f; // mode and rate
const SPIN = 180;  // reads of SR while BSY is set: not longer than `late`

class Spi extends Unit {
    constructor(...words) {
        super(...words);
        this.status = 0;
        this.asked = 0;
        this.late = 0;
        this.polls = 0;
        this.selected = false;
        this.middle = this.alarm(() => this.received());
        this.end = this.alarm(() => this.rests());
    }

    get interrupts() {
        return !!(this.asked & RXNEIE && this.status & SPI_RXNE ||
            this.asked & TXEIE && this.waits < 0);
    }

    get bit() {
        return 2 << (this.control >> 3 & 7);
    }

    shift(byte) {
        if (~this.control & (MSTR | SPE))
            this.wrong("it is not on");
        this.shifts = byte;
        this.after(this.middle, 7.5 * this.bit);
        this.after(this.end, 8 * this.bit + this.late);
    }

    received() {
        if (this.status & SPI_RXNE)
            this.status |= OVR;
        else
            this.data = this.selected ? this.shifts + 100 & 0xff : 0xff;
        this.status |= SPI_RXNE;
    }

    rests() {
        const { waits } = this;

        this.shifts = this.waits = -1;
        if (waits >= 0)
            this.shift(waits);
    }

    get(offset) {
        switch (offset) {
        case 0x00: return this.control;
        case 0x04: return this.asked;
        case 0x08:
            this.polls = this.shifts < 0 ? 0 : this.polls + 1;
            if (this.polls > SPIN)
                this.wrong("the program spins for a byte");
            return this.status | (this.waits < 0 ? SPI_TXE : 0) | (this.shifts < 0 ? 0 : BSY);
        case 0x0c:
            this.status &= ~SPI_RXNE;
            return this.data;
        }
        return this.wrong(`a read at ${offset}`);
    }

    set(offset, value) {
        if (this.shifts >= 0 && (offset === 0x00 || offset === TEST))
            this.wrong("a byte is on the line");
        switch (offset) {
        case 0x00:
            if (this.control & value & SPE && (this.control ^ value) & FORM)
                this.wrong("its form changes while it is on");
            this.control = value;
            return;
        case 0x04: this.asked = value; return;
        case 0x0c: this.put(value); return;
        case TEST: this.selected = !!value; return;
        }
        this.wrong(`a write at ${offset}`);
    }
}

module.exports = { Spi, Usart };
