# waits.py - what a task waits for: the object, its name, its owner, the other side
# SPDX-License-Identifier: MIT
#
# A task that waits stands in a queue by its node, and a select by the nodes of its cases. From a node
# the back links lead to the head of the queue, which is a member of a lock, a channel, ... The task
# says which kind (PT_INSPECT); otherwise the type of the variable or frame around the head does.

import bisect

from . import tables
from .debugger import bare
from .memory import Unreadable
from .structs import Struct


class Object:
    """What a task waits for."""

    def __init__(self, kind, type, address, field=None):
        self.kind = kind  # a name of tables.WHY, "TIME", "OFF", or None if nothing tells
        self.type = type  # the name of its struct, or None
        self.address = address
        self.field = field  # the queue of the object in which the task waits
        self.name = None
        self.facts = {}  # what else is known, for people and for JSON
        self.cases = []  # of a select


class Waits:
    def __init__(self, census):
        self.census = census
        self.program = census.program
        self.debugger = census.debugger
        self.node = self.debugger.layout("pt_node")
        self.back = self.node.fields.get("prev")
        self.heads = {}
        self.nodes = {task.node for task in census.tasks.values() if task.bits & tables.QUEUED}
        self.selects = {}
        for task in census.tasks.values():
            if self.waits_by_ops(task):
                for case in self.cases(task):
                    self.nodes.add(case.address)
        self.areas = None

    def object(self, task):
        """The Object that a task waits for, or None."""
        if not task.bits & tables.QUEUED or task.state() not in ("WAITING", "SLEEPING"):
            return None
        why = task.why()
        try:
            found = self.by_ops(task, why) if self.waits_by_ops(task) else self.by_queue(task, why)
            if found and found.address:
                self.describe(task, found)
            return found
        except Unreadable as fault:
            self.program.complain("task 0x%x: what it waits for cannot be read: %s" % (task.address, fault))
            return None

    def waits_by_ops(self, task):
        return bool(task.bits & tables.HAS_OPS) and "waiter.item" in task.struct

    # --- finding it

    def by_ops(self, task, why):
        """The wait has operations: its item is the object."""
        item = task.struct["waiter.item"]
        if task.address in self.selects:
            found = Object("SELECT", "pt_select_", item)
            found.cases = [self.case(task, case) for case in self.selects[task.address]]
            return found
        if why == "CONDITION" or (why is None and self.left_by(item).endswith("_again_")):
            return self.by_queue(task, why)  # the item is in the lock
        if why == "BARRIER" or (why is None and self.type_at(item) == "pt_barrier"):
            return Object("BARRIER", "pt_barrier", item, "waiters")
        return Object("LOCK", "pt_rwlock", item, "writers")

    def left_by(self, item):
        """The name of the function by which a task leaves a wait with operations, or ""."""
        layout = self.debugger.layout("pt_wait_ops_")
        function = layout and self.program.function(Struct(self.debugger, layout, item)["cancel"])
        return bare(function.name) if function else ""

    def cases(self, task):
        """The cases of a task's select; none if it waits for something else."""
        layout, case = self.debugger.layout("pt_select_"), self.debugger.layout("pt_case_")
        if task.address in self.selects or not layout or not case:
            return self.selects.get(task.address, [])
        try:
            select = Struct(self.debugger, layout, task.struct["waiter.item"])
            if select["task"] != task.address:
                return []
            first = select["cases"]
            cases = [Struct(self.debugger, case, first + i * case.size) for i in range(select["count"])]
        except Unreadable:
            return []
        if any(one["select"] != select.address for one in cases):
            return []
        self.selects[task.address] = cases
        return cases

    def case(self, task, case):
        kind = Struct(self.debugger, self.debugger.layout("pt_case_kind_"), case["kind"])
        take = self.program.function(kind["take"])
        name = bare(take.name) if take else ""
        if kind["place"] == tables.CASE_IN_TIME:
            return Object("OFF" if name == "pt_case_off_take_" else "TIME", None, 0)
        why, type = tables.CASES.get(name, (None, None))
        if type:
            found = Object(why, type, case["target"], self.field_at(type, kind["offset"]))
            self.describe(task, found)
            return found
        found = self.around(case["target"] + kind["offset"], None)
        self.describe(task, found)
        return found

    def field_at(self, type, offset):
        layout = self.debugger.layout(type)
        for struct, field, _ in tables.QUEUES:
            if struct == type and layout and field in layout and layout.offset(field) == offset:
                return field
        return None

    def by_queue(self, task, why):
        head = self.head(task.node) if self.back else task.queue
        return self.around(head, why) if head else None

    def head(self, node):
        """The address of the wait queue or wait list that has NODE."""
        way = []
        while node not in self.heads:
            way.append(node)
            link = self.debugger.data_address(
                self.debugger.memory.number(node + self.back.offset, self.debugger.word)
            )
            before = link - self.node.offset("link.next")
            if before not in self.nodes:
                head = link
                break
            if before in way or len(way) > len(self.nodes):
                head = None
                break
            node = before
        else:
            head = self.heads[node]
        for node in way:
            self.heads[node] = head
        return head

    def around(self, head, why):
        """The object that has a queue at HEAD."""
        name, type = self.locate(head)
        for struct, field, kind in tables.QUEUES:
            layout = self.debugger.layout(struct)
            if not layout or field not in layout:
                continue
            fits = type == struct if type else kind == why and self.plausible(struct, head - layout.offset(field))
            if fits and (why is None or kind == why) and self.ends(name, field, type):
                return Object(kind, struct, head - layout.offset(field), field)
        return Object(why, None, head)

    def ends(self, name, field, type):
        return not type or name.endswith("." + field)

    def plausible(self, struct, address):
        """Whether a struct can be at ADDRESS; for those of which two kinds have one reason."""
        if struct == "pt_io":
            io = Struct(self.debugger, self.debugger.layout("pt_io"), address)
            return io["fd"] < 1 << 24 and self.owns(io)
        if struct in ("pt_mailbox", "pt_ring_"):
            layout = self.debugger.layout(struct)
            object = Struct(self.debugger, layout, address)
            return object.get("arrival.loop") in self.census.loops
        return True

    def owns(self, io):
        """Whether the system of a descriptor has it in its table."""
        system, slot = self.debugger.layout("pt_system"), self.debugger.layout("pt_slot_")
        if not system or not slot or not io["system"]:
            return False
        try:
            table = Struct(self.debugger, system, io["system"])
            if not 0 <= io["fd"] < table["count"]:
                return False
            return Struct(self.debugger, slot, table["places"] + io["fd"] * slot.size)["io"] == io.address
        except Unreadable:
            return False

    # --- names

    def locate(self, address):
        """(path, struct type) of what is at ADDRESS, in a variable or a frame; or (None, None)."""
        area = self.area(address)
        if not area:
            return None, None
        start, _, name, type = area
        return self.path(name, type, address - start)

    def type_at(self, address):
        """The struct type of the innermost object that begins at ADDRESS and is one that tasks wait for."""
        area = self.area(address)
        if not area:
            return None
        start, _, name, type = area
        known = {struct for struct, _, _ in tables.QUEUES}
        for _, layout, offset, _ in self.inward(name, type, address - start):
            if not offset and layout.name in known:
                return layout.name
        return None

    def inward(self, name, type, offset):
        """The structs of a variable that contain OFFSET, from outside in: (name, layout, offset in it, its field)."""
        while type is not None:
            layout = self.debugger.layout_of(type)
            if layout:
                field, where = self.step(layout, offset)
                yield name, layout, offset, field
                if not field:
                    return
                name, type, offset = name + "." + field, where.type, offset - where.offset
                continue
            array = self.debugger.elements(type)
            inner = array and self.debugger.layout_of(array[1])
            if not inner or not inner.size:
                return
            name, type, offset = "%s[%d]" % (name, offset // inner.size), array[1], offset % inner.size

    def step(self, layout, offset):
        for field, where in layout.fields.items():
            if "." not in field and where.offset <= offset < where.offset + where.size:
                return field, where
        return None, None  # padding

    def path(self, name, type, offset):
        """NAME with the fields that lead to OFFSET, down to the queue of the innermost known struct."""
        queues = {(struct, field) for struct, field, _ in tables.QUEUES}
        for name, layout, _, field in self.inward(name, type, offset):
            if not field:
                return name, None
            name += "." + field
            if (layout.name, field) in queues:
                return name, layout.name
        return name, None

    def area(self, address):
        """(start, end, name, type) of the variable or the frame that has ADDRESS."""
        if self.areas is None:
            self.areas = sorted(self.list_areas(), key=lambda area: area[:2])
            self.starts = [area[0] for area in self.areas]
        for i in range(bisect.bisect_right(self.starts, address) - 1, -1, -1):
            if address < self.areas[i][1]:
                return self.areas[i]
            if self.starts[bisect.bisect_right(self.starts, address) - 1] - self.starts[i] > 1 << 16:
                break
        return None

    def list_areas(self):
        for variable in self.census.variables():
            yield variable.address, variable.address + variable.size, variable.name, variable.type
        for task in self.census.tasks.values():
            for frame in task.frames():
                type = frame.function and self.program.once(
                    "frame_type", frame.fn, lambda: self.debugger.frame_type(frame.function)
                )
                layout = type and self.debugger.layout_of(type)
                if layout:
                    yield frame.address, frame.address + layout.size, frame.name, type

    def name(self, found):
        head = found.address
        if found.field and found.type:
            head += self.debugger.layout(found.type).offset(found.field)
        path, type = self.locate(head)
        if not path:
            return None
        if found.field and path.endswith("." + found.field):
            path = path[: -len(found.field) - 1]
        for inner in tables.INNER:
            if path.endswith(inner):
                path = path[: -len(inner)]
        return path

    # --- facts

    def describe(self, task, found):
        """Name the object and add what is known of it."""
        if found.type == "pt_select_" or not found.address:
            return
        if found.type == "pt_task":
            found.name, found.facts["task"] = self.task_name(found.address), "0x%x" % found.address
            return
        found.name = self.name(found)
        layout = found.type and self.debugger.layout(found.type)
        if not layout:
            return
        object = Struct(self.debugger, layout, found.address)
        tell = getattr(self, "tell_" + found.type.strip("_"), None)
        if tell:
            tell(found, object)

    def task_name(self, address):
        task = self.census.tasks.get(address)
        return task.name() if task else "a task at 0x%x" % address

    def owner(self, found, object, field):
        if object[field]:
            found.facts["owner"] = {"task": "0x%x" % object[field], "name": self.task_name(object[field])}

    def waiting(self, object, field):
        """How many wait in a queue of an object: counted once, since each of them shows it."""
        return self.program.once("waiting", object.at(field), lambda: self.count(object, field))

    def count(self, object, field):
        """The same, up to 1000."""
        from . import lists

        count = 0
        try:
            for _ in lists.wait_queue(self.debugger, object.at(field), field):
                count += 1
                if count == 1000:
                    break
        except lists.Damaged as damage:
            self.program.complain("0x%x: %s" % (object.address, damage))
        return count

    def tell_pt_lock(self, found, lock):
        self.owner(found, lock, "owner")

    def tell_pt_rwlock(self, found, lock):
        self.owner(found, lock, "writer")
        if lock["reading"]:
            found.facts["readers"] = lock["reading"]

    def tell_pt_channel(self, found, channel):
        found.facts["senders"] = self.waiting(channel, "senders")
        found.facts["receivers"] = self.waiting(channel, "receivers")

    def tell_pt_queue(self, found, queue):
        found.facts["count"], found.facts["capacity"] = queue["count"], queue["capacity"]

    def tell_pt_semaphore(self, found, semaphore):
        found.facts["count"] = semaphore["count"]

    def tell_pt_barrier(self, found, barrier):
        found.facts["waiting"], found.facts["parties"] = barrier["waiting"], barrier["parties"]

    def tell_pt_pool(self, found, pool):
        found.facts["used"] = pool["used"]

    def tell_pt_group(self, found, group):
        found.facts["members"] = self.waiting(group, "members")

    def tell_pt_io(self, found, io):
        found.facts["fd"] = io["fd"]
        found.facts["for"] = {"readers": "reading", "writers": "writing", "hangups": "a hang-up"}.get(found.field)
