// wires.js - the I2C of an RP2040 on wires that take their time, with devices that mind
// SPDX-License-Identifier: MIT
//
// What rp2040js 1.4.1 does otherwise, and this class does as the data sheet says:
//   - a byte takes nine bits at the rate that is set, START and STOP one; a STOP `late` bits more.
//     So an abort ends late: behind the byte on the wires, and a STOP. `others`: for so many bits
//     another controller still has the bus; its STOP is seen, too
//   - TX_EMPTY is a level: it is set while there are no more commands than TX_TL
//   - an abort empties both FIFOs, and they take nothing until CLR_TX_ABRT is read; only that read
//     clears TX_ABRT_SOURCE
//   - the mask of the interrupts, the hold time of SDA, and a reset by RESETS
// A mistake of the driver ends the run: a START while SDA is low, on pins that are not the I2C's,
// or without a STOP before; the controller disabled while it is active; a command while it is
// disabled.
//
// `devices` has a device for each address: start(read) and write(byte) say whether it acknowledges;
// read(); stop(). One that `loses` is never reached: another controller has the bus. One that
// hangs() holds SCL. If it sends when the controller is reset, it holds SDA, for nine clocks.
const { rp2040js } = require("./package");
const { RPI2C } = rp2040js("peripherals/i2c");

const DATA_CMD = 0x10, INTR_MASK = 0x30, ENABLE = 0x6c, SDA_HOLD = 0x7c;
const TX_ABRT_SOURCE = 0x80, USER = 1 << 16;
const TX_EMPTY = 1 << 4, TX_ABRT = 1 << 6, STOP_DET = 1 << 9;
const ON = 1 << 0, IDLE = 0, READ = 1, BY_I2C = 3, CLOCKS = 9;

class Wires extends RPI2C {
    constructor(chip, name, irq) {
        super(chip, name, irq);
        this.devices = {};
        this.pins = []; // until `on`: it does not look at them
        this.late = 0;
        this.others = 0;
        this.aborted = 0; // how often it was told to, and had the bus
        this.device = undefined; // that has acknowledged
        this.sends = false;
        this.clocks = 0; // until SDA is free
        this.hold = 1;
        this.next = chip.clock.createAlarm(() => this.then());
        this.onStart = restart => this.whenFree(restart, () => this.started(restart));
        this.onConnect = (address, mode) =>
            this.after(9, () => this.addressed(address, mode === READ));
        this.onWriteByte = byte => this.after(9, () => this.completeWrite(this.device.write(byte)));
        this.onReadByte = () => this.after(9, () => this.completeRead(this.device.read()));
        this.onStop = () => this.after(1 + this.late, () => this.stopped());
    }

    // The pins, whose SDA a device can hold.
    on(scl, sda) {
        this.pins = [scl, sda].map(number => this.rp2040.gpio[number]);
        for (const pin of this.pins)
            pin.setInputValue(true);
        this.pins[0].addListener(state => state && this.clocks && this.holdFor(this.clocks - 1));
        return this;
    }

    whenFree(restart, then) {
        if (restart || !this.others) {
            this.after(1, then);
            return;
        }
        this.after(this.others, () => {
            this.setInterrupts(STOP_DET);
            this.after(1, then);
        });
    }

    get bit() {
        return (this.sclLowPeriod + this.sclHighPeriod) * this.rp2040.cycle; // nanoseconds
    }

    after(bits, then) {
        this.then = then;
        if (!this.device || !this.device.hangs || !this.device.hangs())
            this.next.schedule(bits * this.bit);
    }

    started(restart) {
        if (this.pins.some(pin => pin.functionSelect !== BY_I2C))
            throw new Error("I2C: START on pins that are not its own");
        if (this.clocks)
            throw new Error("I2C: START while SDA is low");
        if (this.device && !restart)
            throw new Error("I2C: START, and there was no STOP");
        this.completeStart();
    }

    addressed(address, read) {
        const device = this.devices[address];

        if (device && device.loses) {
            this.arbitrationLost();
            return;
        }
        this.device = device && device.start(read) ? device : undefined;
        this.sends = read;
        this.completeConnect(!!this.device);
    }

    stopped() {
        if (this.device)
            this.device.stop();
        this.device = undefined;
        this.completeStop();
        this.update();
    }

    // A device holds SDA until it has had so many CLOCKS.
    holdFor(clocks) {
        this.clocks = clocks;
        this.pins[1].setInputValue(!clocks);
    }

    // --- the registers ---

    update() {
        if (this.enable & ON && this.txFIFO.itemCount <= this.txThreshold)
            this.intRaw |= TX_EMPTY;
        else
            this.intRaw &= ~TX_EMPTY;
        this.checkInterrupts();
    }

    nextCommand() {
        super.nextCommand();
        this.update();
    }

    abort(reason) {
        this.aborted += reason === USER;
        this.abortSource |= reason;
        this.txFIFO.reset();
        this.rxFIFO.reset();
        this.intRaw |= TX_ABRT;
        this.update();
    }

    readUint32(offset) {
        return offset === TX_ABRT_SOURCE ? this.abortSource : super.readUint32(offset);
    }

    writeUint32(offset, value) {
        if (offset === DATA_CMD && !(this.enable & ON))
            throw new Error("I2C: a command, and it is not enabled");
        if (offset === DATA_CMD && this.intRaw & TX_ABRT)
            return;
        if (offset === ENABLE && !(value & ON) && this.state !== IDLE)
            throw new Error("I2C: disabled while it is active");
        if (offset === SDA_HOLD)
            this.hold = value;
        else if (offset === INTR_MASK)
            this.intEnable = value;
        else
            super.writeUint32(offset, value);
        this.update();
    }

    reset() {
        if (this.device && this.sends)
            this.holdFor(CLOCKS);
        this.next.cancel();
        this.device = undefined;
        this.state = IDLE;
        this.busy = this.stop = this.pendingRestart = false;
        this.enable = this.intRaw = this.intEnable = this.abortSource = 0;
        this.txFIFO.reset();
        this.rxFIFO.reset();
        this.checkInterrupts();
    }
}

module.exports = { Wires };
