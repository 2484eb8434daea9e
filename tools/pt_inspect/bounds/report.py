# report.py - the bounds of a program as plain data, and as a table
# SPDX-License-Identifier: MIT

import re

from . import avr, cortex_m, rv32
from .binary import Binary
from .deepest import Deepest
from .flow import Function
from .longest import Longest
from .state import Refused
from .targets import Targets

PARTS = {40: cortex_m, 83: avr, 243: rv32}
BODY = re.compile(r"((?:.*::)?\w+)_pt_(?:\.[\w.]+)?$")  # what PT_ASYNC names a body


class Report:
    def __init__(self, path, prefix=None, notes=(), priority=None):
        self.binary = binary = Binary(path, prefix)
        self.part = part = PARTS[binary.machine]
        self.functions = {at: Function(binary, part, at) for at in binary.functions if at in binary.code}
        self.targets = Targets(binary, part, notes)
        self.handlers, taken = part.interrupts(binary)
        self.targets.prepare(self.functions, taken)
        self.deepest = Deepest(binary, part, self.functions, self.targets)
        self.find_returning()
        self.set_priorities(priority)
        self.root = binary.entry & ~1
        if self.root not in self.functions:
            raise Refused("the entry point 0x%x is no function" % binary.entry)
        self.measure()

    def set_priorities(self, default):
        """By the notes, or DEFAULT; a handler that never returns ends the program, and is none. A handler can have more
        interrupts than one: those of which no priority is known nest over each other."""
        noted = {at: self.targets.note(at, "priority") for at in self.functions}
        for at in {*self.handlers, *(at for at, priority in noted.items() if priority is not None)}:
            said = default if noted.get(at) is None else noted[at]
            all_of = [said if priority is None else priority for priority in self.handlers.get(at, [None])]
            self.handlers[at] = [None] * all_of.count(None) + sorted({*all_of} - {None})
        self.ends = sorted(at for at in self.handlers if not self.returns(at))
        for at in self.ends:
            del self.handlers[at]
        for at in self.handlers:
            inside = [one for one in self.deepest.above([at]) if self.functions[one].enables]
            if inside and noted[at] is None:
                what = "%s lets interrupts in at 0x%x" % (self.binary.name(at), self.functions[inside[0]].enables)
                raise Refused("%s, and can nest over itself (or a note says: pt-bounds: priority N)" % what)

    def returns(self, at):
        return at in self.returning

    def find_returning(self):
        """The functions that can return: a way leads to an instruction that does, through calls of such functions."""
        self.returning, more = set(), True
        while more:
            more = {at for at, one in self.functions.items() if at not in self.returning and self.leaves(one)}
            self.returning |= more

    def leaves(self, function):
        ends = {call.at for call in function.calls if call.targets is not None and not {*call.targets} & self.returning}
        tails = {call.at for call in function.calls if call.tail} - ends
        found, waiting = {function.at}, [function.at]
        while waiting:
            at = waiting.pop()
            if at in function.returns or at in tails:
                return True
            fresh = {*function.follows.get(at, ())} - found if at not in ends else set()
            found |= fresh
            waiting += fresh
        return False

    def measure(self):
        below, binary = self.deepest.below, self.binary
        self.main = below(self.root)
        self.interrupts = {at: below(at) for at in self.handlers}
        for at in self.functions:  # the types that calls reach, of all functions
            self.deepest.edges(at)
        unlisted = self.targets.unlisted({*self.handlers, *self.ends, *binary.traps, self.root})
        if unlisted:
            raise Refused(self.undeclared(unlisted[0]))
        above = self.deepest.above([self.root])
        bodies = [at for at in self.targets.reached if BODY.match(self.binary.name(at)) and at in above]
        self.tasks = {at: (above[at] + below(at)[0], below(at)) for at in bodies}
        self.total = self.main[0]
        for most in self.levels():
            aligned = -(-self.total // self.part.ALIGNED) * self.part.ALIGNED
            self.total = aligned + self.part.pushes(self.binary) + most

    def each_interrupt(self):
        return [(at, priority) for at in self.interrupts for priority in self.handlers[at]]

    def levels(self):
        """The most bytes of each level of interrupts; a handler whose priority is not known nests over all others."""
        known, free = {}, []
        for at, priority in self.each_interrupt():
            if priority is None:
                free.append(self.interrupts[at][0])
            else:
                known[priority] = max(known.get(priority, 0), self.interrupts[at][0])
        return sorted([*known.values(), *free], key=lambda most: -(most % self.part.ALIGNED))

    def undeclared(self, at):
        kind = self.targets.signatures.of.get(at)
        what = "no call through a pointer has its type, %s" % kind if kind else "it has no debug information"
        notes = "notes: pt-bounds: calls F on the call, priority N for an interrupt, or unused"
        return "%s: its address is taken, and %s (%s)" % (self.binary.name(at), what, notes)

    def times(self, rounds):
        """The longest ways, as plain data: of each task between two suspensions, of the main loop once round, of each
        interrupt, and while interrupts are masked, with what decides the last two. What has no bound says why."""
        name = self.binary.name
        self.longest = longest = Longest(self.binary, self.part, self.functions, self.targets, self.returns, rounds)
        rows = [("task", BODY.match(name(at)).group(1), lambda at=at: (longest.of(at), [])) for at in self.tasks]
        rows.sort()
        for at, loop in self.loops():
            rows.append(("loop", name(at), lambda at=at, loop=loop: longest.around(at, set(self.tasks), *loop)))
        rows += sorted(("interrupt", name(at), lambda at=at: (longest.of(at), [])) for at in self.handlers)
        rows.append(("masked", "", longest.masked))
        found = []
        for kind, who, measure in rows:
            row = {"kind": kind, "name": who, "most": None, "by": [], "why": None}
            try:
                row["most"], by = measure()
                row["by"] = [{"function": name(at), "times": times} for at, times in by]
            except Refused as fault:
                row["why"] = str(fault)
            found.append(row)
        return {"unit": self.part.unit(self.binary), "times": found}

    def loops(self):
        """The function that has the main loop, and that loop: the first one from the program's start; or nothing."""
        for at in self.deepest.above([self.root]):
            loop = self.longest.main_loop(at, set(self.tasks))
            if loop:
                return [(at, loop)]
        return []

    def way(self, found):
        """The way down: each function, and the bytes that it adds."""
        return [{"function": self.binary.name(at), "bytes": depth} for at, depth in found[1]]

    def data(self):
        """All of it, as JSON has it."""
        name = self.binary.name
        tasks = [{"task": BODY.match(name(at)).group(1), "bytes": found[0], "in_all": total, "way": self.way(found)}
                 for at, (total, found) in self.tasks.items()]  # fmt: skip
        below = self.interrupts
        interrupts = [{"handler": name(at), "priority": one, "bytes": below[at][0], "way": self.way(below[at])}
                      for at, one in self.each_interrupt()]  # fmt: skip
        return {
            "program": self.binary.path, "processor": self.part.NAME, "stack": self.total,
            "main": {"bytes": self.main[0], "way": self.way(self.main)},
            "tasks": sorted(tasks, key=lambda one: (-one["in_all"], one["task"])),
            "interrupts": sorted(interrupts, key=by_priority),
            "ends": [name(at) for at in self.ends], "pushes": self.part.pushes(self.binary),
        }  # fmt: skip


def by_priority(one):
    return one["priority"] is None, one["priority"] or 0, -one["bytes"], one["handler"]


def chain(way):
    return " > ".join("%s %d" % (one["function"], one["bytes"]) for one in way)


def table(data):
    """The lines of the table."""
    lines = ["%7s%9s  %s" % ("own", "in all", "task, and its deepest way")]
    lines += ["%7d%9d  %s: %s" % (one["bytes"], one["in_all"], one["task"], chain(one["way"])) for one in data["tasks"]]
    lines += ["%16d  all without interrupts: %s" % (data["main"]["bytes"], chain(data["main"]["way"]))]
    if data["interrupts"]:
        head = "interrupt, each over %d bytes of the processor" % data["pushes"]
        lines += ["", "%7s%9s  %s" % ("own", "priority", head)]
        for one in data["interrupts"]:
            priority = "not said" if one["priority"] is None else one["priority"]
            lines += ["%7d%9s  %s" % (one["bytes"], priority, chain(one["way"]))]
        if len(data["interrupts"]) > 1 and any(one["priority"] is None for one in data["interrupts"]):
            lines += ["%16s  those not said are taken to nest (--priority 0: they do not)" % ""]
    if data["ends"]:
        lines += ["%16s  they end the program, and do not count: %s" % ("", ", ".join(data["ends"]))]
    lines += ["", "%16d  bytes of stack at most" % data["stack"]]
    if "times" in data:
        lines += ["", "%16s  at most" % data["unit"]]
        for one in data["times"]:
            lines += ["%16s  %s" % ("no bound" if one["most"] is None else one["most"], time_of(one))]
    return lines


KINDS = {
    "task": "%s, between two suspensions", "loop": "%s, once round its loop", "interrupt": "interrupt %s",
    "masked": "interrupts are masked%s",
}  # fmt: skip


def time_of(one):
    text = KINDS[one["kind"]] % one["name"]
    for who in one["by"]:
        text += ", in %(function)s" % who if one["kind"] == "masked" else ", %(times)d of %(function)s" % who
    return text + (": " + one["why"] if one["why"] else "")
