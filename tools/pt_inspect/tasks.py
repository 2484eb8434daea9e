# tasks.py - loops, tasks and frames, as they are in memory
# SPDX-License-Identifier: MIT

from . import lists, tables
from .debugger import bare
from .memory import Unreadable
from .structs import Struct


SYSTEM_CLOCKS = ("pt/ports/posix.h", "lib/host/system.c")  # CLOCK_MONOTONIC, in nanoseconds


class Knobs:
    """Which features the program has: told by the fields of its structs."""

    def __init__(self, debugger):
        self.task = debugger.layout("pt_task") or debugger.layout("pt")
        self.frame = debugger.layout("pt")
        self.loop = debugger.layout("pt_loop")
        self.site = debugger.layout("pt_site_")
        if not (self.task and self.frame and self.loop):
            raise LookupError(
                "no struct pt_loop: the program does not use pt, or has no debug information\n"
                "(-g1 is not enough; with -gsplit-dwarf its .dwo files must be there)"
            )
        self.awaits = "top" in self.task
        self.lists_tasks = "tasks.end.link.next" in self.loop or "tasks.last" in self.loop
        self.node = self.task.offset("node")
        self.member = self.task.fields["member"].offset if "member" in self.task else None
        self.array_heap = "timers.heap.entries" in self.loop
        if "timer" in self.task:
            self.timer = self.task.offset("timer")
        elif self.array_heap:
            self.timer = self.task.offset("node.link.index")
        else:
            self.timer = self.node
        self.names = "name" in self.task or "task_name" in self.frame
        self.label_max = 256 ** self.frame.fields["label"].size - 1
        self.time_bits = 8 * self.task.fields["node.at"].size if "node.at" in self.task else 0

    def left(self, deadline, now):
        """Ticks from NOW to a deadline; 0 if it is past."""
        left = (deadline - now) % (1 << self.time_bits)
        return left if left < 1 << (self.time_bits - 1) else 0


class Frame:
    """A resumable function that a task is in."""

    def __init__(self, program, address):
        self.program = program
        self.address = address
        self.struct = Struct(program.debugger, program.knobs.frame, address)
        self.fn = self.struct["fn"]
        self.label = self.struct["label"]
        self.function = program.function(self.fn)
        self.name = program.coroutine(self.function)
        self.site = self.read_site()

    @property
    def caller(self):
        return 0 if self.task_name is not None else self.struct.get("caller", 0)

    @property
    def task_name(self):
        """The address of the name of the task of which it is the base frame; None if it has none."""
        is_base = "task_name" in self.struct and self.struct["cleaning"] & tables.CLEANING_BASE
        return self.struct["task_name"] if is_base else None

    @property
    def place(self):
        """"start", "finally", "done" or "suspended"."""
        most = self.program.knobs.label_max
        if self.label == 0:
            return "start"
        if self.label == most:
            return "done"
        if self.label == most - 1 and "cleaning" in self.struct:
            return "finally"
        return "suspended"

    def read_site(self):
        """(function, file, line) of its last suspension, as PT_SITES stores it; or None."""
        site = self.struct.get("site", 0)
        if not site or not self.program.knobs.site:
            return None
        if self.struct.layout.fields["site"].size < self.program.debugger.word:
            site += self.fn
        return self.program.site(site)

    def line(self):
        """(file, line) of its suspension, from the site or from debug information; or None."""
        if self.place != "suspended":
            return None
        if self.site:
            return self.site[1:]
        return self.program.line_of_label(self.function, self.label) if self.function else None


