// core.js - one of the two processors: rp2040js's Cortex-M0+ with sleep, events and pending
// interrupts as in the manual
// SPDX-License-Identifier: MIT
//
// What rp2040js 1.4.1 does otherwise, and this class does as the architecture says:
//   - wfi under PRIMASK ends when an interrupt pends, which stays pending until it is unmasked;
//     there its handler runs
//   - sev sends an event to all cores; SEVONPEND makes one of each interrupt that begins to pend,
//     enabled or not
//   - an interrupt pends from the edge of its line until its handler begins, and again if the line
//     is still high at the handler's end; software can pend and clear any
//   - what nothing implements, a jump to nowhere, an unknown instruction, is an error that ends the
//     run
const { rp2040js } = require("./package");
const { CortexM0Core } = rp2040js("cortex-m0-core");
const { RPPPB } = rp2040js("peripherals/ppb");

const WFE = 0xbf20, WFI = 0xbf30, SEV = 0xbf40;
const SCR = 0xd10, SEVONPEND = 1 << 4, ICPR = 0x280;
const LOWEST = 4;

class Core extends CortexM0Core {
    constructor(view, id, chip) {
        super(view);
        this.id = id;
        this.chip = chip;
        this.running = false;
        this.time = 0;           // nanoseconds: how far it has come
        this.instructions = 0;
        this.lines = 0;          // of interrupts, the level
        this.active = 0;         // interrupts whose handlers run
        this.scr = 0;
        this.byEvent = false;    // it sleeps by wfe, not by wfi
        this.slept = 0;          // how often
    }

    // Called for each instruction, too: an event leaves before the next instruction of any core.
    readUint16(address) {
        const value = super.readUint16(address);

        if (value >= WFE && value <= SEV && address === this.registers[15])
            this.hint(value);
        return value;
    }

    hint(opcode) {
        if (opcode === SEV)
            this.chip.event();
        else if (opcode === WFE || opcode === WFI)
            this.byEvent = opcode === WFE;
    }

    event() {
        this.eventRegistered = true;
    }

    // --- interrupts ---

    // The line of an interrupt rises or falls.
    setInterrupt(irq, high) {
        const bit = 1 << irq;

        if (high && !(this.lines & bit)) {
            this.lines |= bit;
            this.pend(bit);
        } else if (!high)
            this.lines &= ~bit;
    }

    pend(bits) {
        if (bits & ~this.pendingInterrupts && this.scr & SEVONPEND)
            this.event();
        this.pendingInterrupts |= bits;
        this.interruptsUpdated = true;
    }

    get pendingSystick() {
        return this.systickPends;
    }

    set pendingSystick(value) {
        if (value && !this.systickPends && this.scr & SEVONPEND)
            this.event();
        this.systickPends = value;
    }

    exceptionEntry(number) {
        super.exceptionEntry(number);
        if (number >= 16) {
            this.pendingInterrupts &= ~(1 << number - 16);
            this.active |= 1 << number - 16;
        }
    }

    exceptionReturn(value) {
        const bit = this.IPSR >= 16 ? 1 << this.IPSR - 16 : 0;

        super.exceptionReturn(value);
        this.active &= ~bit;
        if (this.lines & bit)
            this.pend(bit);
    }

    // Whether some interrupt would run if PRIMASK did not mask it (MASKED), or runs.
    interruptible(masked) {
        const enabled = this.pendingInterrupts & this.enabledInterrupts;
        const running = this.exceptionPriority(this.IPSR);

        if (this.PM && !masked)
            return false;
        if (this.systickPends && this.systickPriority < running)
            return true;
        if (this.pendingPendSV && this.pendSVPriority < running)
            return true;
        for (let priority = 0; enabled && priority < Math.min(running, LOWEST); priority++) {
            if (enabled & this.interruptPriorities[priority])
                return true;
        }
        return false;
    }

    // --- running ---

    get asleep() {
        return !this.running || (this.waiting && !this.wakes());
    }

    wakes() {
        return this.byEvent && this.eventRegistered || this.interruptible(!this.byEvent);
    }

    // One instruction; first the entry of an interrupt, if one is due. Returns its cycles.
    step() {
        if (this.waiting) {
            this.slept++;
            if (this.byEvent)
                this.eventRegistered = false;
            this.waiting = false;
        }
        const before = this.cycles;

        this.instructions++;
        this.chip.state.stepping = this;
        this.executeInstruction();
        return this.cycles - before; // a device can have made it longer
    }
}

// The registers that each core has for itself: NVIC, SysTick, SCR.
class Private extends RPPPB {
    readUint32(offset) {
        return offset === SCR ? this.rp2040.core.scr : super.readUint32(offset);
    }

    writeUint32(offset, value) {
        const { core } = this.rp2040;

        if (offset === SCR)
            core.scr = value;
        else if (offset === ICPR)
            core.pendingInterrupts &= ~value | core.lines & ~core.active;
        else if (offset === 0x200)
            core.pend(value);
        else
            super.writeUint32(offset, value);
    }
}

module.exports = { Core, Private };
