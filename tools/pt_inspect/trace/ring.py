# ring.py - in gdb: writes the ring of a program's struct pt_trace to a file, for pt-trace
# SPDX-License-Identifier: MIT

import math
import os
import re
import struct
import time

import gdb

from .. import output
from ..session import Failed, leave, prepare, reach
from ..tables import CLEANING_BASE
from .file import BILLION, KINDS, MAGIC, MORE, SIZE, TIMED, VERSION

LETTERS = 14
MOST_FRAMES = 10000  # a task in more functions has no name here
OF_TASKS = ("RESUME", "WAKE", "SPAWN", "TIMER")  # their object is a task
PLACES = ("SUSPEND", "AWAIT", "RETURN")  # their object is a function, or a place


class Writer:
    def __init__(self, path, order):
        self.file = open(path, "wb")
        self.form = struct.Struct(order + "BBHIQ")

    def event(self, kind, what=0, place=0, low=0, object=0):
        self.file.write(self.form.pack(KINDS.index(kind), what, place, low & 0xFFFFFFFF, object))

    def text(self, text):
        data = text.encode()[: LETTERS * 100] or b"?"
        pieces = [data[at : at + LETTERS] for at in range(0, len(data), LETTERS)]
        for number, piece in enumerate(pieces):
            what = number | (MORE if number + 1 < len(pieces) else 0)
            self.file.write(bytes([KINDS.index("NAME"), what]) + piece.ljust(LETTERS, b"\0"))


def variables():
    """The names of the static variables that are, or point to, a struct pt_trace or an array of them."""
    text = gdb.execute("info variables -q -t pt_trace", to_string=True)
    return sorted(set(re.findall(r"\bpt_trace \**([\w:]+)(?:\[\d+\])*;$", text, re.M)))


def elements(name, value):
    """(expression, value) of a struct pt_trace: of each, if there is an array of them."""
    type = value.type.strip_typedefs()
    if type.code == gdb.TYPE_CODE_ARRAY:
        low, high = type.range()
        for i in range(low, high + 1):
            yield from elements("%s[%d]" % (name, i), value[i])
    elif type.code == gdb.TYPE_CODE_PTR:
        if int(value):
            yield name, value.dereference()
    else:
        yield name, value


def rings(name):
    """(expression, value) of each ring that an expression has."""
    try:
        found = list(elements(name, gdb.parse_and_eval(name)))
        for _, value in found:
            value["events"], value["size"], value["at"], value["count"]
    except (gdb.error, gdb.MemoryError) as fault:
        raise Failed("%s is no struct pt_trace: %s" % (name, fault)) from None
    return found


def find(names):
    found = [ring for name in names for ring in rings(name)]
    if not found:
        raise Failed("the program has no static struct pt_trace, or no debug information: name it with --ring EXPR")
    started = [ring for ring in found if int(ring[1]["events"])]
    if not started:
        raise Failed("%s was not started: pt_trace_start" % ", ".join(name for name, _ in found[:8]))
    if len(started) > 1:
        raise Failed("which of these: %s? Name it with --ring" % ", ".join(name for name, _ in started))
    return started[0][1]


def number(value, *names):
    """A member, or 0 if the program has no such member."""
    try:
        for name in names:
            value = value[name]
        return int(value)
    except gdb.error:
        return 0


def ring_of(trace):
    """The events that were written, the oldest first."""
    size, at, count = (int(trace[name]) for name in ("size", "at", "count"))
    if not 0 < size <= 1 << 28 or at >= size:
        raise Failed("the ring is damaged: %d events, the next one goes to %d" % (size, at))
    data = bytes(gdb.selected_inferior().read_memory(int(trace["events"]), size * SIZE))
    data = data[at * SIZE :] + data[: at * SIZE]
    return without_unfilled(data[(size - min(size, count)) * SIZE :], trace), max(0, count - size)


def without_unfilled(data, trace):
    """Without the newest slot if the program stopped before it wrote there: it has the event of a round ago."""
    timed = {KINDS.index(kind) for kind in TIMED}
    order = "little" if "little" in gdb.execute("show endian", to_string=True) else "big"
    newest = data[-SIZE:]
    if newest and newest[0] in timed and int.from_bytes(newest[4:8], order) != number(trace, "last") & 0xFFFFFFFF:
        return data[:-SIZE]
    return data


def ticks_per_second():
    try:
        return int(gdb.parse_and_eval("PT_TICKS_PER_SEC"))
    except gdb.error:
        return BILLION  # macros are not in the debug information: -g3


def add_places(writer, rows, functions):
    """The lines of places, if the program has PT_SITES; and the names of the FUNCTIONS, by gdb: those of a process are
    found later, in its files."""
    seen = set()
    for kind, what, _, _, object in rows:
        if kind >= len(KINDS) or KINDS[kind] not in PLACES or object in seen:
            continue
        is_site = KINDS[kind] == "SUSPEND" and what & MORE
        if not is_site and not functions:
            continue
        seen.add(object)
        function, file, line = place_of(object, is_site)
        if function:
            writer.event("SITE", low=line, object=object)
            writer.text(function)
            writer.text(file)


def place_of(object, is_site):
    try:
        if is_site:
            site = gdb.parse_and_eval("*(struct pt_site_ *) %d" % object)
            return site["function"].string(), site["file"].string(), int(site["line"])
        symbol = gdb.execute("info symbol %d" % object, to_string=True).split()[0]
        return None if symbol == "No" else re.sub(r"(_pt_|_body_)(\(.*)?$", "", symbol), "", 0
    except (gdb.error, gdb.MemoryError, IndexError, UnicodeDecodeError):
        return None, None, None


