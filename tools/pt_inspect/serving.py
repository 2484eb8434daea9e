# serving.py - asks a program that has called pt_live_open for snapshots of its tasks
# SPDX-License-Identifier: MIT
#
# The lines that come are in doc/debugging.md. A snapshot becomes a report, as of report.py.

import errno
import json
import os
import select
import socket
import stat
import time

from .memory import harmless

VERSION = 1
LONGEST = 1 << 17  # of a line; libpt sends at most half of it
MOST = 20000  # lines in a snapshot; libpt lists 10,000 tasks


class Failure(Exception):
    """What is wrong, for people."""


class Ended(Exception):
    """The program has closed the socket."""


# What each kind of line has: the key that tells it, and the types of the others; "?" behind those that can lack.
KINDS = {
    "task": {"parent?": str, "depth": int, "name": str, "state": str, "doing": str, "fd?": int, "joins?": str,
             "sleeps_ms?": int, "limit_ms?": int, "since_ms?": int, "paused?": int, "canceled?": int, "frames": list},
    "tasks": {"ready": int, "descriptors": int, "descriptor_limit?": int, "refused": int},
    "steps_of": {"steps": int, "ns": int, "longest_ns": int},
    "gauge": {"value": int},
    "end_ns": {"cut?": int},
    "silent_ms": {},
    "damaged": {},
}  # fmt: skip
TEXTS = ("task", "steps_of", "gauge")  # their own value is a text, that of the others a number
FRAME = {"label": int, "place?": str, "function?": str, "file?": str, "line?": int}


def checked(found, types):
    """FOUND, if it has these members."""
    for key, type in types.items():
        name = key.rstrip("?")
        if name in found or key == name:
            value = found[name]
            if isinstance(value, bool) or not isinstance(value, type) or (type is int and value < 0):
                raise ValueError(name)
    return found


def clean(value):
    """The same without what a terminal takes for a command: names are the program's."""
    if isinstance(value, dict):
        return {key: clean(one) for key, one in value.items()}
    if isinstance(value, list):
        return [clean(one) for one in value]
    return harmless(value) if isinstance(value, str) else value


def parse(line):
    """(kind, what the line has); ValueError if it is damaged."""
    found = json.loads(line)
    if not isinstance(found, dict):
        raise ValueError("no object")
    kind = next((kind for kind in KINDS if kind in found), None)
    if not kind:
        return None, found  # of a later version, which adds to this one
    checked(found, {kind: str if kind in TEXTS else int, **KINDS[kind]})
    for frame in found.get("frames", ()):
        checked(frame, FRAME)
    return kind, clean(found)


class Snapshot:
    """What a program has said of its loop at one time."""

    def __init__(self):
        self.loop, self.end = None, {}
        self.tasks, self.steps, self.gauges = {}, {}, []
        self.damaged = False
        self.lines = 0

    def add(self, kind, found):
        """Take a line; whether it is the last one."""
        self.lines += 1
        if (self.loop is None) != (kind == "tasks") or self.lines > MOST:
            raise ValueError("the order")
        if kind == "tasks":
            self.loop = found
        elif kind == "task":
            self.tasks.setdefault(found["task"], found)  # a task that has moved comes twice
        elif kind == "steps_of":
            self.steps[found["steps_of"]] = found
        elif kind == "gauge":
            self.gauges.append((found["gauge"], found["value"]))
        elif kind == "damaged":
            self.damaged = True
        elif kind == "end_ns":
            self.end = found
        return kind == "end_ns"

    def report(self, pid):
        return {
            "pt-ps": 1,
            "loops": [{
                "loop": "of process %d" % pid, "name": None, "now": None, "live": self.loop["tasks"], "complete": True,
                "host": None, "tasks": [self.task(task) for task in self.tasks.values()],
            }],
            "complaints": list(self.complaints()),
            "numbers": {**self.loop, "at_ns": self.end["end_ns"]},
            "gauges": dict(self.gauges),
            "steps": self.steps,
        }  # fmt: skip

    def complaints(self):
        if self.damaged:
            yield "the list of tasks is damaged: was storage of a task that is alive overwritten, or used again?"
        elif len(self.tasks) < self.loop["tasks"]:
            yield "%d of %d tasks are listed" % (len(self.tasks), self.loop["tasks"])
        if self.end.get("cut"):
            yield "not all gauges are listed"

    def task(self, task):
        found = {key: task[key] for key in ("task", "name", "depth", "state", "doing")}
        found["parent"] = task.get("parent")
        for key, name in (("sleeps_ms", "sleeps_until"), ("limit_ms", "limit")):
            if key in task:
                found[name] = None  # the program tells how far it is
                found[name + "_ms"] = task[key]
        found["since"] = None
        if "since_ms" in task:
            found["since_ms"] = task["since_ms"]
        for key in ("paused", "canceled"):
            if key in task:
                found[key] = True
        if "fd" in task:
            found["waits"] = {"kind": "IO", "type": "pt_io", "name": None, "fd": task["fd"]}
        elif "joins" in task:
            name = self.tasks.get(task["joins"], {}).get("name")
            found["waits"] = {"kind": "JOIN", "type": "pt_task", "name": name, "address": task["joins"]}
        found["frames"] = [self.frame(frame) for frame in task["frames"]]
        return found

    def frame(self, frame):
        keys = ("function", "place", "label", "file", "line")
        found = {key: frame.get(key) for key in keys}
        if found["file"] is None or found["line"] is None:
            found["file"] = found["line"] = None
        return found


