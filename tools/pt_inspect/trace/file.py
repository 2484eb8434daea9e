# file.py - reads a file of trace.h: its events, with their times in nanoseconds
# SPDX-License-Identifier: MIT
#
# A trace is a sequence of `struct pt_trace_event`, HEAD first. trace.h has the table of them. A file can have several:
# a part that was reset begins again, maybe in the middle of an event, and what it printed before is no trace.

import os
import re
import stat
import struct

from ..memory import harmless, readable

KINDS = (
    "NONE", "RESUME", "SUSPEND", "AWAIT", "RETURN", "WAKE", "SPAWN", "TIMER", "POST", "POLL", "END",
    "NAME", "TIME", "LOST", "HEAD", "RATE", "STAMP", "ALIVE", "SITE", "MAP", "PAGE", "BLOCK",
)  # fmt: skip
TIMED = {"RESUME", "SUSPEND", "AWAIT", "RETURN", "WAKE", "SPAWN", "TIMER", "POST", "POLL", "END", "STAMP", "BLOCK"}
NAMED = {"SPAWN": 1, "END": 1, "ALIVE": 1, "SITE": 2, "PAGE": 1}  # how many texts follow
MAGIC = 0x50745472
HEAD = re.compile(rb"\x0e...(?:rTtP|PtTr)", re.DOTALL)
PREFACE = 1 << 16  # how far from the start the first HEAD can be
VERSION = 1
SIZE = 16
TASK_NAME = 56  # bytes that a SPAWN and an END keep of a name
PAGE = 4096
WRAP = 1 << 32
MORE = 0x80
BILLION = 1000000000


class Damaged(Exception):
    """The message for the user."""


class Event:
    """One event: KIND is its name; TIME is in nanoseconds from the first one; TEXTS are the NAMEs that follow it."""

    __slots__ = ("kind", "what", "place", "low", "object", "time", "texts")

    def __init__(self, kind, what, place, low, object):
        self.kind, self.what, self.place, self.low, self.object = kind, what, place, low, object
        self.time = None
        self.texts = []


