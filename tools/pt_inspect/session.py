# session.py - in gdb: carries out pt-ps, one report for each line of its input
# SPDX-License-Identifier: MIT
#
# What does not need the program (its symbols, its types) is read before it is stopped.

import json
import os
import time

import gdb

from . import build, output, peers, report, stuck
from .census import Census
from .gdb_side import Gdb, static_symbols
from .memory import Unreadable
from .native import Stacks
from .snapshot import Snapshot, TooLarge
from .still import Still
from .tasks import Program

LARGE = (65536, 4096)  # pages, in bytes
LOOKS = 3  # at a process that seems damaged
DAMAGE = ("damaged", "not alive")  # words of complaints
SMALL = (256, 32)  # for a stub: its line is slow, and its memory has gaps


class Failed(Exception):
    """The message for the user."""


def prepare():
    for setting in (
        "pagination off", "confirm off", "width 0", "height 0", "print thread-events off",
        "print inferior-events off", "auto-load no", "debuginfod enabled off", "python print-stack none",
        "may-call-functions off",
    ):  # fmt: skip
        try:
            gdb.execute("set " + setting, to_string=True)
        except gdb.error:
            pass  # an older gdb


def load(options):
    if options["program"]:
        try:
            gdb.execute('file "%s"' % options["program"], to_string=True)
        except gdb.error as fault:
            raise Failed("%s: %s" % (options["program"], fault))
        options["given"] = build.of_file(options["program"])


def warm(options):
    """Read what a report needs before a part is stopped. Of the C library gdb reads nothing: it takes seconds."""
    for name in ("pt_task", "pt_loop", "pt_group", "pt_case_", "pt_io"):
        for spelling in ("struct " + name, name):
            try:
                gdb.lookup_type(spelling)
            except gdb.error:
                pass
    for _ in static_symbols():
        pass
    gdb.execute("set debug-file-directory", to_string=True)


def copy_process(options):
    """Let a process stand still while its memory is copied, and gdb read the copy as a core file. A process that is too
    large stands still until leave(); then there is no copy."""
    pid, copy = options["target"], None
    try:
        copy = Snapshot(pid)
        began = time.monotonic()
        with Still(pid) as still:
            options["clock"] = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            copy.take(still.registers)
        options["stopped"] = time.monotonic() - began
        copy.finish()
        gdb.execute("set sysroot /proc/%s/root" % pid, to_string=True)
        gdb.execute("core-file /proc/self/fd/%d" % copy.descriptor, to_string=True)
    except PermissionError:
        raise Failed(refused(pid, "not permitted")) from None
    except TimeoutError as fault:
        raise Failed("process %s: %s" % (pid, fault)) from None
    except (TooLarge, OSError):
        options["stopped"] = copy = None
        gdb.execute("set sysroot target:", to_string=True)
        attach(pid)
        options["clock"] = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    options["copy"] = copy
    return copy


def attach(pid):
    try:
        gdb.execute("attach " + pid, to_string=True)
    except gdb.error as fault:
        raise Failed(refused(pid, str(fault)))


def reach(options):
    """Copy a process, load the core or connect."""
    target = options["target"]
    if options["kind"] == "pid":
        copy_process(options)
    elif options["kind"] == "core":
        try:
            gdb.execute("core-file " + target, to_string=True)
        except gdb.error as fault:
            raise Failed("%s: %s" % (target, fault))
    else:
        try:
            gdb.execute("target remote " + target, to_string=True)
        except gdb.error as fault:
            told = str(fault).replace(target + ": ", "").rstrip(".")
            raise Failed("%s: %s. Does a gdb stub listen there? qemu: -gdb tcp::PORT; simavr: -g" % (target, told))


def recognize(options):
    """Whether what was reached is the program that was given."""
    what = {"pid": "the process", "core": "the one that left the core"}.get(options["kind"], "the one that runs")
    runs = "/proc/%s/exe" % options["target"] if options["kind"] == "pid" else None
    options["build"] = build.differs(options["given"], options["program"], what, runs)


