# stuck.py - tasks that wait for each other in a circle, and tasks that nothing can wake any more
# SPDX-License-Identifier: MIT
#
# The same search as include/pt/inspect/stuck.h, from outside. A deadlock is exact. What is suspected needs the copy of
# a process's memory (snapshot.py): its areas, the blocks of glibc's malloc in them, and the items of pools.

import bisect
import struct

from . import lists, tables, text
from .lists import Damaged
from .memory import Unreadable
from .own_memory import BLOCK, OPEN, OwnMemory
from .structs import Struct
from .tasks import Task

HEAD, IN_USE, MAPPED, BITS, PAGE, CACHE = 16, 1, 2, 7, 4096, 0x290  # of malloc; lib/inspect/malloc_blocks.c
ARENA = 64 << 20
RED_ZONE = 128  # bytes below the stack pointer that a function of x86-64 can use
ONLY_DEADLOCKS = "only deadlocks were looked for: suspected are tasks of a 64-bit process of up to 512 MB"


def registers():
    """(stack pointer, general registers) of each thread."""
    import gdb

    found, selected = [], gdb.selected_thread()
    for thread in gdb.selected_inferior().threads():
        try:
            thread.switch()
            frame = gdb.newest_frame()
            words = [int(frame.read_register("sp")) % (1 << 64)]
        except (gdb.error, ValueError):
            continue
        for one in frame.architecture().registers("general"):
            try:
                words.append(int(frame.read_register(one)) % (1 << 64))
            except (gdb.error, ValueError):
                pass  # a core file does not have all
        found.append((words[0], words))
    if selected:
        selected.switch()
    return found


class Heap:
    """The chunks of malloc in a copy of an area."""

    cached = None  # the mark of blocks that malloc keeps: one for the process

    def __init__(self, start, copy):
        self.start, self.copy, self.end = start, copy, start + len(copy)

    def word(self, address):
        return struct.unpack_from("<Q", self.copy, address - self.start)[0]

    def next(self, chunk, end):
        """The chunk behind this one; 0: this is none."""
        if end - chunk < 2 * HEAD:
            return 0
        head = self.word(chunk + 8)
        size = head & ~BITS
        if size < 2 * HEAD or size % HEAD or size > end - chunk or head & MAPPED:
            return 0
        return chunk + size

    def is_heap(self, start, end):
        while start and start != end:
            start = self.next(start, end)
        return start == end

    def first_chunk(self, start, end):
        """The first chunk of the heap that ends at END, in the page from START on; or 0. In front of it are the headers
        of an arena, or the first thread's variables, if the program is linked statically."""
        for first in range(start, start + PAGE, HEAD):
            if self.next(first, end) and self.is_heap(first, end):
                return first
        return 0

    def in_use(self, chunk, end):
        after = self.next(chunk, end)
        return bool(after) and after != end and bool(self.word(after + 8) & IN_USE)

    def key(self, first):
        """What malloc writes into the second word of a block that it keeps for a thread: such a block looks as if it
        were in use. The first chunk leads to them: 64 counts, and as many lists."""
        if self.word(first + 8) & ~BITS == CACHE:
            for at in range(first + HEAD + 128, first + CACHE, 8):
                if self.start <= self.word(at) < self.end - 16:
                    Heap.cached = self.word(self.word(at) + 8)
                    break
        return Heap.cached

    def blocks(self, start, end):
        """(start, end, end of what is read) of each block; the first one is malloc's own."""
        found = []
        key = self.key(start)
        chunk = self.next(start, end)
        while chunk and chunk != end:
            after = self.next(chunk, end)
            if after and after != end and self.in_use(chunk, end) and self.word(chunk + HEAD + 8) != key:
                shared = self.in_use(after, end)
                found.append((chunk + HEAD, after + (8 if shared else 0), after + 8))
            chunk = after
        return found

    def mapped(self):
        """Blocks that are mappings of their own, at the start of the area; and where they end."""
        at, found = self.start, []
        while self.end - at >= PAGE:
            head = self.word(at + 8)
            size = head & ~BITS
            if head & BITS != MAPPED or self.word(at) or size % PAGE or size > self.end - at or not size:
                break
            found.append((at + HEAD, at + size, at + size))
            at += size
        return found, at

    def arenas(self, at):
        """(first chunk, end) of each arena of a thread behind AT."""
        arena = (at + ARENA - 1) // ARENA * ARENA
        while arena + PAGE < self.end:
            size = self.word(arena + 16)
            end = arena + size
            if size and size <= ARENA and size % PAGE == 0 and end <= self.end:
                first = self.first_chunk(arena + 2 * HEAD, end)
                if first:
                    yield first, end
            arena += ARENA


