# top.py - the tasks of a program that serves them, again and again: on a screen as top does, or as plain text
# SPDX-License-Identifier: MIT

import contextlib
import json
import os
import select
import shutil
import signal
import sys
import termios
import tty

from . import report, text

QUIET = "the program's loop has not run for %d s: does a step not end? pt-ps %d shows where it is"
HEAD = "%-20s %7s %9s %7s %11s"
ROW = "%-20.20s %7s %9s %7s %11s"


class Rates:
    """How much the tasks of each name ran between two snapshots."""

    def __init__(self, before, now):
        elapsed = now.end["end_ns"] - before.end["end_ns"] if before else 0
        self.idle = (0, 0, None) if before else (None, None, None)  # of a name that did not run
        earlier = before.steps if before else {}
        self.rows = {name: self.row(earlier.get(name), steps, elapsed) for name, steps in now.steps.items()}

    def row(self, before, now, elapsed):
        """(steps a second, share of the time, the longest step in ns); None: not known yet."""
        before = before or {"steps": 0, "ns": 0}
        if elapsed <= 0:
            return None, None, now["longest_ns"]
        return (
            (now["steps"] - before["steps"]) * 1e9 / elapsed,
            (now["ns"] - before["ns"]) / elapsed,
            now["longest_ns"],
        )

    def time(self, name):
        return self.rows.get(name, self.idle)[1] or 0

    def lines(self, tasks, sort):
        """A line for each name of a task, or of one that ran."""
        count = {}
        for task in tasks:
            count[task["name"]] = count.get(task["name"], 0) + 1
        names = sorted({*count, *self.rows})
        if sort == "time":
            names.sort(key=lambda name: -self.time(name))
        yield HEAD % ("NAME", "TASKS", "STEPS/S", "TIME", "LONGEST")
        for name in names:
            steps, share, longest = self.rows.get(name, self.idle)
            yield ROW % (
                name, count.get(name, 0), "-" if steps is None else "%.1f" % steps,
                "-" if share is None else "%.1f%%" % (100 * share),
                "-" if longest is None else "%.3f ms" % (longest / 1e6),
            )  # fmt: skip


def title(snapshot, pid):
    loop = snapshot.loop
    limit = " of %d" % loop["descriptor_limit"] if "descriptor_limit" in loop else ""
    yield "process %d: %d tasks, %d ready; %d descriptors%s; %d accepts refused" % (
        pid, loop["tasks"], loop["ready"], loop["descriptors"], limit, loop["refused"],
    )  # fmt: skip
    if snapshot.gauges:
        yield ", ".join("%s: %d" % gauge for gauge in snapshot.gauges)


def ordered(tasks, sort, rates):
    """The tasks as --sort wants them; without it, as a tree."""
    if sort == "time":
        return sorted(tasks, key=lambda task: -rates.time(task["name"]))
    if sort == "name":
        return sorted(tasks, key=lambda task: task["name"])
    if sort == "wait":
        return sorted(tasks, key=lambda task: -task.get("since_ms", -1))
    return tasks


def task_row(task, sort):
    indent = "" if sort else text.INDENT * task["depth"]
    frame = task["frames"][0] if task["frames"] else None
    return indent + text.task_line(task) + (", at " + text.place(frame) if frame else "")


def page(found, snapshot, rates, pid, sort):
    """The lines of a page. FOUND: the report, filtered."""
    tasks = [task for loop in found["loops"] for task in loop["tasks"]]
    yield from title(snapshot, pid)
    for complaint in found["complaints"]:
        yield "warning: " + complaint
    yield ""
    yield from rates.lines(tasks, sort)
    yield ""
    for task in ordered(tasks, sort, rates):
        yield task_row(task, sort)


def watch(client, options, keep):
    """Show snapshots until the user ends it. KEEP filters a report."""
    screen = sys.stdout.isatty() and sys.stdin.isatty() and not options.json
    before = None
    with (Screen() if screen else Plain()) as output:
        while output.wait(client):
            snapshot, silent = client.news()
            if snapshot:
                found = snapshot.report(client.pid)
                keep(found)
                if options.json:
                    print(json.dumps(found), flush=True)
                else:
                    output.show(page(found, snapshot, Rates(before, snapshot), client.pid, options.sort))
                before = snapshot
            elif silent and not options.json:
                output.show([QUIET % (silent // 1000, client.pid)])


class Plain:
    """Pages one after the other."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def wait(self, client):
        """Wait until something has come; whether to go on."""
        select.select([client], [], [])
        return True

    def show(self, lines):
        for line in lines:
            print(line)
        print()
        sys.stdout.flush()


class Screen:
    """The whole terminal, which shows the last page; q ends it."""

    def __enter__(self):
        self.lines = ()
        self.before = termios.tcgetattr(0)
        self.resized, resizes = os.pipe()
        os.set_blocking(resizes, False)
        signal.set_wakeup_fd(resizes, warn_on_full_buffer=False)
        signal.signal(signal.SIGWINCH, lambda *_: None)  # a byte in the pipe ends a wait
        tty.setcbreak(0)
        sys.stdout.write("\033[?1049h\033[?25l")
        return self

    def __exit__(self, *_):
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        termios.tcsetattr(0, termios.TCSADRAIN, self.before)
        with contextlib.suppress(OSError):
            sys.stdout.write("\033[?25h\033[?1049l")
            sys.stdout.flush()

    def wait(self, client):
        while True:
            ready = select.select([client, 0, self.resized], [], [])[0]
            if 0 in ready and self.quits(os.read(0, 64)):
                return False
            if self.resized in ready:
                os.read(self.resized, 64)
                self.draw()
            if client in ready:
                return True

    def quits(self, keys):
        return not keys or b"q" in keys.lower()

    def show(self, lines):
        self.lines = list(lines)
        self.draw()

    def draw(self):
        size = shutil.get_terminal_size()
        shown = self.lines[: size.lines]
        if len(self.lines) > size.lines:
            shown[-1] = "(%d more lines)" % (len(self.lines) - size.lines + 1)
        sys.stdout.write("\033[H" + "".join(line[: size.columns] + "\033[K\n" for line in shown[:-1]))
        sys.stdout.write("".join(line[: size.columns] for line in shown[-1:]) + "\033[K\033[J")
        sys.stdout.flush()
