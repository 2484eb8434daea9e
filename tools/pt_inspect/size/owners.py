# owners.py - of each byte: who it belongs to
# SPDX-License-Identifier: MIT
#
# Code belongs to the file of its line: what is inlined stands in a header of pt, what a macro becomes in the program.
# RAM belongs to the file that declares the innermost struct, a constant to the file that defines it. So the task in
# front of a frame is pt's, and the frame is the program's.

import os
import re
from collections import namedtuple

from .entries import LINKAGE, NAME
from .program import FUNCTION, LABEL, OBJECT

Owner = namedtuple("Owner", "path calls")  # CALLS: a line of the program that names pt
ROOMS = "base queue coroutine loop scope run sync inspect ports stack host net classic".split()
HEADER = re.compile(r"(?:.*/)?pt/((?:%s)/.*\.h|\w+\.h)|(?:.*/)?(pt_single\.h)" % "|".join(ROOMS))
LIBRARY = re.compile(r".*/(libgcc|compiler-rt|newlib|picolibc|avr-libc)/.*")
MARK = re.compile(r"\$|\.L|_?_?(data|bss|ctors|dtors|trampolines|stack|heap|e?text|end)\w*$|_e\w+$")  # of a linker
NOBODY = Owner("", False)  # of the compiler's libraries, or without debug information
TEXTS = Owner("texts", False)  # constants without a name


def header(path):
    """A header of pt, as a program includes it: scope/timeout.h; or None."""
    match = HEADER.fullmatch(path)
    return match and (match.group(1) or match.group(2))


class Sources:
    """The lines of the program's files, where they are at hand."""

    def __init__(self):
        self.lines = {}

    def names_pt(self, path, line):
        if path not in self.lines:
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    self.lines[path] = file.read().split("\n")
            except OSError:
                self.lines[path] = []
        here = self.lines[path][line - 1 : line]
        return bool(here and re.search(r"\b(PT|pt)_", here[0]))


class Owners:
    """BYTES: by section, an owner for each byte; INSIDE: by section, the function that it stands in."""

    def __init__(self, program, entries):
        self.program, self.entries, self.sources = program, entries, Sources()
        self.bytes = {one: [None] * one.size for one in program.sections}
        self.inside = {one: [None] * one.size for one in program.sections}
        self.at = {}
        for symbol in program.symbols:
            self.at.setdefault(symbol.at, []).append(symbol)
        self.files = {os.path.basename(root.text(NAME)): self.whole(root) for root in entries.roots}
        for symbol in sorted(program.symbols, key=lambda one: -one.size):
            if symbol.size and symbol.kind in (LABEL, FUNCTION, OBJECT):
                self.paint_symbol(symbol)
        for table in set(entries.tables.values()):
            for runs in table.runs:
                self.paint_code(runs)
        self.paint_data()
        for section in program.sections:
            self.name_rest(section)

    @staticmethod
    def whole(root):
        """The path of a unit."""
        return os.path.normpath(os.path.join(root.text(0x1B), root.text(NAME)))

    def place(self, at, size):
        """(section, first, end) of a range of addresses, as indices into it; or None."""
        for section in self.bytes:
            if section.at <= at < section.at + section.size:
                return section, at - section.at, min(at - section.at + size, section.size)
        return None

    def paint(self, where, at, size, owner):
        found = self.place(at, size)
        if found and size > 0:
            section, first, end = found
            where[section][first:end] = [owner] * (end - first)

    def paint_symbol(self, symbol):
        """Before anything is known of its bytes: the file that the linker names, if a unit has its name."""
        path = self.files.get(os.path.basename(symbol.file), "")
        self.paint(self.bytes, symbol.at, symbol.size, Owner(path, False) if path else NOBODY)
        if symbol.kind != OBJECT:
            self.paint(self.inside, symbol.at, symbol.size, symbol.name)

    def is_kept(self, runs):
        """Whether the linker has kept a sequence of instructions: it puts those that it drops at the address 0."""
        if not runs:
            return False
        begin, end = runs[0].begin, runs[-1].end
        if begin > 1:
            return True
        return any(one.kind == FUNCTION and one.at + one.size == end for one in self.at.get(begin, ()))

    def paint_code(self, runs):
        if not self.is_kept(runs):
            return
        for run in runs:
            found = self.place(run.begin, run.end - run.begin)
            if found and found[0].code and run.path:
                section, first, end = found
                names = self.inside[section]
                while names[end - 1] != names[first]:
                    end -= 1  # of an AVR, whose linker shortens code without its lines
                calls = header(run.path) is None and self.sources.names_pt(run.path, run.line)
                owner = NOBODY if LIBRARY.match(run.path) else Owner(run.path, calls)
                self.bytes[section][first:end] = [owner] * (end - first)

    def paint_data(self):
        for entry, at in self.entries.variables():
            names = {self.entries.text(entry, NAME), self.entries.text(entry, LINKAGE)}
            symbol = next((one for one in self.at.get(at, ()) if one.size and one.name.split(".")[0] in names), None)
            if symbol is None:
                continue  # a variable that the linker has dropped
            path, kind = self.entries.path(entry), self.entries.plain(entry)
            self.paint(self.bytes, at, symbol.size, Owner(path, False))
            if self.place(at, 1) and self.place(at, 1)[0].written:
                for begin, end, file in self.entries.parts(kind, at, path):
                    self.paint(self.bytes, begin, end - begin, Owner(file, False))

    def name_rest(self, section):
        """What no symbol and no line has: texts and constants, or code without debug information."""
        owners = self.bytes[section]
        labels = {one.at - section.at for one in self.program.symbols
                  if section.code and one.kind in (LABEL, FUNCTION) and not MARK.match(one.name)}  # fmt: skip
        inside = False
        for i, owner in enumerate(owners):
            inside = (inside or i in labels) and owner is None
            if owner is None:
                owners[i] = NOBODY if inside else TEXTS
