// adc.js - the converter of an RP2040: a conversion takes its time, and a FIFO of four overflows
// SPDX-License-Identifier: MIT
//
// What rp2040js 1.4.1 does otherwise, and this class does as the data sheet says:
//   - the round robin goes from each channel of the group to the next one
//   - with a divider conversions begin at its rate; each takes 96 clocks of 48 MHz. One that runs
//     when START_MANY is cleared comes to its end: its result is in the FIFO, READY is 0 so long
//   - the DMA is asked as long as FCS says so
// `input(channel)` gives the value, at the begin of a conversion. Its jitter by a fraction of a
// clock, and errors of a conversion, are not modelled.
const { rp2040js } = require("./package");
const { RPADC } = rp2040js("peripherals/adc");

const CS = 0x00, FCS = 0x08;
const EN = 1 << 0, START_ONCE = 1 << 2, START_MANY = 1 << 3;
const FIFO_EN = 1 << 0, DREQ_EN = 1 << 3, OVER = 1 << 11;
const CLOCK_ENABLE = 1 << 11;
const CHANNELS = 5, CONVERSION = 96;

class Adc extends RPADC {
    constructor(chip, name) {
        super(chip, name);
        this.input = () => 0;
        this.value = 0;
        this.due = 0;       // when the next conversion begins
        this.waits = false; // for that
        this.end = chip.clock.createAlarm(() => this.ends());
        this.next = chip.clock.createAlarm(() => this.begins());
    }

    get tick() {
        return 1e9 / 48e6; // nanoseconds
    }

    get channel() {
        return this.cs >> 12 & 7;
    }

    begins() {
        const { clock, clocks } = this.rp2040;
        const period = this.clockDiv ? this.divider : 0;

        if (!(clocks.adcCtrl & CLOCK_ENABLE))
            throw new Error("the ADC has no clock");
        this.waits = false;
        this.due = clock.nanos + period * this.tick;
        this.busy = true;
        this.value = this.input(this.channel);
        this.end.schedule(CONVERSION * this.tick);
    }

    ends() {
        this.busy = false;
        this.result = this.value;
        if (this.fcs & FIFO_EN)
            this.put(this.value);
        this.goRound(this.cs >> 16 & 31);
        if (this.cs & START_MANY) {
            this.waits = true;
            this.next.schedule(Math.max(0, this.due - this.rp2040.clock.nanos));
        }
    }

    put(value) {
        if (this.fifo.full)
            this.fcs |= OVER;
        else
            this.fifo.push(value);
        this.updateDMA();
        this.checkInterrupts();
    }

    goRound(group) {
        let { channel } = this;

        if (!group)
            return;
        do
            channel = (channel + 1) % CHANNELS;
        while (!(group >> channel & 1));
        this.cs = this.cs & ~(7 << 12) | channel << 12;
    }

    updateDMA() {
        const { dma } = this.rp2040;

        if (this.fcs & DREQ_EN && this.fifo.itemCount >= (this.fcs >> 24 & 15))
            dma.setDREQ(this.dreq);
        else
            dma.clearDREQ(this.dreq);
    }

    writeUint32(offset, value) {
        const starts = offset === CS ? value & (START_ONCE | START_MANY) : 0;

        super.writeUint32(offset, offset === CS ? value & ~(START_ONCE | START_MANY) : value);
        if (offset === FCS)
            this.updateDMA();
        if (offset !== CS)
            return;
        this.cs |= starts & START_MANY;
        if (!starts) {
            this.waits = false;
            this.next.cancel();
        } else if (this.cs & EN && !this.busy && !this.waits)
            this.begins();
    }
}

module.exports = { Adc };
