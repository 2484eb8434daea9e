# report.py - what pt-ps says, as plain data: for JSON, for people, for a filter
# SPDX-License-Identifier: MIT

import collections

from . import tables
from .waits import Waits


def address(number):
    return "0x%x" % number


class Report:
    """Read everything now: the program may go on afterwards. FIELDS: also the fields of frames."""

    def __init__(self, census, fields=False, stack=None):
        self.census = census
        self.program = census.program
        self.fields = fields
        self.stack = stack
        self.waits = Waits(census)

    def build(self):
        return {
            "pt-ps": 1,
            "loops": [self.loop(loop) for loop in self.census.loops.values()],
            "complaints": self.program.complaints,
        }

    def loop(self, loop):
        tasks = [self.task(task) for task in loop.tasks]
        return {
            "loop": address(loop.address),
            "name": loop.name,
            "now": loop.now if self.program.knobs.time_bits else None,
            "live": loop.live,
            "complete": loop.complete or (loop.live is not None and loop.live == len(loop.tasks)),
            "host": address(loop.host) if loop.host else None,
            "tasks": tasks,
        }

    def task(self, task):
        found = {
            "task": address(task.address),
            "name": task.name(),
            "parent": address(task.parent.address) if task.parent else None,
            "depth": task.depth,
            "state": task.state(),
            "doing": self.doing(task),
        }
        self.times(task, found)
        self.since(task, found)
        if task.paused():
            found["paused"] = True
        if task.canceled():
            found["canceled"] = True
        object = self.waits.object(task)
        if object:
            found["waits"] = self.object(object)
            if task.state() == "WAITING" and object.kind:
                found["doing"] = dict(tables.WHY)[object.kind]
        found["frames"] = [self.frame(frame) for frame in task.frames()]
        if self.stack:
            self.stack(task, found)
        return found

    def doing(self, task):
        state = task.state()
        why = task.why() if state == "WAITING" else None
        return dict(tables.WHY)[why] if why else tables.STATES[state]

    def times(self, task, found):
        now = task.loop.now
        for key, deadline in (("sleeps_until", task.sleep_end()), ("limit", task.limit())):
            if deadline is not None:
                left = self.program.knobs.left(deadline, now)
                found[key] = deadline
                found[key + "_ticks"] = left
                if self.program.ticks:
                    found[key + "_ms"] = self.program.milliseconds(left)

    def since(self, task, found):
        """How long it has waited; None if that is not known."""
        since = found["since"] = task.since()
        if since is not None:
            found["since_ticks"] = waited = self.program.knobs.left(task.loop.now, since)
            if self.program.ticks:
                found["since_ms"] = waited * 1000 // self.program.ticks

    def object(self, object):
        found = {"kind": object.kind, "type": object.type, "name": object.name}
        if object.address:
            found["address"] = address(object.address)
        found.update(object.facts)
        if object.cases:
            found["cases"] = [self.object(case) for case in object.cases]
        return found

    def frame(self, frame):
        line = frame.line()
        found = {
            "frame": address(frame.address),
            "function": frame.name or address(frame.fn),
            "place": frame.place,
            "label": frame.label,
            "file": line[0] if line else None,
            "line": line[1] if line else None,
        }
        if self.fields and frame.function:
            found["fields"] = [list(pair) for pair in self.program.debugger.frame_fields(frame.function, frame.address)]
        return found


def counts(report):
    """For each loop: how many tasks of one name do the same at the same place, the most frequent first."""
    for loop in report["loops"]:
        rows = {}
        for task in loop["tasks"]:
            frame = task["frames"][0] if task["frames"] else None
            call = task["stack"][0] if task.get("stack") else None  # of a native task: on its stack
            key = (task["name"], task["doing"], frame and (frame["function"], frame["label"]), call and tuple(call))
            row = {"count": 0, "name": task["name"], "doing": task["doing"], "frame": frame, "call": call}
            row = rows.setdefault(key, row)
            row["count"] += 1
        yield loop, sorted(rows.values(), key=lambda row: -row["count"])


def owners(report):
    """(all tasks, what the report says of those that hold what others wait for)"""
    tasks = [task for loop in report["loops"] for task in loop["tasks"]]
    waits = [task["waits"] for task in tasks if "waits" in task]
    return tasks, [one["owner"] for wait in waits for one in (wait, *wait.get("cases", ())) if one.get("owner")]


def look_alike(report):
    """The addresses of tasks that hold what others wait for, and have the name of another one: before a filter."""
    tasks, held = owners(report)
    named = collections.Counter(task["name"] for task in tasks)
    return {owner["task"] for owner in held if named[owner["name"]] > 1}


def tell_apart(report, apart):
    """For people: these tasks get their addresses behind their names."""
    tasks, held = owners(report)
    for one in {id(one): one for one in tasks + held}.values():
        if one["task"] in apart:
            one["name"] += " " + one["task"]


def names(object):
    """The names and addresses by which an object is known, also those of the cases of a select."""
    found = {object.get("name"), object.get("address"), object.get("task")}
    for case in object.get("cases", ()):
        found |= names(case)
    return found - {None}


def keep(report, matches):
    """Only the tasks that match, and those above them in the tree; no loop without such a task."""
    for loop in report["loops"]:
        wanted = set()
        by_address = {task["task"]: task for task in loop["tasks"]}
        for task in loop["tasks"]:
            if matches(task):
                while task and task["task"] not in wanted:
                    wanted.add(task["task"])
                    task = by_address.get(task["parent"])
        loop["tasks"] = [task for task in loop["tasks"] if task["task"] in wanted]
    report["loops"] = [loop for loop in report["loops"] if loop["tasks"]]


def only(report, expression):
    keep(report, lambda task: expression.search(task["name"]) or any(
        expression.search(frame["function"] or "") for frame in task["frames"]
    ))


def waiting_on(report, object):
    keep(report, lambda task: "waits" in task and object in names(task["waits"]))
