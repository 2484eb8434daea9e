# places.py - from the addresses of a trace to functions and lines, by the ELF files of the program
# SPDX-License-Identifier: MIT

import re
import struct

from .. import dwarf
from .file import Damaged, readable

FUNCTION = 2  # the type of a symbol
ARM, AVR = 40, 83  # machines
RESERVED = {0xFFFE: "its PT_FINALLY", 0xFFFF: "its end"}  # where a function is that is at no suspension


def plain(name):
    """rocket of rocket_pt_, also in C++."""
    mangled = re.match(r"_ZL?(\d+)", name)
    if mangled:
        name = name[mangled.end() :][: int(mangled.group(1))]
    name = name.split(".")[0]
    for tail in ("_pt_", "_body_"):
        if name.endswith(tail):
            return name[: -len(tail)]
    return name


def shown(symbol):
    """The same for a reader, whatever the bytes of the symbol are."""
    return readable(plain(symbol).encode("latin-1"))


def suspension(label):
    """A place in a function, without its line."""
    return RESERVED.get(label) or "suspension %d" % label


class Program:
    """An ELF file: the names of its functions, and where its parts are."""

    def __init__(self, path):
        self.sections = dwarf.Sections(path)
        self.labels = dwarf.Labels(path)
        self.lines = None
        self.machine = self.sections.take("H", 18)[0]
        self.names = {}
        self.parts = []
        self.list_symbols()
        self.list_parts()

    def list_symbols(self):
        wide = self.sections.wide
        form = struct.Struct(self.sections.order + ("IBBHQQ" if wide else "IIIBBH"))
        for table, texts in ((".dynsym", ".dynstr"), (".symtab", ".strtab")):
            symbols, strings = self.sections.section(table), self.sections.section(texts)
            for at in range(0, len(symbols) - form.size + 1, form.size):
                row = form.unpack_from(symbols, at)
                name, info, value = (row[0], row[1], row[4]) if wide else (row[0], row[3], row[1])
                if info & 15 == FUNCTION and value:
                    end = strings.find(b"\0", name)
                    self.names[value & ~1 if self.machine == ARM else value] = strings[name:end].decode("latin-1")

    def list_parts(self):
        take, wide = self.sections.take, self.sections.wide
        table = take("Q", 32)[0] if wide else take("I", 28)[0]
        size, count = take("HH", 54 if wide else 42)
        for at in range(table, table + size * count, size):
            kind = take("I", at)[0]
            offset, address = take("QQ", at + 8) if wide else take("II", at + 4)
            length = take("Q", at + 32)[0] if wide else take("I", at + 16)[0]
            if kind == 1:
                self.parts.append((offset, length, address))

    def address_of(self, offset):
        """The address that the file gives to a byte of it."""
        for start, length, address in self.parts:
            if start <= offset < start + length:
                return offset - start + address
        return None

    def name(self, address):
        if self.machine == ARM:
            address &= ~1
        return self.names.get(address * 2 if self.machine == AVR else address)

    def symbol(self, function):
        """The symbol of a resumable function; None if there is none, or several."""
        found = {name for name in self.names.values() if name != function and plain(name) == function}
        return found.pop() if len(found) == 1 else None

    def line(self, name, label):
        """The line of a label; None if it is not known, or if several functions have the name."""
        if self.lines is None:
            self.labels.variables()  # reads all of it
            self.lines = {}
            for (function, _), labels in self.labels.known.items():
                self.lines.setdefault(function, []).append(labels)
        found = self.lines.get(name, [])
        return found[0].get(label) if len(found) == 1 else None


class Places:
    """The places of one trace. PROGRAM is the path that the user gave, or None."""

    def __init__(self, trace, program=None):
        self.trace = trace
        self.files = {}
        self.given = self.open(program) if program else None
        self.known = {}
        if program and not self.given:
            raise Damaged("%s: not a program" % program)

    def open(self, path):
        if path not in self.files:
            try:
                self.files[path] = Program(path)
            except dwarf.DAMAGED:
                self.files[path] = None
        return self.files[path]

    def find(self, address):
        """(program, symbol) of the function at ADDRESS, or (None, None)."""
        for start, end, offset, path in self.trace.maps:
            if start <= address < end:
                program = self.open(path) or self.given
                at = program and program.address_of(address - start + offset)
                return program, at is not None and program.name(at) or None
        return self.given, self.given and self.given.name(address)

    def function(self, address):
        """The name of a resumable function."""
        if address in self.trace.sites:
            return self.trace.sites[address][0]
        symbol = self.find(address)[1]
        return shown(symbol) if symbol else "%#x" % address

    def place(self, address, label):
        """Where a suspension is: as text."""
        key = (address, label)
        if key not in self.known:
            self.known[key] = self.describe(address, label)
        return self.known[key]

    def describe(self, address, label):
        if address in self.trace.sites and label not in RESERVED:
            function, file, line = self.trace.sites[address]
            if line:
                return "%s (%s:%d)" % (function, file.rsplit("/", 1)[-1], line)
        program, symbol = self.find(address)
        if not symbol and self.given and address in self.trace.sites:  # gdb gave only the name
            program, symbol = self.given, self.given.symbol(self.trace.sites[address][0])
        line = program.line(symbol, label) if symbol else None
        if line:
            return "%s (line %d)" % (shown(symbol), line)
        return "%s (%s)" % (self.function(address), suspension(label))
