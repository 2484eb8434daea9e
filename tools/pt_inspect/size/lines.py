# lines.py - the table of lines: which file and line each instruction comes from
# SPDX-License-Identifier: MIT

import os
import struct
from collections import namedtuple

from ..dwarf import leb

Run = namedtuple("Run", "begin end path line")
PATH, FOLDER = 1, 2  # what an entry of the lists of names holds
COPY, ADVANCE, ADVANCE_LINE, SET_FILE, ADD_LAST, ADD_FIXED = 1, 2, 3, 4, 8, 9
END, SET_ADDRESS = 1, 2  # extended


class Cursor:
    """Reads one value after the other."""

    def __init__(self, data, order, at=0):
        self.data, self.order, self.at = data, order, at

    def number(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "little" if self.order == "<" else "big")

    def leb(self):
        value, self.at = leb(self.data, self.at)
        return value

    def signed(self):
        start, value = self.at, self.leb()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def text(self):
        end = self.data.index(b"\0", self.at)
        text, self.at = self.data[self.at : end], end + 1
        return os.fsdecode(text)


class Table:
    """The lines of one unit: the paths of its files, and RUNS, a list of each sequence of instructions."""

    def __init__(self, elf, at, folder):
        self.elf, self.folder = elf, folder
        self.read = read = Cursor(elf.section(".debug_line"), elf.order, at)
        self.offset_size, length = 4, read.number(4)
        if length == 0xFFFFFFFF:
            self.offset_size, length = 8, read.number(8)
        self.end = read.at + length
        self.version = read.number(2)
        if self.version >= 5:
            read.at += 2  # sizes of an address and of a segment
        program = read.number(self.offset_size) + read.at
        self.step = read.number(1)
        if self.version >= 4:
            read.at += 1  # instructions of a bundle
        read.at += 1
        (self.base,) = struct.unpack("b", bytes([read.number(1)]))
        self.range, self.first = read.number(1), read.number(1)
        self.lengths = [read.number(1) for _ in range(self.first - 1)]
        self.read_names_5() if self.version >= 5 else self.read_names()
        read.at = program

    def read_names(self):
        """Up to DWARF 4: folder 0 is the unit's, and the first file has the number 1."""
        folders, self.paths = [self.folder], [""]
        while folder := self.read.text():
            folders.append(os.path.join(self.folder, folder))
        while name := self.read.text():
            place = self.read.leb()
            self.read.leb(), self.read.leb()  # time, size
            self.paths.append(os.path.normpath(os.path.join(folders[place], name)))

    def read_names_5(self):
        folders = [os.path.join(self.folder, one[PATH]) for one in self.list()]
        self.paths = [os.path.normpath(os.path.join(folders[one.get(FOLDER, 0)], one[PATH])) for one in self.list()]

    def list(self):
        form = [(self.read.leb(), self.read.leb()) for _ in range(self.read.number(1))]
        return [{what: self.value(kind) for what, kind in form} for _ in range(self.read.leb())]

    def value(self, form):
        read = self.read
        if form in (0x0E, 0x1F):
            strings = self.elf.section(".debug_str" if form == 0x0E else ".debug_line_str")
            return Cursor(strings, self.elf.order, read.number(self.offset_size)).text()
        if form == 0x08:
            return read.text()
        if form == 0x0F:
            return read.leb()
        return read.number({0x0B: 1, 0x05: 2, 0x06: 4, 0x1E: 16}[form])

    def sequences(self):
        read, found, row = self.read, [], None
        at, file, line = 0, 1, 1

        def close():
            if row and row[0] < at:
                found.append(Run(row[0], at, self.paths[row[1]], row[2]))

        while read.at < self.end:
            code = read.number(1)
            if code >= self.first:
                at += (code - self.first) // self.range * self.step
                line += self.base + (code - self.first) % self.range
                close()
                row = (at, file, line)
            elif code == COPY:
                close()
                row = (at, file, line)
            elif code == ADVANCE:
                at += read.leb() * self.step
            elif code == ADVANCE_LINE:
                line += read.signed()
            elif code == SET_FILE:
                file = read.leb()
            elif code == ADD_LAST:
                at += (255 - self.first) // self.range * self.step
            elif code == ADD_FIXED:
                at += read.number(2)
            elif code:
                for _ in range(self.lengths[code - 1]):
                    read.leb()
            else:
                length = read.leb()
                behind, what = read.at + length, read.number(1)
                if what == END:
                    close()
                    yield found
                    found, row = [], None
                    at, file, line = 0, 1, 1
                elif what == SET_ADDRESS:
                    at = read.number(length - 1)
                read.at = behind