class Trace:
    """One trace. `sites` and `maps` lead from addresses to places: places.py."""

    def __init__(self, data, name, rate=None):
        self.name = harmless(name)
        self.word = 8
        self.loop = 0
        self.rate = rate
        self.known_rate = True
        self.lost = 0
        self.stood = 0  # ms for which a process stood still to be read
        self.cut = len(data) % SIZE
        self.preface = 0  # bytes before it that are of no trace
        self.sites = {}  # address: (function, file, line)
        self.maps = []  # (start, end, offset in the file, path)
        self.alive = {}  # task: name
        self.stamps = []  # (counter, nanoseconds)
        self.events = []
        self.read(self.split(data))

    def split(self, data):
        if len(data) < SIZE:
            raise Damaged("%s: too short for a trace" % self.name)
        form = struct.Struct((">" if data[4:5] == b"P" else "<") + "BBHIQ")
        _, what, place, _, _ = form.unpack_from(data)
        if what != VERSION:
            raise Damaged("%s: version %d of the format, this pt-trace reads %d" % (self.name, what, VERSION))
        if place not in (2, 4, 8):
            raise Damaged("%s: damaged: pointers of %d bytes" % (self.name, place))
        self.word = place
        return [(row, data[at : at + SIZE]) for at, row in enumerate_rows(form, data)]

    def read(self, rows):
        """Put texts with their events."""
        wanted, open_text, found = [], None, []
        for number, ((kind, what, place, low, object), raw) in enumerate(rows):
            if kind >= len(KINDS):
                raise Damaged("%s: damaged: event %d is of the unknown kind %d" % (self.name, number, kind))
            kind = KINDS[kind]
            if kind == "NAME":
                text = raw[2:].split(b"\0")[0]
                if what & ~MORE and open_text is not None:
                    open_text.texts[-1] += text
                elif not what & ~MORE and wanted:
                    open_text = wanted.pop()
                    open_text.texts.append(text)
                continue
            event = Event(kind, what, place, low, object)
            wanted, open_text = [event] * NAMED.get(kind, 0), None
            found.append(event)
        for event in found:
            if event.kind == "ALIVE":  # as long as in its END, or one name had two rows
                event.texts = [text[:TASK_NAME] for text in event.texts]
            event.texts = [readable(text) for text in event.texts]
        self.sort_out(found)

    def sort_out(self, found):
        """Keep what happened; the rest describes the program."""
        start = None
        for event in found:
            if event.kind == "HEAD":
                self.loop = event.object
            elif event.kind == "RATE":
                self.rate = self.rate or event.object
            elif event.kind == "ALIVE":
                self.alive[event.object] = "".join(event.texts)
            elif event.kind == "SITE":
                function, file = (event.texts + ["?", "?"])[:2]
                self.sites[event.object] = (function, file, event.low)
            elif event.kind == "MAP":
                start = event
            elif event.kind == "PAGE" and start:
                end = start.object + start.low * PAGE
                self.maps.append((start.object, end, event.object, "".join(event.texts)))
        self.give_times(found)
        self.events = [event for event in found if event.kind in TIMED - {"STAMP"} or event.kind == "LOST"]
        self.lost = sum(event.object for event in self.events if event.kind == "LOST")

    def give_times(self, found):
        """The whole counter of each event: from the TIME before it; behind LOST, from the one after it."""
        whole, sure = 0, False
        for event in found:
            if event.kind == "TIME":
                whole, sure = event.object, True
            elif event.kind == "LOST":
                sure = False
            elif event.kind in TIMED:
                whole += (event.low - whole) % WRAP
            event.time = whole if sure else None
        after = None
        for event in reversed(found):
            if event.time is None and event.kind in TIMED and after is not None:
                after -= (after - event.low) % WRAP
                event.time = after
            elif event.time is not None:
                after = event.time - event.place * WRAP if event.kind == "TIME" else event.time
        self.to_nanoseconds(found, whole)

    def to_nanoseconds(self, found, whole):
        for event in found:
            if event.time is None and event.kind in TIMED:  # no TIME follows: what began is still right
                whole += (event.low - whole) % WRAP
                event.time = whole
            if event.kind == "STAMP":
                self.stamps.append((event.time, event.object))
        self.find_rate()
        timed = [event.time for event in found if event.kind in TIMED and event.kind != "STAMP"]
        self.first = timed[0] if timed else 0
        for event in found:
            if event.time is not None:
                event.time = (event.time - self.first) * BILLION // self.rate

    def find_rate(self):
        if not self.rate and len(self.stamps) > 1:
            (count, clock), (count_to, clock_to) = self.stamps[0], self.stamps[-1]
            if clock_to > clock and count_to > count:
                self.rate = (count_to - count) * BILLION // (clock_to - clock)
        if not self.rate:
            self.rate, self.known_rate = BILLION, False

    @property
    def clock(self):
        """What the program's clock showed at the first event, in nanoseconds; None if that is not known."""
        if not self.stamps or not self.known_rate:
            return None
        count, clock = self.stamps[0]
        return clock + (self.first - count) * BILLION // self.rate

    @property
    def length(self):
        times = [event.time for event in self.events if event.time is not None]
        return max(times) - times[0] if times else 0


def enumerate_rows(form, data):
    for at in range(0, len(data) - SIZE + 1, SIZE):
        yield at, form.unpack_from(data, at)


def traces_of(data, path, rate):
    """The traces of a file, the oldest first."""
    starts = [found.start() for found in HEAD.finditer(data)]
    traces = [Trace(data[at:end], path, rate) for at, end in zip(starts, starts[1:] + [len(data)])]
    for number, trace in enumerate(traces[1:] and traces, 1):
        trace.name += ", trace %d of %d" % (number, len(traces))
    traces[0].preface = starts[0]
    return traces


def load(path, rate=None):
    try:
        found = os.stat(path)  # before it is opened: a pipe may have no other end
        if not stat.S_ISREG(found.st_mode):
            raise Damaged("%s: not a file" % path)
        if found.st_size > 1 << 32:
            raise Damaged("%s: over 4 GB" % path)
        with open(path, "rb") as file:
            data = file.read(PREFACE)
            if not HEAD.search(data):
                raise Damaged("%s: %s" % (path, "not a trace: it does not begin with the HEAD of one"
                                          if len(data) >= SIZE else "too short for a trace"))  # fmt: skip
            return traces_of(data + file.read(), path, rate)
    except OSError as fault:
        raise Damaged("%s: %s" % (path, fault.strerror)) from None