def maps_of(target):
    """(start, end, offset, path) of what a process runs."""
    if target.isdigit():
        with open("/proc/%s/maps" % target) as file:
            for line in file:
                cells = line.split(None, 5)
                if len(cells) == 6 and cells[1][2] == "x" and cells[5][0] == "/":
                    start, end = (int(cell, 16) for cell in cells[0].split("-"))
                    yield start, end, int(cells[2], 16), cells[5].strip()


def write(trace, path, target):
    order = "<" if "little" in gdb.execute("show endian", to_string=True) else ">"
    writer = Writer(path, order)
    data, lost = ring_of(trace)
    writer.event("HEAD", VERSION, gdb.lookup_type("void").pointer().sizeof, MAGIC, int(trace["loop"]))
    writer.event("RATE", object=number(trace, "rate"))
    writer.event("TIME", low=number(trace, "first"), object=number(trace, "first"))
    writer.event("STAMP", low=number(trace, "first"), object=number(trace, "first_clock"))
    if lost:
        writer.event("LOST", object=lost)
    writer.file.write(data)
    for time in (number(trace, "last"), number(trace, "turned")):
        writer.event("TIME", low=time, object=time)
    writer.event("STAMP", low=time, object=number(trace, "clock") * BILLION // ticks_per_second())
    for start, end, offset, file in maps_of(target):
        writer.event("MAP", low=(end - start) // 4096, object=start)
        writer.event("PAGE", object=offset)
        writer.text(file)
    rows = [writer.form.unpack_from(data, at) for at in range(0, len(data), SIZE)]
    rows = [row for row in rows if KINDS[row[0] : row[0] + 1] != ("NAME",)]
    add_places(writer, rows, functions=not target.isdigit())
    add_names(writer, rows)
    writer.file.close()


def has(type, field):
    return any(field in (one.name, *(inner.name for inner in inside(one))) for one in type.fields())


def inside(field):
    """The fields of an anonymous union."""
    return field.type.fields() if not field.name and field.type.code == gdb.TYPE_CODE_UNION else ()


def named(task):
    """The name's value: in the task, or in its base frame."""
    if has(task.dereference().type, "name"):
        return task["name"]
    frame, left = task["top"], MOST_FRAMES
    while int(frame) and not int(frame["cleaning"]) & CLEANING_BASE and left:
        frame, left = frame["caller"], left - 1
    return frame["task_name"] if int(frame) and left else gdb.Value(0)


def name_of(task):
    """Whatever its bytes are; None if they cannot be read."""
    try:
        name = named(task)
        return name.string("utf-8", "replace") if int(name) else "a task"
    except (gdb.error, gdb.MemoryError):
        return None


def alive(rows):
    """The tasks of the ring that have not ended."""
    found = {}
    for kind, _, _, _, object in rows:
        if kind < len(KINDS) and KINDS[kind] in OF_TASKS:
            found[object] = True
        elif kind == KINDS.index("END"):
            found.pop(object, None)
    return found


def task_type():
    """A pointer to a task, which without PT_AWAIT is a frame; None if it has no name."""
    found = []
    for name in ("struct pt_task", "struct pt"):
        try:
            found.append(gdb.lookup_type(name))
        except gdb.error:
            continue
    return found[0].pointer() if any(has(type, "name") or has(type, "task_name") for type in found) else None


def add_names(writer, rows):
    """The names of these tasks as they are now: their SPAWN can be lost, or they were renamed."""
    kind = task_type()
    for address in alive(rows) if kind else ():
        name = name_of(gdb.Value(address).cast(kind))
        if name:
            writer.event("ALIVE", object=address)
            writer.text(name)


def load(target, kind, program):
    """Read what is needed of the program before it stands still. Of the C library gdb reads nothing: it takes seconds."""
    if kind == "pid" and not program:
        program = "/proc/%s/exe" % target
    if program:
        gdb.execute('file "%s"' % program, to_string=True)
    names = variables()
    for name in ("pt_trace", "pt_loop", "pt_task"):
        try:
            gdb.lookup_type("struct " + name).fields()
        except gdb.error:
            pass  # find says what is missing
    gdb.execute("set debug-file-directory", to_string=True)
    return names


def main():
    target = os.environ["PT_TRACE_TARGET"]
    ring = os.environ["PT_TRACE_RING"]
    kind = "pid" if target.isdigit() else "core" if os.path.exists(target) else "remote"
    prepare()
    try:
        names = load(target, kind, os.environ["PT_TRACE_PROGRAM"])
        asked = {"target": target, "kind": kind}
        began = time.monotonic()
        reach(asked)
        try:
            write(find([ring] if ring else names), os.environ["PT_TRACE_FILE"], target)
        finally:
            if kind != "core":
                leave(asked)
        if kind == "pid":
            print("pt-trace stood %d" % math.ceil((asked.get("stopped") or time.monotonic() - began) * 1000))
    except Failed as fault:
        print("pt-trace: %s" % str(fault).replace("\n", " "))
    except (gdb.error, gdb.MemoryError, OSError) as fault:
        print("pt-trace: %s: %s" % (target, fault))
    except Exception as fault:
        print("pt-trace: " + output.what(fault))