class Client:
    """A connection to a program. INTERVAL: seconds between snapshots; None: one snapshot."""

    def __init__(self, path, interval):
        self.path = path
        self.buffer = b""
        self.snapshot = Snapshot()
        self.silent = 0  # for so many milliseconds the loop has not answered
        self.socket = connect(path)
        self.pid = self.greeted()
        self.ask("once" if interval is None else "every %d" % max(1, round(interval * 1000)))

    def ask(self, request):
        try:
            self.socket.sendall(request.encode() + b"\n")
        except OSError:
            raise Ended() from None

    def greeted(self):
        """The number of the process; after a greeting of this version."""
        foreign = Failure("%s is no socket of pt_live_open" % self.path)
        until = time.monotonic() + 10
        while b"\n" not in self.buffer:
            if not select.select([self.socket], [], [], max(0, until - time.monotonic()))[0]:
                raise foreign
            self.receive()
            if len(self.buffer) > LONGEST:
                raise foreign
        try:
            hello = json.loads(self.line())
            version = hello["pt-live"]
            if version == VERSION and "error" not in hello:
                return checked(hello, {"pid": int})["pid"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise foreign from None
        if version != VERSION:
            raise Failure("%s speaks version %s; this pt-ps knows version %d" % (self.path, version, VERSION))
        raise Failure("%s: %s" % (self.path, hello["error"]))

    def fileno(self):
        return self.socket.fileno()

    def receive(self):
        """Take what has come."""
        try:
            data = self.socket.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            raise Ended()
        self.buffer += data

    def line(self):
        """The next whole line, or None."""
        line, newline, rest = self.buffer.partition(b"\n")
        if len(line) > LONGEST:
            raise ValueError("too long")
        if not newline:
            return None
        self.buffer = rest
        return line.decode("utf-8", "replace")

    def news(self):
        """Take what has come: (the last whole snapshot, or None; for how many ms the loop has been silent, or 0)."""
        done = None
        self.receive()
        try:
            while (line := self.line()) is not None:
                kind, found = parse(line)
                if "error" in found and not kind:
                    raise Failure("%s: %s" % (self.path, found["error"]))
                self.silent = found["silent_ms"] if kind == "silent_ms" else 0
                if kind and kind != "silent_ms" and self.snapshot.add(kind, found):
                    done, self.snapshot = self.snapshot, Snapshot()
        except (ValueError, LookupError, TypeError, RecursionError):
            raise Failure("%s: its data are damaged" % self.path) from None
        return done, self.silent


def connect(path):
    client = socket.socket(socket.AF_UNIX)
    try:
        client.connect(path)
    except OSError as fault:
        client.close()
        raise Failure("%s: %s" % (path, why_not(path, fault))) from None
    return client


def why_not(path, fault):
    if fault.errno is None:
        return "the name is too long for a socket"  # Python refuses it itself
    if fault.errno == errno.ECONNREFUSED and not stat.S_ISSOCK(os.stat(path).st_mode):
        return "it is no socket"
    if fault.errno == errno.ECONNREFUSED:
        return "nobody serves it: the program has ended"
    if fault.errno in (errno.EACCES, errno.EPERM):
        return "not permitted. It is another user's: run this as root"
    if fault.errno == errno.EPROTOTYPE:
        return "it is no socket of pt_live_open"
    return fault.strerror
