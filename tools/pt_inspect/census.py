# census.py - finds the loops of a program, and the tasks of each
# SPDX-License-Identifier: MIT
#
# A loop that lists its tasks (PT_INSPECT, or groups) gives all of them. Any other gives those that
# lead from it: the task that runs, the ready queue, the timers, groups and joiners. Static tasks and
# pools, and queues of static objects, give further ones. What nothing leads to is missing.

import itertools

from . import lists, tables
from .lists import Damaged
from .memory import Unreadable
from .structs import Struct
from .tasks import Loop, Task


class Census:
    def __init__(self, program, expressions=(), quick=False):
        """QUICK: only find the loops."""
        self.program = program
        self.debugger = program.debugger
        self.loops = {}
        self.tasks = {}
        self.objects = None
        self.find_loops(expressions)
        if quick:
            return
        for loop in list(self.loops.values()):
            self.count(loop)
        self.find_nested()
        if not all(loop.complete for loop in self.loops.values()):
            self.find_strays()

    # --- loops

    def find_loops(self, expressions):
        for expression in expressions:
            self.add_loop(self.debugger.evaluate(expression), expression)
        for variable, path, layout, address in self.static_structs("pt_loop"):
            self.add_loop(address, variable.name + path)
        for address, name in self.debugger.on_stacks("pt_loop"):
            self.add_loop(address, name)
        for address, _ in self.debugger.on_stacks("pt_task"):
            try:
                task = Task(self.program, address)
            except Unreadable:
                continue
            if task.alive() and task.struct.get("loop"):
                self.add_loop(task.struct["loop"])

    def add_loop(self, address, name=None):
        if not address or address in self.loops:
            return
        try:
            loop = Loop(self.program, address, name)
        except Unreadable as fault:
            self.program.complain("loop %s: %s" % (name or hex(address), fault))
            return
        if self.is_loop(loop):
            self.loops[address] = loop

    def is_loop(self, loop):
        """Whether it was initialized: zeroed storage is no loop yet, nor is a dead local."""
        struct, knobs = loop.struct, self.program.knobs
        if "ready.fifo.tail" in struct and not struct["ready.fifo.tail"]:
            return False
        if knobs.lists_tasks and not struct.get("tasks.end.link.next", 1):
            return False
        return any(struct.raw)

    def find_nested(self):
        """Loops that run in a task of another loop, also in one that the first search did not see."""
        layout = self.debugger.layout("pt_loop_async")
        if not layout:
            return
        pending = list(self.tasks.values())
        while pending:
            found = set(self.loops)
            for task in pending:
                for frame in task.frames() if task.alive() else ():
                    if frame.name == "pt_loop_async":
                        self.add_loop(Struct(self.debugger, layout, frame.address)["loop"])
            before = set(self.tasks)
            for address in set(self.loops) - found:
                self.count(self.loops[address])
            pending = [task for address, task in self.tasks.items() if address not in before]

    # --- tasks

    def add_task(self, loop, address, found, parent=None):
        """The task at ADDRESS, if it is new and is one. Raises Damaged if no memory is there: what leads to it can be a
        queue that something has overwritten, of a thousand million more."""
        if address in self.tasks:
            return None
        try:
            task = Task(self.program, address, loop)
        except Unreadable as fault:
            raise Damaged("what leads to a task leads elsewhere: %s" % fault) from None
        if not task.alive():
            return None
        task.found = found
        task.parent = parent
        task.depth = parent.depth + 1 if parent else 0
        self.tasks[address] = task
        loop.tasks.append(task)
        return task

    def count(self, loop):
        """Find the tasks of a loop."""
        if self.program.knobs.lists_tasks:
            loop.complete = self.attempt(loop, self.count_list)
        if not loop.complete:
            for way in (self.count_running, self.count_ready, self.count_batch, self.count_timers):
                self.attempt(loop, way)
            for task in loop.tasks[:]:
                self.attempt(loop, self.count_groups, task)
                self.attempt(loop, self.count_joiners, task)

    def attempt(self, loop, way, *more):
        try:
            way(loop, *more)
            return True
        except Damaged as damage:
            self.program.complain("loop %s: %s" % (loop.title(), damage))
        except Unreadable as fault:
            self.program.complain("loop %s: %s" % (loop.title(), fault))
        return False

    def count_list(self, loop):
        """All tasks, in the order of pt_loop_task: each before the tasks of its groups."""
        walks = [(None, self.members(loop.struct.at("tasks"), "its list of tasks"))]
        while walks:
            parent, walk = walks[-1]
            for address in walk:
                task = self.add_task(loop, address, "list", parent)
                if not task:
                    raise Damaged("its list of tasks has a task that is not alive, 0x%x" % address)
                if task.struct.get("scopes"):
                    walks.append((task, self.grouped(task)))
                    break
            else:
                walks.pop()

    def members(self, queue, what):
        for node in lists.wait_queue(self.debugger, queue, what):
            yield node - self.program.knobs.member

    def grouped(self, task):
        """The tasks of a task's open groups, those of the innermost first."""
        layout = self.debugger.layout("pt_group")
        for scope in task.scopes():
            if scope["marks"] & tables.SCOPE_GROUP and layout:
                queue = scope.address + layout.offset("members")
                yield from self.members(queue, "the group of task 0x%x" % task.address)

    def count_groups(self, loop, task):
        for address in self.grouped(task):
            self.add_task(loop, address, "group", task)

    def count_running(self, loop):
        if loop.current:
            self.add_task(loop, loop.current, "current")

    def count_ready(self, loop):
        for node in self.ready(loop):
            self.add_task(loop, node - self.program.knobs.node, "ready")

    def ready(self, loop):
        struct, seen = loop.struct, set()
        if "ready.ring" in struct:
            count = (struct["ready.tail"] - struct["ready.head"]) % (1 << 32)
            if count > struct["ready.mask"] + 1:
                raise Damaged("its ready queue is damaged: %d tasks in %d places" % (count, struct["ready.mask"] + 1))
            for i in range(count):
                place = (struct["ready.head"] + i) & struct["ready.mask"]
                node = self.pointer(struct["ready.ring"] + place * self.debugger.word)
                if node in seen:
                    raise Damaged("its ready queue is damaged: of %d tasks one is in it twice" % count)
                seen.add(node)
                yield node
            return
        # A fifo. Its tail points to the last link, its end is the node that has this link.
        tail, link = struct["ready.fifo.tail"], struct.at("ready.fifo.first")
        while link != tail:
            node = self.pointer(link)
            if not node or node in seen:
                raise Damaged("its ready queue is damaged after %d tasks" % len(seen))
            seen.add(node)
            yield node
            link = node + self.debugger.layout("pt_node").offset("link.next")

    def count_batch(self, loop):
        """The rest of the turn that runs, where the ready queue is a list."""
        batch = loop.struct.get("ready.batch", 0)
        if batch:
            end = loop.struct.at("ready.fifo")
            for node in lists.unlinked(self.debugger, batch, end, "the rest of its turn"):
                self.add_task(loop, node - self.program.knobs.node, "ready")

    def count_timers(self, loop):
        for timer, deadline in self.timers(loop):
            task = self.add_task(loop, timer - self.program.knobs.timer, "timers")
            if task:
                task.deadline = deadline
                if self.debugger.layout("pt_task") and "timer" in self.program.knobs.task:
                    task.found = "timer"  # it can be that of a block

    def timers(self, loop):
        """(timer, deadline) of each entry of the timer queue."""
        struct = loop.struct
        if "timers.heap.entries" in struct:
            entry = self.debugger.layout("pt_heap_entry")
            count, capacity = struct["timers.heap.count"], struct["timers.heap.capacity"]
            if count > capacity:
                raise Damaged("its timers are damaged: %d in %d places" % (count, capacity))
            places = (struct["timers.heap.entries"] + i * entry.size for i in range(count))
            for place in itertools.chain(places, self.far_timers(struct, entry)):
                at = Struct(self.debugger, entry, place)
                yield at["index"], (at["deadline"] + struct["timers.heap.epoch"]) % (1 << 64)
        elif "timers.heap.first" in struct:
            yield from self.tree(struct["timers.heap.first"])
        elif "timers.list.first" in struct:
            what = "its list of timers"
            for node in lists.unlinked(self.debugger, struct["timers.list.first"], 0, what):
                yield node, Struct(self.debugger, self.debugger.layout("pt_node"), node)["at"]

    def front_timers(self, far, entry):
        """The entries of front.h: what is left of opened buckets, and later timers that joined them."""
        place, at = far["front.place"], far["front.at"] if far["front.sorted"] else 0
        for left in range(far["front.left"], 0, -1):
            if place >= far["fresh"] * tables.CHUNK or at >= tables.FRONT:
                raise Damaged("its timers are damaged: place %d in the front" % place)
            if self.pointer(far["entries"] + place * entry.size + entry.offset("index")):
                yield far["entries"] + place * entry.size
            if left == 1:
                return
            if far["front.sorted"]:
                at += 1
                place = self.debugger.memory.number(far.at("front.places") + at * 4, 4)
            elif place % tables.CHUNK != tables.CHUNK - 1:
                place += 1
            else:
                place = self.debugger.memory.number(far["chunks"] + place // tables.CHUNK * 8, 4) * tables.CHUNK

    def far_timers(self, loop, entry):
        """The entries in buckets.h and front.h: those of the chunks of each bucket that is used, and of the front."""
        if not loop.get("timers.later", 0):
            return
        number = self.debugger.memory.number
        far = Struct(self.debugger, self.debugger.layout("pt_buckets_"), loop["timers.later"])
        yield from self.front_timers(far, entry)
        left = far["count"]
        for bucket in range(1024 * far["levels"].bit_length() if left else 0):
            if not number(far.at("used") + bucket // 64 * 8, 8) >> bucket % 64 & 1:
                continue
            chunk, count = (number(far.at("buckets") + bucket * 8 + word, 4) for word in (0, 4))
            left -= count
            if left < 0:
                raise Damaged("its timers are damaged: more than %d in buckets" % far["count"])
            while count > 0:
                if chunk >= far["fresh"]:
                    raise Damaged("its timers are damaged: chunk %d of %d" % (chunk, far["fresh"]))
                some = (count - 1) % 8 + 1
                for i in range(some):
                    yield far["entries"] + (chunk * 8 + i) * entry.size
                count -= some
                chunk = number(far["chunks"] + chunk * 8, 4)

    def tree(self, root):
        """The nodes of the heap of heap_linked.h: a ring of links from each node to its children."""
        layout = self.debugger.layout("pt_heap_node") or self.debugger.layout("pt_node")
        seen, pending = set(), [root]
        while pending:
            at = pending.pop()
            if not at:
                continue
            if at in seen:
                raise Damaged("its timers are damaged after %d" % len(seen))
            seen.add(at)
            node = Struct(self.debugger, layout, at)
            yield at, node["at"]
            child = node["child"]
            if child != at:  # the last child; then the first, unless it is the only one
                pending.append(child)
                first = Struct(self.debugger, layout, child)["link.next"]
                if first != at:
                    pending.append(first)

    def count_joiners(self, loop, task):
        if "joiners.first" in task.struct:
            what = "the tasks that join 0x%x" % task.address
            for node in lists.wait_list(self.debugger, task.struct.at("joiners"), what, task.is_member()):
                self.add_waiter(node, "joiners")

    def add_waiter(self, node, found, queue=None):
        """The task of a node in a wait queue: its own, or that of a case of a select."""
        case = self.debugger.layout("pt_case_")
        waiter = self.debugger.layout("pt_waiter_")
        if case and waiter and self.pointer(node + waiter.offset("item")) == node:
            select = Struct(self.debugger, case, node)["select"]
            address = Struct(self.debugger, self.debugger.layout("pt_select_"), select)["task"]
        else:
            address = node - self.program.knobs.node
        try:
            task = Task(self.program, address)
        except Unreadable:
            return
        loop = self.loops.get(task.struct.get("loop", 0)) or self.only_loop()
        if loop:
            self.add_task(loop, address, found)
        if address in self.tasks:
            self.tasks[address].queue = queue

    def only_loop(self):
        return next(iter(self.loops.values())) if len(self.loops) == 1 else None

    def pointer(self, address):
        return self.debugger.data_address(self.debugger.memory.number(address, self.debugger.word))

    # --- what nothing in a loop leads to

    def find_strays(self):
        """Static tasks, and those that wait for static objects."""
        for _, _, _, address in self.static_structs("pt_task" if self.debugger.layout("pt_task") else "pt"):
            self.add_stray(address)
        for struct, field, _ in tables.QUEUES:
            layout = self.debugger.layout(struct)
            if struct == "pt_task" or not layout or field not in layout:
                continue
            walk = lists.wait_list if field + ".first" in layout else lists.wait_queue
            for variable, path, _, address in self.static_structs(struct):
                self.walk_object(walk, address + layout.offset(field), variable.name + path)

    def walk_object(self, walk, address, name):
        try:
            for node in walk(self.debugger, address, name):
                self.add_waiter(node, "object", address)
        except (Damaged, Unreadable) as fault:
            self.program.complain(str(fault))

    def add_stray(self, address):
        try:
            task = Task(self.program, address)
        except Unreadable:
            return
        loop = self.loops.get(task.struct.get("loop", 0)) or self.only_loop()
        if loop and task.alive():
            self.add_task(loop, address, "static")

    def variables(self):
        if self.objects is None:
            self.objects = list(self.debugger.variables())
        return self.objects

    def static_structs(self, name):
        """(variable, path, layout, address) of each struct NAME in a static variable."""
        for variable in self.variables():
            for path, layout, address in self.inside(variable.type, variable.address, name, ""):
                yield variable, path, layout, address

    def inside(self, type, address, name, path, depth=6):
        layout = self.debugger.layout_of(type)
        if layout:
            if layout.name == name:
                yield path, layout, address
                return
            for field, where in layout.fields.items():
                if "." not in field and where.type is not None and depth:
                    yield from self.inside(where.type, address + where.offset, name, path + "." + field, depth - 1)
            return
        array = self.debugger.elements(type)
        if array and self.contains(array[1], name, depth):
            layout = self.debugger.layout_of(array[1])
            for i in range(array[0]):
                yield from self.inside(array[1], address + i * layout.size, name, "%s[%d]" % (path, i), depth)

    def contains(self, type, name, depth=6):
        """Whether a type has a struct NAME in it, so that an array of bytes is not searched."""

        def look():
            layout = self.debugger.layout_of(type)
            if layout:
                return layout.name == name or any(
                    depth and where.type is not None and self.contains(where.type, name, depth - 1)
                    for field, where in layout.fields.items()
                    if "." not in field
                )
            array = self.debugger.elements(type)
            return bool(array) and self.contains(array[1], name, depth)

        return self.program.once("contains", (self.debugger.key(type), name), look)