def tracer_of(pid):
    """The process that debugs this one; 0: none."""
    try:
        with open("/proc/%s/status" % pid) as status:
            return int(next(line for line in status if line.startswith("TracerPid:")).split()[1])
    except (OSError, StopIteration, ValueError):
        return 0


def refused(pid, fault):
    if not os.path.isdir("/proc/" + pid):
        return "process %s has ended" % pid
    tracer = tracer_of(pid)
    if tracer:
        return "process %s: process %s debugs it already: end that first" % (pid, tracer)
    if "not permitted" in fault:
        try:
            with open("/proc/sys/kernel/yama/ptrace_scope") as file:
                scope = int(file.read())
        except (OSError, ValueError):
            scope = 0
        if scope:
            return (
                "process %s: the system does not allow it (Yama, ptrace_scope %d). Run this as root,\n"
                "or, until the next start of the system: sudo sysctl kernel.yama.ptrace_scope=0" % (pid, scope)
            )
        return "process %s: not permitted. It is another user's: run this as root" % pid
    return "process %s: %s" % (pid, fault)


def leave(options):
    """Let it go on: after a mere disconnect a machine behind a stub stands still."""
    copy = options.pop("copy", None)
    if copy:
        gdb.execute("core-file", to_string=True)
        copy.close()
        return
    for way in ("detach", "disconnect"):
        try:
            gdb.execute(way, to_string=True)
            return
        except gdb.error:
            pass  # the stub knows no detach; or it is gone, or it is a core


def look(options):
    """One report."""
    if options["kind"] == "pid":
        return look_until_sound(options)
    reach(options)
    recognize(options)
    try:
        return read(Gdb(SMALL if options["kind"] == "remote" else LARGE), options)
    finally:
        if options["kind"] == "remote":
            leave(options)


def read(debugger, options, clock=None, copy=None, threads=()):
    program = Program(debugger, options["ticks"])
    if clock and program.ticks:
        program.clock = clock * program.ticks // 1000000000
    if options["build"]:
        program.complain(options["build"])
    census = Census(program, options["loop"])
    told = report.Report(census, options["fields"], Stacks(program).add)
    found = told.build()
    if options.get("stuck"):
        found["stuck"] = stuck.Stuck(census, told.waits).find(copy, threads)
        found["complaints"] = program.complaints
    return found


def look_until_sound(options):
    """A process that stops in the middle of an operation on a list looks damaged: then a second look decides."""
    for _ in range(LOOKS):
        found = look_at_process(options)
        if not any(word in complaint for word in DAMAGE for complaint in found["complaints"]):
            break
    return found


def look_at_process(options):
    """The registers of a process that was copied are in its core file."""
    recognize(options)
    began = time.monotonic()
    copy = copy_process(options)
    clock = options["clock"]
    try:
        debugger, threads = Gdb(LARGE), ()
        if copy:
            debugger.memory.fetch = copy.fetch
            threads = stuck.registers() if options.get("stuck") else ()
        found = read(debugger, options, clock, copy, threads)
    finally:
        leave(options)
    found["stopped_ms"] = round((options["stopped"] or time.monotonic() - began) * 1000)
    peers.add(options["target"], found, peers.links(options["target"], found))
    return found


def main():
    """The pipe has the options; each further line asks for one report more."""
    answer = os.fdopen(int(os.environ["PT_PS_ANSWER"]), "w")
    with os.fdopen(int(os.environ["PT_PS_ASK"])) as ask:
        options = json.loads(ask.readline())
        prepare()
        try:
            load(options)
            warm(options)
            for _ in ask:
                json.dump(look(options), answer)
                answer.write("\n")
                answer.flush()
        except Failed as fault:
            fail(answer, str(fault))
        except LookupError as fault:
            fail(answer, str(fault))
        except (gdb.error, Unreadable, RuntimeError) as fault:
            gone = options["kind"] == "pid" and not os.path.isdir("/proc/" + options["target"])
            fail(answer, "process %s has ended" % options["target"] if gone else str(fault))
        except Exception as fault:
            fail(answer, output.what(fault))


def fail(answer, text):
    json.dump({"failed": text}, answer)
    answer.write("\n")
    answer.flush()
