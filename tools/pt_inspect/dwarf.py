# dwarf.py - the source line of each label, from the debug information of a program
# SPDX-License-Identifier: MIT
#
# Each suspension has `enum { pt_here_ = ... }`, in a block of its own. Its DW_TAG_enumeration_type has
# the line of the suspension, and its enumerator the label. Debuggers keep the second, not the first.
# This reads only what it takes to find them: ELF, and of DWARF 2 to 5 the entries of functions.

import os
import struct
import zlib

NAME = b"pt_here_"
DAMAGED = (OSError, ValueError, KeyError, IndexError, OverflowError, struct.error, zlib.error)  # of a damaged file
MARK = b"pt_loop"  # in the debug information of each program that uses pt

TAG_ENUMERATION, TAG_SUBPROGRAM, TAG_ENUMERATOR, TAG_VARIABLE = 0x04, 0x2E, 0x28, 0x34
TAG_NAMESPACE = 0x39
AT_NAME, AT_CONST, AT_LINE, AT_SPECIFICATION, AT_ORIGIN = 0x03, 0x1C, 0x3B, 0x47, 0x31
AT_STR_OFFSETS_BASE, AT_SIBLING, AT_LINKAGE, AT_LOCATION = 0x72, 0x01, 0x6E, 0x02
AT_FOLDER, AT_SPLIT, AT_GNU_SPLIT = 0x1B, 0x76, 0x2130
OP_PLACE = (0x03, 0xA1, 0xFB)  # an address: the whole location of what is static
OP_THREAD = (0x9B, 0xE0)  # the end of the location of what each thread has

# The sizes of forms; a letter: "o" an offset, "a" an address, "u" and "s" LEB128.
FORMS = {
    0x01: "a", 0x03: "block2", 0x04: "block4", 0x05: 2, 0x06: 4, 0x07: 8, 0x08: "string",
    0x09: "blocku", 0x0A: "block1", 0x0B: 1, 0x0C: 1, 0x0D: "s", 0x0E: "o", 0x0F: "u",
    0x10: "o", 0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8, 0x15: "u", 0x16: "indirect", 0x17: "o",
    0x18: "blocku", 0x19: 0, 0x1A: "u", 0x1B: "u", 0x1C: 4, 0x1D: "o", 0x1E: 16, 0x1F: "o",
    0x20: 8, 0x21: "implicit", 0x22: "u", 0x23: "u", 0x24: 8, 0x25: 1, 0x26: 2, 0x27: 3,
    0x28: 4, 0x29: 1, 0x2A: 2, 0x2B: 3, 0x2C: 4, 0x1F01: "u", 0x1F02: "u", 0x1F20: "o", 0x1F21: "o",
}  # fmt: skip


class Sections:
    """The sections of an ELF file, by their names."""

    def __init__(self, path):
        if not os.path.isfile(path):
            raise OSError("not a file")  # a pipe or a device may have no end
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:4] != b"\x7fELF":
            raise ValueError("not an ELF file")
        self.wide = self.data[4] == 2
        self.order = "<" if self.data[5] == 1 else ">"
        self.found = {}
        self.list()

    def list(self):
        if self.wide:
            table, size, count, names = self.take("Q", 40) + self.take("HHH", 58)
            form = "IIQQQQIIQQ"
        else:
            table, size, count, names = self.take("I", 32) + self.take("HHH", 46)
            form = "IIIIIIIIII"
        rows = [self.take(form, table + i * size) for i in range(count)]
        base = rows[names][4] if rows else 0
        for row in rows:
            end = self.data.index(b"\0", base + row[0])
            self.found[self.data[base + row[0] : end].decode("latin-1")] = row

    def take(self, form, at):
        return struct.unpack_from(self.order + form, self.data, at)

    def section(self, name):
        row = self.found.get(name) or self.found.get(".z" + name[1:])
        if not row or row[1] == 8:  # SHT_NOBITS: a file from which it was taken away
            return b""
        data = self.data[row[4] : row[4] + row[5]]
        if name not in self.found:  # .zdebug_info: -gz=zlib-gnu
            return zlib.decompress(data[12:])
        if row[2] & 0x800:  # SHF_COMPRESSED
            data = zlib.decompress(data[24 if self.wide else 12 :])
        return data


