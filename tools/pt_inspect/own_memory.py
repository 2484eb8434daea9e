# own_memory.py - pt's own memory, which leads to all tasks and keeps none of them alive
# SPDX-License-Identifier: MIT
#
# For the search of stuck.py; include/pt/inspect/keep.h and lib/inspect describe the same from inside.

from . import tables
from .debugger import bare
from .lists import Damaged
from .memory import Unreadable
from .structs import Struct

BLOCK, CLOSED, OPEN = range(3)  # read once it is reached; not read; not read, and the system can use it
MOST = 1 << 40  # bytes of an array
LOST = "0x%x: %s cannot be read, and is left out of the search"


class OwnMemory:
    """Control blocks, loops and their queues, pools, descriptors. What is damaged is left out, with a complaint."""

    def __init__(self, census, reach):
        self.census, self.reach = census, reach
        self.program, self.debugger = census.program, census.debugger

    def describe(self):
        self.groups = set()
        for loop in self.census.loops.values():
            self.reach.add(loop.address, self.program.knobs.loop.size, CLOSED)
            for what, part in (
                ("its ready queue", self.ready), ("its timers", self.timers), ("an observer", self.notes),
                ("its table of descriptors", self.descriptors),
            ):  # fmt: skip
                self.attempt(loop.address, what, part, loop)
        for task in self.census.tasks.values():
            self.reach.add(task.address, self.control_block(task), CLOSED)
            self.attempt(task.address, "its group", self.group, task)
            self.attempt(task.address, "its pool", self.pool, task)

    def control_block(self, task):
        """The size of a control block, with the name that the base frame behind it has; keep.h has the rule."""
        size, base = task.size(), None
        try:
            for base in task.frames():
                pass
        except (Damaged, Unreadable):
            return size
        padding = 63 if task.flags & tables.OWNED else 0
        if base and base.task_name is not None and 0 <= base.address - task.address - size <= padding:
            size = base.address - task.address + self.program.knobs.frame.offset("task_name") + self.debugger.word
        return size

    def attempt(self, address, what, part, *arguments):
        try:
            part(*arguments)
        except (Damaged, Unreadable):
            self.program.complain(LOST % (address, what))

    def array(self, address, count, size):
        """Unless it ends behind what exists: then its count was overwritten."""
        if not address or not count:
            return
        if not 0 < count * size < MOST:
            raise Unreadable(address, count * size)
        self.debugger.memory.read(address + (count - 1) * size, size)
        self.reach.add(address, count * size, CLOSED)

    def ready(self, loop):
        if "ready.ring" in loop.struct:
            count = loop.struct["ready.mask"] + 1 + tables.READY_AHEAD
            self.array(loop.struct["ready.ring"], count, self.debugger.word)

    def timers(self, loop):
        entry = self.debugger.layout("pt_heap_entry")
        if entry and "timers.heap.entries" in loop.struct:
            self.array(loop.struct["timers.heap.entries"], loop.struct["timers.heap.capacity"], entry.size)
        if entry and loop.struct.get("timers.later", 0):
            far = Struct(self.debugger, self.debugger.layout("pt_buckets_"), loop.struct["timers.later"])
            self.array(far["entries"], far["room"] * tables.CHUNK, entry.size)

    def notes(self, loop):
        """What observers have noted: the ring of a trace has the address of each task."""
        for observer in self.links(loop.struct.get("observer", 0), self.debugger.layout("pt_observer")):
            if observer.get("notes", 0):
                self.array(observer["notes"], observer["notes_bytes"], 1)

    def group(self, task):
        """What pushes into lists of joiners have left in the node of a group, nothing reads."""
        layout = self.debugger.layout("pt_group")
        group = task.group() if layout else 0
        if group and group not in self.groups:  # else a large group would be as many pieces, each in the other
            self.groups.add(group)
            self.reach.add(group + layout.offset("end"), self.debugger.layout("pt_node").size, CLOSED)

    def pool(self, task):
        layout, owner = self.debugger.layout("pt_pool"), task.owner()
        if not owner or not layout or "end" not in layout:
            return
        pool = Struct(self.debugger, layout, owner)
        release = self.program.function(pool["owner.release"])
        if release and bare(release.name) == "pt_pool_release_":
            self.array(owner, pool["end"] - owner + self.debugger.word, 1)
            self.reach.add(task.address, pool["size"], BLOCK)

    def descriptors(self, loop):
        """The table of descriptors; those that tasks wait for are open to the system anyway."""
        layout, slot, io = (self.debugger.layout(name) for name in ("pt_system", "pt_slot_", "pt_io"))
        port = loop.struct.get("port", 0)
        if not layout or not slot or not io or not port:
            return
        try:
            system = Struct(self.debugger, layout, port)
        except Unreadable:
            return  # another port, at the end of a page
        if system["loop"] != loop.address or not system["places"]:
            return
        self.array(system["places"], system["count"], slot.size)
        for i in range(system["count"]):
            address = Struct(self.debugger, slot, system["places"] + i * slot.size)["io"]
            if address:
                self.reach.add(address, io.size, OPEN)

    def reach_what_loops_lead_to(self):
        """Who looks on, who has posted, what the program has declared."""
        for loop in self.census.loops.values():
            for field in ("observer", "port", "host", "inbox.first"):
                self.reach.reach(loop.struct.get(field, 0))
            self.attempt(loop.address, "its port", self.port, loop)
            self.attempt(loop.address, "a waker", self.declared, loop, "wakers", "pt_waker", "task")
            self.attempt(loop.address, "what was kept", self.declared, loop, "kept", "pt_kept", "pointer")

    def port(self, loop):
        layout = self.debugger.layout("pt_port")
        if layout and loop.struct.get("port", 0):
            self.reach.reach(Struct(self.debugger, layout, loop.struct["port"])["context"])

    def declared(self, loop, field, name, pointer):
        for one in self.links(loop.struct.get(field, 0), self.debugger.layout(name)):
            self.reach.reach(one.address)
            self.reach.reach(one[pointer])

    def links(self, address, layout):
        """The structs of a list without a head."""
        seen = set()
        while layout and address and address not in seen:
            seen.add(address)
            one = Struct(self.debugger, layout, address)
            yield one
            address = one["next"]
