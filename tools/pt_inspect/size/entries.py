# entries.py - the debug information: variables, types, sizes of frames
# SPDX-License-Identifier: MIT

import os

from ..dwarf import Information, leb
from .lines import Table

ARRAY, ENUMERATION, MEMBER, POINTER, STRUCT, UNION, CLASS = 0x01, 0x04, 0x0D, 0x0F, 0x13, 0x17, 0x02
INHERITANCE, SUBRANGE, BASE, VARIABLE = 0x1C, 0x21, 0x24, 0x34
STRUCTS = {STRUCT, UNION, CLASS}
NAME, LOCATION, SIZE, STMT_LIST, FOLDER, PLACE = 0x03, 0x02, 0x0B, 0x10, 0x1B, 0x38
UPPER, COUNT, ORIGIN, SPECIFICATION, DECLARATION, DECL_FILE, TYPE = 0x2F, 0x37, 0x31, 0x47, 0x3C, 0x3A, 0x49
LINKAGE, ADDR_BASE, STR_BASE = 0x6E, 0x73, 0x72
KEPT = {NAME, LOCATION, SIZE, STMT_LIST, FOLDER, PLACE, UPPER, COUNT, ORIGIN, SPECIFICATION, DECLARATION, DECL_FILE,
        TYPE, LINKAGE, ADDR_BASE, STR_BASE}  # fmt: skip


class Entry:
    """One entry, with its fields as they stand: the values are read when somebody asks."""

    __slots__ = ("unit", "tag", "fields", "children")

    def __init__(self, unit, tag, fields):
        self.unit, self.tag, self.fields, self.children = unit, tag, fields, []

    def number(self, field, default=None):
        return self.unit.number(*self.fields[field]) if field in self.fields else default

    def text(self, field):
        return os.fsdecode(self.unit.text(*self.fields[field][:2])) if field in self.fields else ""


class Entries:
    """All units of a program: their tables of lines, and their entries by their position."""

    def __init__(self, elf):
        self.elf, self.data = elf, Information(elf)
        self.found, self.tables, self.roots = {}, {}, []
        for unit in self.data.units():
            root = self.read(unit)
            self.roots.append(root)
            if STMT_LIST in root.fields:
                self.tables[unit] = self.table(root.number(STMT_LIST), root.text(FOLDER))

    def table(self, at, folder):
        """The lines of a unit; units can share them."""
        known = next((one for one in self.tables.values() if one.place == at), None)
        if known is None:
            known = Table(self.elf, at, folder)
            known.place, known.runs = at, list(known.sequences())
        return known

    def read(self, unit):
        table, info, at, around, root = unit.abbreviations(), self.data.info, unit.first, [], None
        while at < unit.end:
            place = at
            code, at = leb(info, at)
            if not code:
                if around:
                    around.pop()
                continue
            tag, children, forms = table[code]
            fields = {}
            for name, form, implicit in forms:
                if name in KEPT:
                    fields[name] = (form, at, implicit)
                at = unit.skip(form, at)
            self.found[place] = entry = Entry(unit, tag, fields)
            if around:
                around[-1].children.append(entry)
            if root is None:
                root = entry
                unit.strings = entry.number(STR_BASE, unit.strings)
                unit.addresses = entry.number(ADDR_BASE, 8)
            if children:
                around.append(entry)
        return root

    def to(self, entry, field):
        """The entry to which a field leads, or None."""
        if entry is None or field not in entry.fields:
            return None
        form = entry.fields[field][0]
        return self.found.get(entry.number(field) + (0 if form == 0x10 else entry.unit.start))

    def origin(self, entry, field):
        """The entry that has a field: this one, or the one that it is an instance of; or None."""
        while entry is not None and field not in entry.fields:
            entry = self.to(entry, ORIGIN) or self.to(entry, SPECIFICATION)
        return entry

    def text(self, entry, field):
        entry = self.origin(entry, field)
        return entry.text(field) if entry else ""

    def path(self, entry):
        """The file in which an entry is declared."""
        entry = self.origin(entry, DECL_FILE)
        table = entry and self.tables.get(entry.unit)
        return table.paths[entry.number(DECL_FILE)] if table else ""

    def address(self, entry):
        """The address of a variable, or None."""
        if LOCATION not in entry.fields:
            return None
        form, at, _ = entry.fields[LOCATION]
        if form not in (0x0A, 0x18):
            return None
        unit, info = entry.unit, self.data.info
        at = at + 1 if form == 0x0A else leb(info, at)[1]
        if info[at] == 0x03:
            return int.from_bytes(info[at + 1 : at + 1 + unit.address_size], self.data.byte_order)
        if info[at] == 0xA1:  # an index
            where = unit.addresses + leb(info, at + 1)[0] * unit.address_size
            words = self.elf.section(".debug_addr")
            return int.from_bytes(words[where : where + unit.address_size], self.data.byte_order)
        return None

    def plain(self, entry):
        """The type of an entry, without its other names and qualifiers."""
        entry = self.to(self.origin(entry, TYPE), TYPE)
        while entry is not None and entry.tag not in STRUCTS | {ARRAY, BASE, POINTER, ENUMERATION}:
            entry = self.to(entry, TYPE)
        return entry

    def size(self, kind):
        if kind is None:
            return 0
        if SIZE in kind.fields:
            return kind.number(SIZE)
        if kind.tag == ARRAY:
            return self.count(kind) * self.size(self.plain(kind))
        return kind.unit.address_size

    @staticmethod
    def count(array):
        """The elements of an array, in all its dimensions."""
        count = 1
        for one in array.children:
            if one.tag == SUBRANGE:
                count *= one.number(COUNT, one.number(UPPER, -1) + 1)
        return count

    def variables(self):
        """(entry, address) of each variable with an address."""
        for entry in self.found.values():
            if entry.tag == VARIABLE:
                at = self.address(entry)
                if at is not None:
                    yield entry, at

    def parts(self, kind, at, path):
        """(begin, end, file) of the parts of a type, those inside others behind them: a struct belongs to the file in
        which it is declared, what is in it and is none, too."""
        if kind is None:
            return
        if kind.tag == ARRAY:
            element = self.plain(kind)
            for i in range(self.count(kind) if element is not None and element.tag in STRUCTS else 0):
                yield from self.parts(element, at + i * self.size(element), path)
        elif kind.tag in STRUCTS and DECLARATION not in kind.fields:
            path = self.path(kind) or path
            yield at, at + self.size(kind), path
            members = [one for one in kind.children if one.tag in (MEMBER, INHERITANCE)]
            members.sort(key=lambda one: self.size(self.plain(one)))  # of a union the largest counts
            for one in members:
                if PLACE in one.fields or kind.tag == UNION:
                    yield from self.parts(self.plain(one), at + one.number(PLACE, 0), path)

    def frames(self):
        """The size of each struct, by its name: a body's frame has the name of the body."""
        return {one.text(NAME): one.number(SIZE) for one in self.found.values()
                if one.tag in STRUCTS and NAME in one.fields and SIZE in one.fields}  # fmt: skip