class Reach:
    """Which pieces of the memory something leads to."""

    def __init__(self, snapshot, threads):
        self.snapshot = snapshot
        self.words_of_threads = [word for _, words in threads for word in words]
        self.pieces = []  # [start, end, kind, end of what is read, up, reached]
        self.areas = []
        self.pending = []
        for start, copy in zip(snapshot.starts, snapshot.copies):
            pointers = [sp for sp, _ in threads if snapshot.is_stack(start)]
            self.look_through(Heap(start, copy), pointers)

    def look_through(self, heap, stacks):
        first = heap.first_chunk(heap.start, heap.end)
        if first:
            self.add_area(heap, heap.start, first, stacks)
            self.add_blocks(heap.blocks(first, heap.end))
            return
        blocks, at = heap.mapped()
        self.add_blocks(blocks)
        for first, end in heap.arenas(at):
            self.add_area(heap, at, first, stacks)
            self.add_blocks(heap.blocks(first, end))
            at = end
        self.add_area(heap, at, heap.end, stacks)

    def add_blocks(self, blocks):
        for start, end, tail in blocks:
            self.pieces.append([start, end, BLOCK, tail, -1, False])

    def add_area(self, heap, start, end, stacks):
        for pointer in stacks:
            if start <= pointer - RED_ZONE < end:
                start = pointer - RED_ZONE  # what is below is of earlier calls
        self.areas += self.snapshot.existing(start, end)

    def add(self, start, size, kind):
        self.pieces.append([start, start + size, kind, start + size, -1, False])

    def begin(self):
        self.pieces.sort(key=lambda piece: (piece[0], -piece[1]))
        self.starts = [piece[0] for piece in self.pieces]
        self.high = max(piece[1] for piece in self.pieces)
        for i, piece in enumerate(self.pieces):
            up = i - 1
            while up >= 0 and self.pieces[up][1] <= piece[0]:
                up = self.pieces[up][4]
            piece[4] = up
        for start, end in self.areas:
            self.read(start, end)
        for word in self.words_of_threads:
            self.reach(word)
        self.spread()

    def piece(self, address):
        at = bisect.bisect_right(self.starts, address) - 1
        while at >= 0 and self.pieces[at][1] <= address:
            at = self.pieces[at][4]
        return at

    def block(self, address):
        """(number of the block that has ADDRESS, or -1; whether the system can use what is there)"""
        at, open = self.piece(address), False
        while at >= 0 and self.pieces[at][2] != BLOCK:
            open = open or self.pieces[at][2] == OPEN
            at = self.pieces[at][4]
        return at, open

    def has(self, address):
        return self.piece(address) >= 0 or any(start <= address < end for start, end in self.areas)

    def reached(self, address):
        at, open = self.block(address)
        return open or at < 0 or self.pieces[at][5]

    def reach(self, address):
        at, _ = self.block(address)
        if at >= 0 and not self.pieces[at][5]:
            self.pieces[at][5] = True
            self.pending.append(at)

    def words(self, start, end):
        start = (start + 7) // 8 * 8
        if end - start < 8 or not self.starts:
            return []
        try:
            copy = self.snapshot.fetch(start, (end - start) // 8 * 8)
        except Unreadable:
            return []
        low, high = self.starts[0], self.high
        return [word for word in memoryview(copy).cast("Q") if low <= word < high]

    def read(self, start, end):
        """Reach what the words lead to, but for those in pieces."""
        at = bisect.bisect_left(self.starts, start)
        outer = self.piece(start)
        if outer >= 0 and self.pieces[outer][0] < start:
            while self.pieces[outer][4] >= 0:
                outer = self.pieces[outer][4]
            start = max(start, self.pieces[outer][1])
        while start < end:
            while at < len(self.pieces) and self.pieces[at][1] <= start:
                at += 1
            inner = at < len(self.pieces) and self.pieces[at][0] < end
            stop = self.pieces[at][0] if inner else end
            self.reach_words(start, stop)
            start = self.pieces[at][1] if inner else end

    def spread(self):
        """Read the blocks that were reached around the pieces in them, which follow them."""
        while self.pending:
            at = self.pending.pop()
            piece, start = self.pieces[at], self.pieces[at][0]
            at += 1
            while at < len(self.pieces) and self.pieces[at][0] < piece[1]:
                self.reach_words(start, self.pieces[at][0])
                start = max(start, self.pieces[at][1])
                at += 1
            self.reach_words(start, piece[3])

    def reach_words(self, start, end):
        for word in self.words(start, end):
            self.reach(word)


class Stuck:
    """A search in all loops that were found."""

    def __init__(self, census, waits):
        self.census, self.waits = census, waits
        self.program, self.debugger = census.program, census.debugger
        self.tasks = list(census.tasks.values())
        self.reach = None
        self.live = set()
        self.told = []
        self.circles = 0
        self.objects = {}
        self.owned = None

    def find(self, snapshot=None, threads=()):
        """What is stuck, as plain data: deadlocks, and with a SNAPSHOT also what is suspected."""
        if not all(loop.complete for loop in self.census.loops.values()):
            self.program.complain("the program does not list its tasks (PT_INSPECT): nothing is known to be stuck")
            return []
        self.search(True)
        if snapshot and self.debugger.word == 8 and "waiter.item" in self.program.knobs.task:
            self.reach = Reach(snapshot, threads)
            own = OwnMemory(self.census, self.reach)
            own.describe()
            self.reach.begin()
            own.reach_what_loops_lead_to()
            self.reach.spread()
            self.search(False)
        else:
            self.program.complain(ONLY_DEADLOCKS)
        return self.told

    # --- one search

    def search(self, exact):
        self.live = set()
        told = {task["task"] for task in self.told}
        left = [task for task in self.tasks if "0x%x" % task.address not in told]
        while True:
            more = [task for task in left if task.address not in self.live and self.goes_on(task)]
            if not more:
                break
            for task in more:
                self.revive(task)
        dead = [task for task in left if task.address not in self.live]
        for circle in self.circles_of(dead):
            self.circles += 1
            for task in circle:
                self.tell(task, exact, self.circles)
        told = {task["task"] for task in self.told}
        for task in dead:
            if "0x%x" % task.address not in told:
                self.tell(task, exact, None)

    def tell(self, task, exact, circle):
        next = self.next(task)
        self.told.append(
            {
                "task": "0x%x" % task.address,
                "name": task.name(),
                "waits_for": "0x%x" % next.address if next else None,
                "circle": circle,
                "exact": exact,
            }
        )

    def circles_of(self, dead):
        seen = set()
        for task in dead:
            path = []
            while task and task.address not in seen and task not in path:
                path.append(task)
                task = self.next(task)
            if task in path:
                yield path[path.index(task) :]
            seen.update(one.address for one in path)

    def goes_on(self, task):
        if task.state() not in ("PARKED", "WAITING") or self.timed(task) or self.interrupted(task):
            return True
        if task.state() == "PARKED":
            return task.runs_a_loop() or not self.reach or self.reach.reached(task.address)
        object = self.object(task)
        if not object or object.kind in ("IO", "FOREIGN"):
            return True
        needs = self.needs(object)
        if needs is not None:
            return not any(one.address not in self.live for one in needs[1]) if needs[0] else (
                any(one.address in self.live for one in needs[1])
            )
        if not self.reach:
            return True
        if object.cases:
            return any(case.kind == "IO" or self.reach.reached(case.address) for case in object.cases)
        return self.reach.reached(object.address)

    def timed(self, task):
        if task.bits & tables.SLEEPING:
            return True
        return not task.flags & tables.GIVEN and any(
            scope["marks"] & tables.SCOPE_TIMED and not scope["marks"] & tables.SCOPE_GROUP for scope in task.scopes()
        )

    def interrupted(self, task):
        """Whether a group can end its wait: its own, or one whose block it has open. A cleanup protects from that."""
        if task.flags & tables.GIVEN:
            return False
        depth = task.depth_of_cleanups()
        for scope in task.scopes():
            inside = scope["state"] == tables.SCOPE_ENTERED and scope["depth"] == depth
            if scope["marks"] & tables.SCOPE_GROUP and inside and self.decides(self.group(scope.address)):
                return True
        if depth or task.canceled() or not task.is_member():
            return False
        try:
            return self.cancels(self.group(task.group()))
        except (Damaged, Unreadable):
            return False

    def group(self, address):
        layout = self.debugger.layout("pt_group")
        try:
            return Struct(self.debugger, layout, address) if layout and address else None
        except Unreadable:
            return None

    def decides(self, group):
        """Whether the end of a task can make a group cancel its other tasks, and interrupt its owner."""
        if not group or group["over"] or group["policy"] == tables.GROUP_ALL:
            return False
        try:
            return any(one.address in self.live for one in self.members(group))
        except (Damaged, Unreadable):
            return False

    def cancels(self, group):
        """Whether a group can cancel one of its tasks: by a decision, or because its owner leaves the block. With the
        memory, an owner that runs the body of the block is not expected to leave it."""
        leaves = group and group["owner"] in self.live
        return self.decides(group) or (leaves and not (self.reach and group["scope.state"] == tables.SCOPE_ENTERED))

    def object(self, task):
        if task.address not in self.objects:
            self.objects[task.address] = self.waits.object(task)
        return self.objects[task.address]

    def needs(self, object):
        """(whether all of them must go on, tasks) whose steps alone end the wait; None: not known."""
        try:
            if object.type == "pt_task" and object.kind == "JOIN":
                task = self.census.tasks.get(object.address)
                return (True, [task]) if task else None
            layout = object.type and self.debugger.layout(object.type)
            if not layout:
                return None
            found = Struct(self.debugger, layout, object.address)
            if object.type in ("pt_lock", "pt_rwlock"):
                return self.holder(found["owner" if object.type == "pt_lock" else "writer"])
            if object.type == "pt_group":
                return True, self.members(found)
            if object.type == "pt_pool":
                users = self.users().get(object.address, [])
                return (False, users) if len(users) >= found["used"] + found["granted"] else None
        except (Damaged, Unreadable):
            pass
        return None

    def users(self):
        """{owner: its tasks}; of a pool those that are out."""
        if self.owned is None:
            self.owned = {}
            for task in self.tasks:
                self.owned.setdefault(task.owner(), []).append(task)
        return self.owned

    def holder(self, address):
        """The same of a lock. A holder that no list has is in a loop that was not found; or it has ended, and then
        nobody unlocks in its name, as far as is known."""
        task = self.census.tasks.get(address)
        if task or not address or not self.reach:
            return (True, [task]) if task else None
        if not self.reach.has(address):
            return False, []
        other = Task(self.program, address)
        lives = other.alive() and other.struct.get("loop") not in self.census.loops
        return lives, []

    def members(self, group):
        nodes = lists.wait_queue(self.debugger, group.at("members"), "a group")
        tasks = [self.census.tasks.get(node - self.program.knobs.member) for node in nodes]
        return [task for task in tasks if task]

    def next(self, task):
        """The task whose step a dead one needs, if it is dead, too."""
        object = self.object(task) if task.state() == "WAITING" else None
        needs = self.needs(object) if object else None
        for one in needs[1] if needs else ():
            if one.address not in self.live:
                return one
        return None

    def revive(self, task):
        self.live.add(task.address)
        if not self.reach:
            return
        self.reach.reach(task.address)
        for what in task.owner, task.group:
            try:
                self.reach.reach(what())
            except (Damaged, Unreadable) as fault:
                self.program.complain(str(fault))
        for frame in task.frames():
            self.reach.reach(frame.address)
        self.reach.spread()


def cases(report):
    """[entry of a circle ...], or [entry] of another one; and its tasks: of those that the report shows."""
    tasks = {task["task"]: task for loop in report["loops"] for task in loop["tasks"]}
    found = {}
    for number, entry in enumerate(report["stuck"]):
        if entry["task"] in tasks:  # --only, --waiting-on
            key = (entry["exact"], entry["circle"] or -number)
            found.setdefault(key, []).append((entry, tasks[entry["task"]]))
    return list(found.values())


def like(task):
    """What equal tasks have in common: not their addresses, their times and their descriptors."""
    waits = task.get("waits", {})
    return (
        task["name"], task["doing"], waits.get("kind"), waits.get("type"), waits.get("name"),
        tuple(text.place(frame) for frame in task["frames"]), tuple(map(text.call_place, task.get("stack", ()))),
    )  # fmt: skip


def lines(report):
    """The lines of what is stuck; of cases that are alike, those of the first."""
    last, folded = None, {}
    for complaint in report["complaints"]:
        yield "warning: " + complaint
    for case in cases(report):
        key = heading(case[0][0]), tuple(like(task) for _, task in case)
        folded.setdefault(key, []).append(case)
    for (head, _), alike in folded.items():
        first = alike[0]
        more = ", and %d more like it" % (len(alike) - 1) if len(alike) > 1 else ""
        if first[0][0]["circle"]:
            yield head + more
            more = ""
        elif head != last:
            yield head
        last = head
        for _, task in first:
            head_line, *rest = text.task_lines(dict(task, depth=0))
            yield head_line + more
            yield from rest
    if report["stuck"] and last is None:
        yield "of the tasks that match none is stuck"
    elif last is None:
        yield "no task is known to be stuck"


def keep(report):
    """Only the tasks that are stuck: for --count."""
    stuck = {entry["task"] for entry in report["stuck"]}
    for loop in report["loops"]:
        loop["tasks"] = [task for task in loop["tasks"] if task["task"] in stuck]
        loop["stuck"] = len(loop["tasks"])


def heading(stuck):
    words = "" if stuck["exact"] else "suspected "
    if stuck["circle"]:
        return words + "deadlock: each waits for the next one, the last one for the first"
    return "behind a deadlock:" if stuck["exact"] else words + "to be stuck: nothing can wake it"