class Task:
    """A task: its control block, read once."""

    def __init__(self, program, address, loop=None):
        self.program = program
        self.address = address
        self.struct = Struct(program.debugger, program.knobs.task, address)
        self.bits = self.struct["state"]
        self.flags = self.struct.get("flags", 0)
        self.loop = loop
        self.parent = None
        self.depth = 0
        self.found = "list"  # what led to it: the list of tasks, or "ready", "timers", ...
        self.deadline = None  # of its timer, if that is how it was found
        self.queue = None  # in which it waits, if that is how it was found

    @property
    def node(self):
        return self.address + self.program.knobs.node

    def alive(self):
        return bool(self.bits & tables.ALIVE)

    def canceled(self):
        return "reason" in self.struct and bool(self.flags & tables.CANCELED)

    def owner(self):
        """The address of the owner of its storage; 0: none."""
        if not self.flags & tables.OWNED:
            return 0
        if "owner" in self.struct:
            return self.struct["owner"]
        debugger = self.program.debugger
        return debugger.memory.number(self.address + self.program.knobs.task.size, debugger.word)

    def size(self):
        """Of its control block, with the pointer to its owner behind it."""
        behind = self.flags & tables.OWNED and "owner" not in self.struct
        return self.program.knobs.task.size + (self.program.debugger.word if behind else 0)

    def is_member(self):
        """Whether it is in a group: then the last node of its joiners leads there."""
        return bool(self.flags & tables.MEMBER)

    def group(self):
        """The address of its group; 0: none."""
        layout, node = self.program.debugger.layout("pt_group"), self.struct.get("joiners.first", 0)
        if not layout or not self.is_member():
            return 0
        for node in lists.unlinked(self.program.debugger, node, 0, "the joiners of 0x%x" % self.address):
            pass
        return node - layout.offset("end")

    def paused(self):
        return self.bits & (tables.PAUSED | tables.HELD) == tables.PAUSED

    def state(self):
        """A key of tables.STATES; as pt_task_state."""
        if not self.alive():
            return "DONE" if self.frame_done() else "IDLE"
        if self.loop and self.loop.current == self.address:
            return "RUNNING"
        if self.bits & tables.ALIVE == tables.PERMIT:
            return "PARKED"
        if self.bits & tables.QUEUED:
            return "WAITING"
        if self.bits & tables.SLEEPING or self.found == "timers":
            return "SLEEPING"
        return "HELD" if self.bits & tables.HELD else "READY"

    def frame_done(self):
        top = self.top
        return bool(top) and Frame(self.program, top).place == "done"

    @property
    def top(self):
        return self.struct["top"] if self.program.knobs.awaits else self.address

    def frames(self):
        """Its frames, innermost first. Raises Damaged or Unreadable behind the last good one."""
        seen, address = set(), self.top
        while address:
            if address in seen:
                self.program.complain("task 0x%x: its frames await each other in a circle" % self.address)
                return
            seen.add(address)
            try:
                frame = Frame(self.program, address)
            except Unreadable as fault:
                self.program.complain("task 0x%x: a frame cannot be read: %s" % (self.address, fault))
                return
            yield frame
            address = frame.caller

    def depth_of_cleanups(self):
        """The number of cleanups that it is in: as pt_depth_ of its top frame."""
        for frame in self.frames():
            most = 0x7F if "task_name" in frame.struct else 0xFF
            cleaning = frame.struct.get("cleaning", 0) & most
            return cleaning - cleaning // 2
        return 0

    def name(self):
        base = None
        for base in self.frames():
            pass
        text = self.struct.get("name", 0) or base and base.task_name
        if text:
            try:
                return self.program.text(text)
            except Unreadable:
                return "a task"
        return base.name if base and base.name else "a task"

    def why(self):
        """The name in tables.WHY of what it waits for in a queue; None if the program does not keep it."""
        number = self.struct.get("why")
        return tables.WHY[number][0] if number is not None and number < len(tables.WHY) else None

    def runs_a_loop(self):
        """Whether tasks of another loop wake it; False if the program does not keep it."""
        return self.struct.get("why", 0) == tables.HOST

    def sleep_end(self):
        """When its sleep or its timed park ends; or None."""
        if self.state() == "RUNNING" or not self.program.knobs.time_bits:
            return None
        if self.bits & tables.SLEEPING:
            return self.struct["node.at"]
        return self.deadline if self.found == "timers" else None

    def since(self):
        """When it ran last, if it waits and the program keeps that: PT_SINCE; or it is parked without a time."""
        if self.state() not in ("SLEEPING", "PARKED", "WAITING") or not self.program.knobs.time_bits:
            return None
        if "since" in self.struct:
            return self.struct["since"]
        if "clock.now" in self.program.knobs.loop and not self.program.knobs.names:
            return None  # PT_INSPECT 0 with a port: a park leaves no time in its node
        return self.struct["node.at"] if self.state() == "PARKED" and not self.bits & tables.SLEEPING else None

    def scopes(self):
        """Its open blocks, innermost first."""
        layout = self.program.debugger.layout("pt_scope")
        scope, seen = self.struct.get("scopes", 0), set()
        while scope and scope not in seen:
            seen.add(scope)
            try:
                block = Struct(self.program.debugger, layout, scope)
            except Unreadable as fault:
                self.program.complain("task 0x%x: a block cannot be read: %s" % (self.address, fault))
                return
            yield block
            scope = block["outer"]

    def limit(self):
        """The earliest deadline of its blocks, or None."""
        now, first = self.loop.now if self.loop else 0, None
        for scope in self.scopes():
            marks = scope["marks"]
            if marks & (tables.SCOPE_TIMED | tables.SCOPE_LATE) and not marks & tables.SCOPE_GROUP:
                left = self.program.knobs.left(scope["deadline"], now)
                if first is None or left < first[0]:
                    first = (left, scope["deadline"])
        return first and first[1]