def leb(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


class Information:
    """The sections with the debug information of a file. TAIL: that of their names in a split one, ".dwo"."""

    def __init__(self, sections, tail=""):
        self.order = sections.order
        self.byte_order = "little" if self.order == "<" else "big"
        self.info, self.abbrev, self.str, self.line_str, self.str_offsets = (
            sections.section(name + tail)
            for name in (".debug_info", ".debug_abbrev", ".debug_str", ".debug_line_str", ".debug_str_offsets")
        )

    def uses_pt(self):
        return MARK in self.str or MARK in self.info

    def units(self):
        at = 0
        while at < len(self.info):
            unit = Unit(self, at)
            yield unit
            at = unit.end


class Unit:
    """A compilation unit: where its entries are, and how they are coded."""

    def __init__(self, data, at):
        self.data, self.start = data, at
        info, order = data.info, data.order
        (length,) = struct.unpack_from(order + "I", info, at)
        self.offset_size, at = 4, at + 4
        if length == 0xFFFFFFFF:
            (length,) = struct.unpack_from(order + "Q", info, at)
            self.offset_size, at = 8, at + 8
        self.end = at + length
        (self.version,) = struct.unpack_from(order + "H", info, at)
        at += 2
        if self.version >= 5:
            self.kind, self.address_size = info[at], info[at + 1]
            table, at = self.offset(at + 2)
            at += {4: 8, 5: 8, 2: 8 + self.offset_size, 6: 8 + self.offset_size}.get(self.kind, 0)
        else:
            self.kind = 1
            table, at = self.offset(at)
            self.address_size, at = info[at], at + 1
        self.first = at
        self.table = table
        self.strings = 0 if self.version < 5 else 8 if self.offset_size == 4 else 16  # DW_AT_str_offsets_base

    def offset(self, at):
        form = "I" if self.offset_size == 4 else "Q"
        return struct.unpack_from(self.data.order + form, self.data.info, at)[0], at + self.offset_size

    def abbreviations(self):
        data, at, found = self.data.abbrev, self.table, {}
        while True:
            code, at = leb(data, at)
            if not code:
                return found
            tag, at = leb(data, at)
            children, at = data[at], at + 1
            fields = []
            while True:
                name, at = leb(data, at)
                form, at = leb(data, at)
                value = 0
                if form == 0x21:
                    value, at = leb(data, at)
                if not name:
                    break
                fields.append((name, form, value))
            found[code] = (tag, children, fields)

    def skip(self, form, at):
        """The position behind a value."""
        info, size = self.data.info, FORMS[form]
        if isinstance(size, int):
            return at + size
        if size in ("u", "s"):
            while info[at] >= 0x80:
                at += 1
            return at + 1
        if size == "o":
            old = form == 0x10 and self.version == 2
            return at + (self.address_size if old else self.offset_size)
        if size == "a":
            return at + self.address_size
        if size == "string":
            return info.index(b"\0", at) + 1
        if size == "implicit":
            return at
        if size == "indirect":
            form, at = leb(info, at)
            return self.skip(form, at)
        if size == "blocku":
            length, at = leb(info, at)
            return at + length
        width = int(size[5:])
        return at + width + int.from_bytes(info[at : at + width], self.data.byte_order)

    def number(self, form, at, implicit):
        if form == 0x21:
            return implicit
        if form in (0x0D, 0x0F, 0x15):
            return leb(self.data.info, at)[0]
        return int.from_bytes(self.data.info[at : self.skip(form, at)], self.data.byte_order)

    def text(self, form, at):
        source = self.data
        if form == 0x08:
            return source.info[at : source.info.index(b"\0", at)]
        if form in (0x0E, 0x1F):
            where, strings = self.offset(at)[0], source.line_str if form == 0x1F else source.str
        elif form in (0x1A, 0x1F02, 0x25, 0x26, 0x27, 0x28):
            index = self.number(0x0F if form in (0x1A, 0x1F02) else form, at, 0)
            place = self.strings + index * self.offset_size
            where = int.from_bytes(source.str_offsets[place : place + self.offset_size], source.byte_order)
            strings = source.str
        else:
            return b""
        return strings[where : strings.index(b"\0", where)]

    def symbol(self, table, at):
        """The symbol of the entry at a position: of a static member of a class, whose entry is not read otherwise."""
        code, at = leb(self.data.info, at)
        for name, form, _ in table[code][2]:
            if name == AT_LINKAGE:
                return self.text(form, at)
            at = self.skip(form, at)
        return b""

    def is_static(self, form, at):
        """Whether a location, if it is an expression, is that of a static or thread-local variable."""
        if form not in (0x0A, 0x18):
            return False
        info, end = self.data.info, self.skip(form, at)
        first = at + 1 if form == 0x0A else leb(info, at)[1]
        return first < end and (info[first] in OP_PLACE or info[end - 1] in OP_THREAD)

    def split(self):
        """(name, folder) of the file that has the unit itself, if it is split."""
        code, at = leb(self.data.info, self.first)
        values = {}
        for name, form, implicit in self.abbreviations()[code][2]:
            if name == AT_STR_OFFSETS_BASE:
                self.strings = self.number(form, at, implicit)
            values[name], at = (form, at), self.skip(form, at)
        where = AT_SPLIT if AT_SPLIT in values else AT_GNU_SPLIT
        return [os.fsdecode(self.text(*values[name])) if name in values else "" for name in (where, AT_FOLDER)]

    def functions(self, variables, homes):
        """[(name of a function, its line, {label: line})]; the names of static variables go to VARIABLES, those of
        functions with static variables of their own to HOMES. That of a static member of a class is its symbol."""
        info, at, found = self.data.info, self.first, {}
        table = self.abbreviations()
        depth, function, inside, line = 0, None, 0, 0
        around = []  # (depth, name) of each namespace around an entry
        while at < self.end:
            entry = at
            code, at = leb(info, at)
            if not code:
                depth -= 1
                if function and depth <= inside:
                    function = None
                if around and depth <= around[-1][0]:
                    around.pop()
                continue
            tag, children, fields = table[code]
            wanted = tag in (TAG_ENUMERATION, TAG_SUBPROGRAM, TAG_ENUMERATOR, TAG_VARIABLE, TAG_NAMESPACE)
            values, sibling = {}, 0
            for name, form, implicit in fields:
                if name == AT_STR_OFFSETS_BASE:
                    self.strings = self.number(form, at, implicit)
                if wanted and name in (AT_NAME, AT_CONST, AT_LINE, AT_SPECIFICATION, AT_ORIGIN, AT_LOCATION):
                    values[name] = (form, at, implicit)
                if name == AT_SIBLING:
                    sibling = self.start + self.number(form, at, implicit)
                at = self.skip(form, at)
            if tag == TAG_SUBPROGRAM:
                name = self.text(*values[AT_NAME][:2]) if AT_NAME in values else b""
                first = self.number(*values[AT_LINE]) if AT_LINE in values else 0
                for link in (AT_SPECIFICATION, AT_ORIGIN):
                    if link in values:
                        known = found.get(self.start + self.number(*values[link]))
                        name, first = (name or known[0], first or known[1]) if known else (name, first)
                function, inside = (name, first, {}), depth
                if link in values and known:
                    function[2].update(known[2])
                found[entry] = function
            elif tag == TAG_VARIABLE and function:
                if AT_LOCATION in values and self.is_static(*values[AT_LOCATION][:2]):
                    homes.add(b"::".join([*(name for _, name in around), function[0]]))
            elif tag == TAG_VARIABLE and not function and AT_NAME in values:
                scopes = [name for _, name in around]
                variables.add(b"::".join([*scopes, self.text(*values[AT_NAME][:2])]))
            elif tag == TAG_VARIABLE and not function and AT_SPECIFICATION in values:
                known = self.start + self.number(*values[AT_SPECIFICATION])
                variables.add(self.symbol(table, known) or self.symbol(table, entry))  # of gcc, or of clang
            elif tag == TAG_NAMESPACE and children:
                name = self.text(*values[AT_NAME][:2]) if AT_NAME in values else b"(anonymous namespace)"
                around.append((depth, name))
            elif tag == TAG_ENUMERATION and AT_LINE in values:
                line = self.number(*values[AT_LINE])
            elif tag == TAG_ENUMERATOR and function and AT_NAME in values and AT_CONST in values:
                if self.text(*values[AT_NAME][:2]) == NAME:
                    function[2][self.number(*values[AT_CONST])] = line
            if children:
                if depth and not function and sibling > at and tag != TAG_NAMESPACE:
                    at = sibling  # a type: nothing in it is a function's
                else:
                    depth += 1
        return found.values()


class Labels:
    """What a file tells, with its own debug information or a separate one. Nothing, if it does not use pt."""

    def __init__(self, path):
        self.known = {}  # (function, line): {label: line}
        self.names = set()
        self.home_names = set()
        self.units = []  # those that were not read yet
        self.lacks = False  # whether the file of a split unit was not found
        try:
            sections = Sections(path)
            if not sections.section(".debug_info"):
                sections = Sections(separate(sections, path))
            data = Information(sections)
            self.units = list(data.units()) if data.uses_pt() else []
            if sections.section(".debug_addr"):  # units can be split
                self.units += [whole for unit in data.units() for whole in self.elsewhere(unit, path)]
        except DAMAGED:
            pass  # a label without a line is printed as a number

    def elsewhere(self, unit, path):
        """The units of the .dwo file of a split unit; that can be beside the program."""
        name, folder = unit.split()
        for place in (os.path.join(folder, name), os.path.join(os.path.dirname(path), os.path.basename(name))):
            if name and os.path.isfile(place):
                data = Information(Sections(place), ".dwo")
                return data.units() if data.uses_pt() else ()
        self.lacks = self.lacks or bool(name)
        return ()

    def line(self, name, line, label):
        """The line of a label in the function NAME that begins in LINE; or None."""
        while self.units and label not in self.known.get((name, line), ()):
            self.read(self.units.pop())
        return self.known.get((name, line), {}).get(label)

    def variables(self):
        """The names of its static variables, without those of functions."""
        return self.all(self.names)

    def homes(self):
        """The names of the functions that have static variables."""
        return self.all(self.home_names)

    def uses_pt(self):
        return bool(self.units or self.names or self.known)

    def all(self, names):
        while self.units:
            self.read(self.units.pop())
        return {name.decode("utf-8", "replace") for name in names if name}

    def read(self, unit):
        try:
            functions = list(unit.functions(self.names, self.home_names))
        except DAMAGED:
            return  # a form that is not known
        for name, line, labels in functions:
            if labels:
                self.known.setdefault((name.decode("utf-8", "replace"), line), {}).update(labels)


def separate(sections, path):
    """The path of the separate debug file of a program, by its build ID or its debug link."""
    note = sections.section(".note.gnu.build-id")
    if len(note) > 20:
        number = note[16:].hex()
        by_id = "/usr/lib/debug/.build-id/%s/%s.debug" % (number[:2], number[2:])
        if os.path.exists(by_id):
            return by_id
    link = sections.section(".gnu_debuglink").split(b"\0")[0].decode()
    folder = os.path.dirname(os.path.realpath(path))
    for name in ("%s/%s" % (folder, link), "%s/.debug/%s" % (folder, link), "/usr/lib/debug%s/%s" % (folder, link)):
        if link and os.path.isfile(name):
            return name
    raise OSError("no debug information")
