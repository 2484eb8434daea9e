# table.py - the table of a trace: how long each coroutine ran, was ready and waited
# SPDX-License-Identifier: MIT

from .story import READY, RUN, WAIT


def duration(nanoseconds):
    """Three digits and a unit."""
    for unit, size in (("s", 1000000000), ("ms", 1000000), ("us", 1000)):
        if nanoseconds >= size:
            return "%.*f %s" % (2 if nanoseconds < 10 * size else 1 if nanoseconds < 100 * size else 0,
                                nanoseconds / size, unit)  # fmt: skip
    return "%d ns" % nanoseconds


def percentile(lengths, percent):
    """The smallest of the sorted LENGTHS that at least so many of them do not exceed."""
    return lengths[max(0, -(-len(lengths) * percent // 100) - 1)] if lengths else 0


class Row:
    """All tasks of one name."""

    def __init__(self, name):
        self.name = name
        self.tasks = 0
        self.runs, self.readies, self.waits = [], [], {}
        self.longest = None  # (the task, its longest run)

    def add(self, task):
        self.tasks += 1
        for span in task.spans:
            if span.state == RUN:
                self.runs.append(span.length)
                if not self.longest or span.length > self.longest[1].length:
                    self.longest = (task, span)
            elif span.state == READY:
                self.readies.append(span.length)
            elif span.state == WAIT:
                self.waits.setdefault(span.why, []).append(span.length)

    def sort(self):
        self.runs.sort()
        self.readies.sort()
        for lengths in self.waits.values():
            lengths.sort()


def rows(story, by_task=False):
    """The Rows, the one that ran longest first."""
    found = {}
    for task in story.tasks:
        key = (task.title, task.number if by_task else 0)
        if key not in found:
            found[key] = Row(task.title)
        found[key].add(task)
    for row in found.values():
        row.sort()
    return sorted(found.values(), key=lambda row: (-sum(row.runs), row.name))


def columns(lines):
    """Lines of cells, each column as wide as it must be; the first is on the left."""
    if not lines:
        return
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        cells = [line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        yield "  ".join(cells).rstrip()


def spread(lengths):
    longest = lengths[-1] if lengths else 0
    return [duration(length) for length in (percentile(lengths, 50), percentile(lengths, 99), longest)]


def heading(story):
    trace = story.trace
    events = sum(event.kind != "LOST" for event in trace.events)
    busy = sum(span.length for task in story.tasks for span in task.spans if span.state == RUN)
    yield "%s: %s, %d events, %d tasks; tasks ran for %s, the loop was idle for %s" % (
        trace.name, duration(trace.length), events, len(story.tasks), duration(busy),
        duration(sum(end - start for start, end in story.polls)),
    )  # fmt: skip
    if trace.lost:
        yield "%d events before these are lost: the ring was too small" % trace.lost
    if not trace.known_rate:
        yield "the rate of the counter is not known: one tick is taken for a nanosecond (--rate HZ)"


def table(story):
    found = rows(story)
    yield from heading(story)
    if not found:
        return
    yield ""
    lines = [["", "tasks", "steps", "running", "p50", "p99", "longest", "ready", "p50", "p99", "longest"]]
    for row in found:
        lines.append([row.name, str(row.tasks), str(len(row.runs)), duration(sum(row.runs)), *spread(row.runs),
                      duration(sum(row.readies)), *spread(row.readies)])  # fmt: skip
    yield from columns(lines)
    lines = [["waiting", "times", "in all", "p50", "p99", "longest"]]
    for row in found:
        for why, lengths in sorted(row.waits.items(), key=lambda item: -sum(item[1])):
            lines.append(["%s %s" % (row.name, why), str(len(lengths)), duration(sum(lengths)), *spread(lengths)])
    if len(lines) > 1:
        yield ""
        yield from columns(lines)
    yield ""
    yield "the longest step of each"
    yield from columns([["  " + row.name, *longest(row)] for row in found if row.longest])


def longest(row):
    task, span = row.longest
    return [duration(span.length), "at " + duration(span.start), "from %s" % (span.place or "its start"),
            "to %s" % (span.to or "?")]  # fmt: skip


def top(story, most):
    """The tasks that used the processor most."""
    whole = story.trace.length or 1
    yield from heading(story)
    lines = [["", "%", "running", "steps", "longest", "ready", "waiting"]]
    for row in rows(story, by_task=True)[:most]:
        waits = sum(sum(lengths) for lengths in row.waits.values())
        longest = row.runs[-1] if row.runs else 0
        lines.append([row.name, "%.1f" % (100 * sum(row.runs) / whole), duration(sum(row.runs)), str(len(row.runs)),
                      duration(longest), duration(sum(row.readies)), duration(waits)])  # fmt: skip
    yield from columns(lines)