class Loop:
    """A loop, and the tasks that were found in it."""

    def __init__(self, program, address, name=None):
        self.program = program
        self.address = address
        self.struct = Struct(program.debugger, program.knobs.loop, address)
        self.name = name
        self.tasks = []
        self.complete = False  # whether every task was found
        self.notes = []

    @property
    def now(self):
        """The time: of the system, where the loop has that clock and the process runs; else of its last turn."""
        if self.program.clock is not None and self.runs_on_the_clock():
            return self.program.clock % (1 << self.program.knobs.time_bits)
        return self.struct.get("now", 0)

    def runs_on_the_clock(self):
        """Whether its port reads the clock of the system: those of ports/posix.h and of libpt do."""
        port, layout = self.struct.get("port", 0), self.program.debugger.layout("pt_port")

        def look():
            try:
                clock = self.program.function(Struct(self.program.debugger, layout, port)["now"])
            except Unreadable:
                return False
            return bool(clock and clock.file) and clock.file.endswith(SYSTEM_CLOCKS)

        return bool(port and layout) and self.program.once("clock", port, look)

    @property
    def current(self):
        return self.struct.get("current", 0)

    def running(self):
        """The task that runs now, or None."""
        return Task(self.program, self.current, self) if self.current else None

    @property
    def live(self):
        return self.struct.get("live")

    @property
    def host(self):
        return self.struct.get("host", 0)

    def title(self):
        return self.name or "0x%x" % self.address


class Program:
    """What all parts share: the debugger, the knobs, and what was looked up once."""

    def __init__(self, debugger, ticks=None):
        self.debugger = debugger
        self.knobs = Knobs(debugger)
        # The knob is a macro: only -g3 stores it. 64-bit stamps are nanoseconds in all ports of pt.
        self.ticks = ticks or debugger.macro("PT_TICKS_PER_SEC")
        if not self.ticks and self.knobs.time_bits == 64:
            self.ticks = 1000000000
        self.clock = None  # CLOCK_MONOTONIC when a process was stopped, in ticks
        self.complaints = []
        self.known = {}

    def complain(self, text):
        if text not in self.complaints:
            self.complaints.append(text)

    def once(self, what, key, look):
        """The result of LOOK(), which is called at the first use of KEY."""
        key = (what, key)
        if key not in self.known:
            self.known[key] = look()
        return self.known[key]

    def function(self, address):
        return self.once("function", address, lambda: self.debugger.function(address))

    def coroutine(self, function):
        """The name of a resumable function: rocket_pt_ is rocket."""
        if not function:
            return None
        name = bare(function.name)
        for tail in ("_pt_", "_body_"):
            if name.endswith(tail):
                return name[: -len(tail)]
        return name

    def text(self, address):
        return self.once("text", address, lambda: self.debugger.memory.text(address))

    def site(self, address):
        def look():
            try:
                site = Struct(self.debugger, self.knobs.site, address)
                return self.text(site["function"]), self.text(site["file"]), site["line"]
            except Unreadable:
                return None

        return self.once("site", address, look)

    def line_of_label(self, function, label):
        return self.once(
            "line", (function.address, label), lambda: self.debugger.line_of_label(function, label)
        )

    def milliseconds(self, ticks):
        """Rounded up, as pt_dump prints them."""
        return (ticks * 1000 + self.ticks - 1) // self.ticks
