// i2c.js - transactions on I2C that are canceled at every moment; the program is i2c.c
// SPDX-License-Identifier: MIT
//
// At 0x48 is a thermometer, TMP102, at 25.5 degrees. At 0x50 an EEPROM, AT24C02, that writes for 5
// ms and does not answer then. At 0x60 a memory whose place 0xff cannot be written. At 0x12 another
// controller takes the bus; the device at 0x13 holds SCL behind two bytes.
const { sweep } = require("./sweep");

const WRITING = 5e6; // nanoseconds

// A device with bytes that are read from a place on, and written there.
class Memory {
    constructor(size = 256) {
        this.bytes = Array.from({ length: size }, (_, at) => 3 * at & 0xff);
        this.at = 0;
    }

    start() {
        this.first = true;
        return true;
    }

    write(byte) {
        if (this.first)
            this.at = byte;
        else if (!this.put(byte))
            return false;
        this.first = false;
        return true;
    }

    put(byte) {
        if (this.at === 0xff)
            return false;
        this.bytes[this.at++] = byte;
        return true;
    }

    read() {
        return this.bytes[this.at++ % this.bytes.length];
    }

    stop() {}
}

class Eeprom extends Memory {
    constructor(clock) {
        super();
        this.clock = clock;
        this.until = 0;
    }

    start() {
        this.wrote = false;
        return this.clock.nanos >= this.until && super.start();
    }

    put(byte) { // a page of 8 bytes wraps
        const page = this.at & ~7;

        this.bytes[this.at] = byte;
        this.at = page | this.at + 1 & 7;
        return this.wrote = true;
    }

    stop() {
        if (this.wrote)
            this.until = this.clock.nanos + WRITING;
        this.wrote = false;
    }
}

class Thermometer extends Memory {
    constructor() {
        super(2);
        this.bytes = [0x19, 0x80];
    }

    put() {
        return true;
    }
}

class Hung extends Memory {
    hangs() {
        return this.at > 5 && this.at < 9;
    }
}

// What a canceled write has not sent is the program's again, which fills it with 0xee.
class Guarded extends Memory {
    put(byte) {
        this.wrong = this.wrong || byte === 0xee;
        return super.put(byte);
    }
}

function prepare(chip) {
    const memory = new Guarded();

    chip.i2c[0].on(5, 4).late = 30; // bits
    chip.i2c[0].others = 3;
    chip.i2c[0].devices = {
        0x12: { loses: true },
        0x13: new Hung(),
        0x48: new Thermometer(),
        0x50: new Eeprom(chip.clock),
        0x60: memory,
    };
    return () => memory.wrong && "what was taken back has been sent";
}

sweep(prepare, {
    end: 36000, // cycles: a transaction takes 32,000
    lent: "in",
    size: 0, // no DMA
    limit: 1e7,
    codes: [, "memory was written late", "the transaction behind it is not complete", "a canary",
        "a device was not read as it is", "an end has another code", "a bus has not come free",
        "it had to be reset"],
    tell: chip => `${chip.variable("canceled")} canceled, ${chip.i2c[0].aborted} on the wires`,
});
