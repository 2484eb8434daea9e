# report.py - the sums as plain data, and as a table
# SPDX-License-Identifier: MIT

import os
import re
from collections import Counter

from .entries import Entries
from .owners import NOBODY, ROOMS, TEXTS, Owners, header
from .program import Program

BODY = re.compile(r"((?:.*::)?(\w+))_pt_(?:\.[\w.]+)?$")  # what PT_ASYNC names a body
PT, PROGRAM, REST = "pt", "program", "rest"
RESTS = {
    TEXTS: "texts, constants without a name, padding",
    NOBODY: "startup and libraries: without debug information, or the compiler's",
}
NAMES_PT = "lines that name pt"


def plain(name):
    """A name of C++ as the source has it, with its namespaces and without its parameters."""
    parts, rest = [], re.sub("^_ZN?", "", name)
    while rest != name and (length := re.match(r"L?(\d+)", rest)):
        end = length.end() + int(length.group(1))
        parts.append(rest[length.end() : end])
        rest = rest[end:]
    return "::".join(parts) or name


def part(owner):
    """Where a byte stands in the table: (part, room, file); of the program the file and its kind of lines."""
    if owner in RESTS:
        return REST, RESTS[owner], ""
    name = header(owner.path)
    if name is None:
        return PROGRAM, owner.path, NAMES_PT if owner.calls else ""
    room, slash, _ = name.partition("/")
    return PT, room if slash else "faces", name


def weigh(path):
    """The bytes of a program: {"sections", "parts": {part: [flash, RAM]}, "bodies": {name: [flash, pt's, frame]}}."""
    program = Program(path)
    entries = Entries(program.elf)
    owners = Owners(program, entries)
    flash, ram, bodies, frames = Counter(), Counter(), {}, entries.frames()
    for section in program.sections:
        parts = {owner: part(owner) for owner in set(owners.bytes[section])}
        for owner, name in zip(owners.bytes[section], owners.inside[section]):
            place = parts[owner]
            flash[place] += section.bytes is not None
            ram[place] += section.written
            body = name and BODY.match(plain(name))
            if body:
                row = bodies.setdefault(body.group(1), [0, 0, frames.get(body.group(2), 0)])
                row[0] += 1
                row[1] += place[0] == PT
    return {"program": path, "parts": {one: [flash[one], ram[one]] for one in {*flash, *ram}}, "bodies": bodies}


def less(these, others):
    """Rows of numbers minus those of another program."""
    width = len(next(iter({**these, **others}.values()), ()))
    nothing = [0] * width
    return {key: [a - b for a, b in zip(these.get(key, nothing), others.get(key, nothing))]
            for key in {*these, *others}}  # fmt: skip


def beside(found, other):
    """What a program has more than another one."""
    return {
        "program": found["program"], "beside": other["program"], "parts": less(found["parts"], other["parts"]),
        "bodies": less(found["bodies"], other["bodies"]),
    }  # fmt: skip


def total(parts):
    return [sum(row[i] for row in parts.values()) for i in (0, 1)]


def data(found):
    """All of it, as JSON has it."""
    flash, ram = total(found["parts"])
    parts = []
    for (top, name, detail), row in sorted(found["parts"].items()):
        if any(row):
            kind = {PT: "room", PROGRAM: "file", REST: "what"}[top]
            parts.append({"part": top, kind: name, "detail": detail, "flash": row[0], "ram": row[1]})
    bodies = [{"body": name, "flash": row[0], "of_pt": row[1], "frame": row[2]}
              for name, row in sorted(found["bodies"].items()) if any(row)]  # fmt: skip
    names = {name: found[name] for name in ("program", "beside") if name in found}
    return {**names, "flash": flash, "ram": ram, "parts": parts, "bodies": bodies}


def sums(parts, key):
    """The rows under a key, and their sum: [(key, [flash, RAM], rows)], the largest first."""
    groups = {}
    for one, row in parts.items():
        if any(row):
            groups.setdefault(key(one), {})[one] = row
    rows = [(name, total(inside), inside) for name, inside in groups.items()]
    return sorted(rows, key=lambda row: (-row[1][0], -row[1][1], row[0]))


def line(row, depth, name):
    return "%7d%7d  %s%s" % (*row, "  " * depth, name)


def root_of(paths):
    """The folder in which all files of the program are."""
    folders = {os.path.dirname(path) for path in paths if os.path.isabs(path)}
    return os.path.commonpath(folders) if folders else ""


def table(found, files):
    """The lines of the table; with FILES, also those of pt's rooms, and the kinds of lines of the program's."""
    parts, lines = found["parts"], ["%7s%7s" % ("flash", "RAM")]
    root = root_of(one[1] for one in parts if one[0] == PROGRAM)
    tops = {name: (row, inside) for name, row, inside in sums(parts, lambda one: one[0])}
    for top in (name for name in (PT, PROGRAM, REST) if name in tops):
        row, inside = tops[top]
        lines += [line(row, 0, top)] if top != REST else []
        rooms = sums(inside, lambda one: one[1])
        if top == PT:
            rooms.sort(key=lambda one: ROOMS.index(one[0]) if one[0] in ROOMS else len(ROOMS))
        for name, most, kinds in rooms:
            short = os.path.relpath(name, root) if root and os.path.isabs(name) and top == PROGRAM else name
            lines.append(line(most, int(top != REST), short))
            lines += [line(size, 2, kind) for kind, size, _ in sums(kinds, lambda one: one[2]) if kind and files]
    lines.append(line(total(parts), 0, "in all" if "beside" not in found else "more than " + found["beside"]))
    bodies = {name: row for name, row in found["bodies"].items() if any(row)}
    if bodies:
        lines += ["", "%7s%7s%7s" % ("flash", "of pt", "frame")]
        lines += ["%7d%7d%7d  %s" % (*row, name) for name, row in sorted(bodies.items(), key=lambda one: -one[1][0])]
    return lines
