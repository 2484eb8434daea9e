# program.py - a linked program: its sections in memory, its symbols
# SPDX-License-Identifier: MIT

import os
from collections import namedtuple

from ..dwarf import Sections

Section = namedtuple("Section", "name at bytes size code written")  # BYTES: None of what the file does not have
Symbol = namedtuple("Symbol", "name at size kind file")
LABEL, OBJECT, FUNCTION, FILE = 0, 1, 2, 4  # kinds of symbols
NOBITS, SYMBOLS = 8, 2  # kinds of sections
WRITE, ALLOCATED, CODE, THREAD = 1, 2, 4, 0x400
ARM = 40
NOWHERE = 1 << 64


class Refused(Exception):
    """A program that cannot be measured, and why."""


class Program:
    def __init__(self, path):
        self.path = path
        if not os.path.isfile(path):
            raise Refused("there is no file %s" % path)
        try:
            self.elf = elf = Sections(path)
        except ValueError:
            raise Refused("%s is not a linked program (ELF)" % path)
        kind, self.machine = elf.take("HH", 16)
        if kind not in (2, 3):
            raise Refused("%s is not linked: an object file has no addresses" % path)
        if not elf.section(".debug_info"):
            raise Refused("%s has no debug information: compile with -g" % path)
        self.sections = [self.section(name, row) for name, row in elf.found.items() if self.is_in_memory(row)]
        self.symbols = list(self.read_symbols()) if ".symtab" in elf.found else []
        if not self.symbols:
            raise Refused("%s has no symbols: link without -s" % path)

    @staticmethod
    def is_in_memory(row):
        """Whether a section counts."""
        return row[2] & ALLOCATED and row[5]

    def section(self, name, row):
        kind, flags, at, offset, size = row[1:6]
        if flags & THREAD and kind == NOBITS:
            at = NOWHERE  # its addresses are those of the section behind it
        data = None if kind == NOBITS else self.elf.data[offset : offset + size]
        return Section(name, at, data, size, bool(flags & CODE), bool(flags & WRITE))

    def read_symbols(self):
        row, wide = self.elf.found[".symtab"], self.elf.wide
        names, file = self.elf.section(".strtab"), ""
        for at in range(row[4], row[4] + row[5], 24 if wide else 16):
            if wide:
                name, info, _, place, value, size = self.elf.take("IBBHQQ", at)
            else:
                name, value, size, info, _, place = self.elf.take("IIIBBH", at)
            text, kind = names[name : names.index(b"\0", name)].decode("latin-1"), info & 15
            if kind == FILE:
                file = text
            elif place:
                odd = kind == FUNCTION and self.machine == ARM  # of Thumb
                yield Symbol(text, value & ~1 if odd else value, size, kind, file if info >> 4 == 0 else "")
