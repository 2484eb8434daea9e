// dma.js - DMA and SPI whose transfers take time, and an abort that is slow: for tests of drivers
// SPDX-License-Identifier: MIT
//
// In rp2040js 1.4.1 a transfer takes no time, an abort is over at once, and CHAN_ABORT reads as all
// ones. A driver that is tried on that alone is not tried. For a test of a driver use these, which
// Chip has in their places, or derive your own from them and attach it:
//
//   Dma      An item is read, and written after a while: that long it is in flight. A channel has
//            one item in flight. `delay` gives the cycles, by the seed: mostly a few, now and then
//            up to `slowest`; then WRITE_ADDR and TRANS_COUNT change. BUSY is clear as soon as an
//            abort was written; the bit of CHAN_ABORT reads as 1 until the item has been written.
//            An abort with an item in flight raises the channel's interrupt, although nothing is
//            complete (erratum RP2040-E13). To start a channel whose abort is not over is an error;
//            one that is not enabled does not start.
//            `written(address, size, channel)` is called at each write.
//   Spi      A frame takes its bits at the bit rate; BSY ends `late` cycles after the last bit, as
//            long as the test likes. Requests to the DMA only if SSPDMACR allows them.
//            `exchange(value)` is the device: it gives the answer to a frame.
//
// The ADC's requests are in adc.js, the UART's in peripherals.js. I2C's are not modelled.
const { rp2040js } = require("./package");
const { RPDMA, RPDMAChannel } = rp2040js("peripherals/dma");
const { RPSPI } = rp2040js("peripherals/spi");

const BUSY = 1 << 24, IRQ_QUIET = 1 << 21, RING_SEL = 1 << 10;
const INCR_WRITE = 1 << 5, INCR_READ = 1 << 4, EN = 1 << 0;
const CHAN_ABORT = 0x444;
const BSY = 1 << 4, SSPSR = 0x0c, SSPDMACR = 0x24, RX_DMA = 1, TX_DMA = 2;

class Channel extends RPDMAChannel {
    constructor(dma, chip, index) {
        super(dma, chip, index);
        this.flying = null; // the item in flight: { value, to, size }
        this.aborts = false;
        this.transferAlarm = chip.clock.createAlarm(() => this.take());
        this.landing = chip.clock.createAlarm(() => this.land());
    }

    start() {
        if (this.aborts && this.ctrl & EN)
            throw new Error(`DMA channel ${this.index} is started before its abort is over`);
        super.start();
    }

    // An item that is in flight already asks for the next one when it lands.
    scheduleTransfer() {
        if (!this.flying && this.active)
            super.scheduleTransfer();
    }

    take() {
        const { dataSize: size, rp2040: chip, readAddr: from, writeAddr: to } = this;
        const value = size === 1 ? chip.readUint8(from) :
            size === 2 ? chip.readUint16(from) : chip.readUint32(from);

        if (this.ctrl & INCR_READ)
            this.readAddr = this.after(from, !(this.ctrl & RING_SEL));
        this.flying = { value, to, size };
        this.landing.schedule(this.dma.delay() * chip.cycle);
    }

    after(address, inRing) {
        const mask = inRing ? this.ringMask : 0;
        const next = address + this.dataSize;

        return mask ? address & ~mask | next & mask : next;
    }

    land() {
        const { dma, rp2040: chip } = this;
        const { value, to, size } = this.flying;

        this.flying = null;
        if (size === 1)
            chip.writeUint8(to, value);
        else if (size === 2)
            chip.writeUint16(to, value);
        else
            chip.writeUint32(to, value);
        dma.written(to, size, this.index);
        if (this.ctrl & INCR_WRITE)
            this.writeAddr = this.after(to, this.ctrl & RING_SEL);
        this.transCount--;
        if (this.aborts)
            this.aborts = false;
        else if (this.transCount > 0)
            this.scheduleTransfer();
        else
            this.complete();
    }

    complete() {
        this.ctrl &= ~BUSY;
        if (!(this.ctrl & IRQ_QUIET))
            this.dma.raise(this.index);
        if (this.chainTo !== this.index)
            this.dma.channels[this.chainTo].start();
    }

    abort() {
        super.abort();
        if (this.flying && !this.aborts) {
            this.aborts = true;
            this.dma.raise(this.index);
        }
    }

    reset() {
        super.reset();
        if (!this.landing) // of the constructor of the class above
            return;
        this.flying = null;
        this.aborts = false;
        this.ctrl &= ~BUSY;
        this.transferAlarm.cancel();
        this.landing.cancel();
    }
}

class Dma extends RPDMA {
    constructor(chip, name) {
        super(chip, name);
        this.chip = chip;
        this.channels = this.channels.map((_, index) => new Channel(this, chip, index));
        this.slowest = 4000;
        this.written = () => {};
        this.aborted = 0; // aborts with an item in flight
    }

    reset() {
        for (const channel of this.channels)
            channel.reset();
        this.intRaw = this.intEnable0 = this.intEnable1 = 0;
        this.checkInterrupts();
    }

    delay() {
        const { chip } = this;

        return 2 + chip.draw(chip.draw(4) ? 16 : this.slowest);
    }

    raise(index) {
        this.intRaw |= 1 << index;
        this.checkInterrupts();
    }

    readUint32(offset) {
        if (offset !== CHAN_ABORT)
            return super.readUint32(offset);
        return this.channels.reduce((bits, { aborts, index }) => bits | aborts << index, 0);
    }

    writeUint32(offset, value) {
        if (offset === CHAN_ABORT)
            this.aborted += this.channels.some(({ flying, index }) => flying && value >> index & 1);
        super.writeUint32(offset, value);
    }
}

class Spi extends RPSPI {
    constructor(...words) {
        super(...words);
        this.exchange = () => 0xff;
        this.late = 0;
        this.rests = true;
        this.end = this.rp2040.clock.createAlarm(() =>
            this.completeTransmit(this.exchange(this.sent)));
        this.rest = this.rp2040.clock.createAlarm(() => (this.rests = true));
        this.onTransmit = value => {
            this.sent = value;
            this.rests = false;
            this.rest.cancel();
            this.end.schedule(1e9 * this.dataBits / this.clockFrequency);
        };
    }

    completeTransmit(value) {
        super.completeTransmit(value);
        if (!this.busy)
            this.rest.schedule(this.late * this.rp2040.cycle);
    }

    updateDMATx() {
        if (this.dmaControl & TX_DMA)
            super.updateDMATx();
        else
            this.rp2040.dma.clearDREQ(this.dreq.tx);
    }

    updateDMARx() {
        if (this.dmaControl & RX_DMA)
            super.updateDMARx();
        else
            this.rp2040.dma.clearDREQ(this.dreq.rx);
    }

    readUint32(offset) {
        const value = super.readUint32(offset);

        return offset === SSPSR && !this.rests ? value | BSY : value;
    }

    writeUint32(offset, value) {
        super.writeUint32(offset, value);
        if (offset === SSPDMACR) {
            this.updateDMATx();
            this.updateDMARx();
        }
    }
}

module.exports = { Channel, Dma, Spi };
