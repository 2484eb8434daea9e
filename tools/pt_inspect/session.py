# session.py - in gdb: carries out pt-ps, one report for each line of its input
# SPDX-License-Identifier: MIT
#
# What does not need the program (its symbols, its types) is read before it is stopped.

import json
import os
import time

import gdb

from . import peers, report
from .census import Census
from .gdb_side import Gdb, pt_files
from .memory import Unreadable
from .native import Stacks
from .tasks import Program

SMALL = (256, 32)  # pages for a stub: its line is slow, and its memory has gaps


class Failed(Exception):
    """The message for the user."""


def prepare():
    for setting in (
        "pagination off", "confirm off", "width 0", "height 0", "print thread-events off",
        "print inferior-events off", "auto-load no", "debuginfod enabled off", "python print-stack none",
    ):  # fmt: skip
        try:
            gdb.execute("set " + setting, to_string=True)
        except gdb.error:
            pass  # an older gdb


def load(options):
    if options["program"]:
        try:
            gdb.execute("file %s" % options["program"], to_string=True)
        except gdb.error as fault:
            raise Failed("%s: %s" % (options["program"], fault))


def warm():
    """Let gdb read the symbols that a report needs, and no others: those of the C library take seconds."""
    for name in ("pt_task", "pt_loop", "pt_group", "pt_case_", "pt_io"):
        for spelling in ("struct " + name, name):
            try:
                gdb.lookup_type(spelling)
            except gdb.error:
                pass
    for file in pt_files():
        file.variables()
    gdb.execute("set debug-file-directory", to_string=True)


def reach(options):
    """Attach, load the core or connect."""
    target = options["target"]
    if options["kind"] == "pid":
        try:
            gdb.execute("attach " + target, to_string=True)
        except gdb.error as fault:
            raise Failed(refused(target, str(fault)))
    elif options["kind"] == "core":
        try:
            gdb.execute("core-file " + target, to_string=True)
        except gdb.error as fault:
            raise Failed("%s: %s" % (target, fault))
    else:
        try:
            gdb.execute("target remote " + target, to_string=True)
        except gdb.error as fault:
            raise Failed("%s: %s" % (target, fault))


def refused(pid, fault):
    if not os.path.isdir("/proc/" + pid):
        return "process %s has ended" % pid
    if "not permitted" in fault:
        try:
            with open("/proc/sys/kernel/yama/ptrace_scope") as file:
                scope = int(file.read())
        except (OSError, ValueError):
            scope = 0
        if scope:
            return (
                "process %s: the system does not allow it (Yama, ptrace_scope %d). Run pt-ps as root,\n"
                "or, until the next start of the system: sudo sysctl kernel.yama.ptrace_scope=0" % (pid, scope)
            )
        return "process %s: not permitted. It is another user's, or another debugger has it: run pt-ps as root" % pid
    return "process %s: %s" % (pid, fault)


def leave(options):
    try:
        gdb.execute("detach" if options["kind"] == "pid" else "disconnect", to_string=True)
    except gdb.error:
        pass  # it is gone, or it is a core


def look(options):
    """One report."""
    pages = SMALL if options["kind"] == "remote" else (65536, 4096)
    began = time.monotonic()
    reach(options)
    try:
        program = Program(Gdb(pages), options["ticks"])
        census = Census(program, options["loop"])
        stacks = Stacks(program)
        found = report.Report(census, options["fields"], stacks.add).build()
        if options["kind"] == "pid":
            links = peers.links(options["target"], found)
    finally:
        if options["kind"] != "core":
            leave(options)
    if options["kind"] == "pid":
        found["stopped_ms"] = round((time.monotonic() - began) * 1000)
        peers.add(options["target"], found, links)
    return found


def main():
    """The pipe has the options; each further line asks for one report more."""
    answer = os.fdopen(int(os.environ["PT_PS_ANSWER"]), "w")
    with os.fdopen(int(os.environ["PT_PS_ASK"])) as ask:
        options = json.loads(ask.readline())
        prepare()
        try:
            load(options)
            warm()
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


def fail(answer, text):
    json.dump({"failed": text}, answer)
    answer.write("\n")
    answer.flush()
