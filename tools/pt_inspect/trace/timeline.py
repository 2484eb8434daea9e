# timeline.py - a trace as JSON for ui.perfetto.dev and chrome://tracing, and as an SVG
# SPDX-License-Identifier: MIT

import html
import json
import math

from .story import READY, RUN, WAIT
from .table import duration

COLORS = {RUN: "#2f7d32", READY: "#f0a020", WAIT: "#c9d6e4"}
WIDTH, LEFT, ROW, TOP = 1200, 180, 18, 40


def microseconds(nanoseconds):
    """As a reader wants them that cuts off the rest: Perfetto drops a slice that begins in the one before it."""
    found = nanoseconds / 1000
    return found if int(found * 1000) >= nanoseconds else math.nextafter(found, math.inf)


def starts(traces):
    """When each trace begins on one axis: by the clocks, if those show that the traces overlap; else all at 0."""
    clocks = [trace.clock for trace in traces]
    if None in clocks:
        return [0] * len(traces)
    end = first = min(clocks)
    for clock, length in sorted((trace.clock, trace.length) for trace in traces):
        if clock > end:
            return [0] * len(traces)
        end = max(end, clock + length)
    return [clock - first for clock in clocks]


class Chrome:
    """The trace event format: one process a loop, one track a task; track 0 is the loop's own."""

    def __init__(self):
        self.events = []
        self.start = 0  # of the trace that is added

    def add(self, story, process, start=0):
        self.start = start
        self.meta("process_name", process, 0, story.trace.name)
        self.meta("thread_name", process, 0, "the loop")
        for task in story.tasks:
            self.meta("thread_name", process, task.number, "%s #%d" % (task.title, task.number))
            for span in task.spans:
                self.span(process, task, span)
        for start, end in story.polls:
            self.slice(process, 0, "idle", "idle", start, end)
        for time, remote, times in story.posts:
            self.put(ph="i", s="t", pid=process, tid=0, name="post", ts=self.at(time),
                     args={"remote": "%#x" % remote, "times": times})  # fmt: skip
        for number, wake in enumerate(story.wakes):
            self.wake(process, number, wake)

    def at(self, time):
        return microseconds(self.start + time)

    def put(self, **event):
        self.events.append(event)

    def meta(self, name, process, thread, text):
        self.put(ph="M", pid=process, tid=thread, name=name, args={"name": text})

    def slice(self, process, thread, name, category, start, end, **args):
        self.put(ph="X", pid=process, tid=thread, name=name, cat=category, ts=self.at(start),
                 dur=microseconds(end - start), args=args)  # fmt: skip

    def span(self, process, task, span):
        if span.state == RUN:
            self.slice(process, task.number, task.title, "run", span.start, span.end,
                       **{"from": span.place or "its start", "to": span.to or "?"})  # fmt: skip
            for start, end, function in span.calls:
                self.slice(process, task.number, function, "await", start, end if end is not None else span.end)
        elif span.state == READY:
            self.slice(process, task.number, "ready", "queue delay", span.start, span.end)
        else:
            self.slice(process, task.number, span.why, "wait", span.start, span.end, at=span.place or "?")

    def wake(self, process, number, wake):
        """An arrow, from the step that woke to the one that was woken."""
        if not wake.waker:
            return
        common = {"pid": process, "name": "wake", "cat": "wake", "id": "%d.%d" % (process, number)}
        at = self.at(wake.time)
        self.put(ph="s", tid=wake.waker.number, ts=at, **common)
        self.put(ph="f", bp="e", tid=wake.woken.number, ts=at, **common)

    def text(self):
        return json.dumps({"displayTimeUnit": "ns", "traceEvents": self.events})


class Picture:
    """An SVG of its own: it needs no other file, and no program but a browser."""

    def __init__(self, story):
        self.story = story
        self.scale = (WIDTH - LEFT - 10) / max(story.time, 1)
        self.rows = {task: TOP + i * ROW for i, task in enumerate(story.tasks)}

    def x(self, time):
        return LEFT + time * self.scale

    def text(self):
        height = TOP + len(self.rows) * ROW + 30
        return "\n".join(
            [
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">'
                % (WIDTH, height),
                "<title>%s</title>" % html.escape(self.story.trace.name),
                '<defs><marker id="tip" markerWidth="6" markerHeight="6" refX="5" refY="3" orient="auto">'
                '<path d="M0,0 L6,3 L0,6 z" fill="#b00020"/></marker></defs>',
                *self.legend(), *self.ruler(height), *self.tasks(), *self.arrows(), "</svg>",
            ]
        ) + "\n"  # fmt: skip

    def legend(self):
        for i, (state, text) in enumerate(((RUN, "runs"), (READY, "is ready"), (WAIT, "waits"))):
            x = LEFT + i * 90
            yield '<rect x="%d" y="6" width="12" height="12" fill="%s"/>' % (x, COLORS[state])
            yield '<text x="%d" y="16">%s</text>' % (x + 16, text)

    def ruler(self, height):
        for i in range(6):
            time = self.story.time * i // 5
            yield '<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/>' % (
                self.x(time), TOP - 6, self.x(time), height - 16)  # fmt: skip
            yield '<text x="%.1f" y="%d" text-anchor="%s">%s</text>' % (
                self.x(time), height - 4, "end" if i == 5 else "middle", duration(time))  # fmt: skip

    def tasks(self):
        for task, y in self.rows.items():
            yield '<text x="4" y="%d">%s</text>' % (y + 12, html.escape("%s #%d" % (task.title[:22], task.number)))
            for span in self.visible(task.spans):
                yield self.bar(span, y)

    def visible(self, spans):
        """Of spans narrower than a quarter of a pixel, one for each place in the picture; runs before others."""
        taken = {}
        for span in spans:
            if span.length * self.scale >= 0.25:
                yield span
            else:
                key = round(self.x(span.start) * 4)
                if key not in taken or span.state == RUN:
                    taken[key] = span
        yield from taken.values()

    def bar(self, span, y):
        what = {RUN: "runs", READY: "is ready"}.get(span.state, span.why)
        hint = "%s for %s, from %s" % (what, duration(span.length), duration(span.start))
        if span.place:
            hint += "; " + span.place
        thin = 4 if span.state == WAIT else 0
        return '<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s"><title>%s</title></rect>' % (
            self.x(span.start), y + thin, max(span.length * self.scale, 0.25), ROW - 4 - 2 * thin,
            COLORS[span.state], html.escape(hint))  # fmt: skip

    def arrows(self):
        if len(self.story.wakes) > 2000:
            return  # a black square shows nothing
        for wake in self.story.wakes:
            if wake.waker and wake.waker is not wake.woken:
                x = self.x(wake.time)
                yield '<line x1="%.2f" y1="%d" x2="%.2f" y2="%d" stroke="#b00020" marker-end="url(#tip)"/>' % (
                    x, self.rows[wake.waker] + 7, x, self.rows[wake.woken] + 7)  # fmt: skip
