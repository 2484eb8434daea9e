// program.js - an ELF file for the harness: what is in flash, and where each symbol is
// SPDX-License-Identifier: MIT
const fs = require("fs");

const LOAD = 1, SYMTAB = 2;

function text(bytes, at) {
    return bytes.toString("latin1", at, bytes.indexOf(0, at));
}

// The program of the file PATH: { segments: [{ address, bytes }], symbols: { name: address } }.
// A file that is not an ELF file is an image of the flash from its start.
function load(path) {
    const bytes = fs.readFileSync(path);
    const word = at => bytes.readUInt32LE(at), half = at => bytes.readUInt16LE(at);
    const program = { segments: [], symbols: {} };

    if (word(0) !== 0x464c457f) {
        program.segments.push({ address: 0x10000000, bytes });
        return program;
    }
    for (let i = 0, at = word(28); i < half(44); i++, at += half(42)) {
        if (word(at) === LOAD && word(at + 16))
            program.segments.push({
                address: word(at + 12),
                bytes: bytes.subarray(word(at + 4), word(at + 4) + word(at + 16)),
            });
    }
    const sections = word(32), each = half(46);
    for (let i = 0, at = sections; i < half(48); i++, at += each) {
        if (word(at + 4) !== SYMTAB)
            continue;
        const names = word(sections + word(at + 24) * each + 16);
        for (let from = word(at + 16); from < word(at + 16) + word(at + 20); from += 16)
            program.symbols[text(bytes, names + word(from))] = (word(from + 4) & ~1) >>> 0;
    }
    return program;
}

module.exports = { load };
