# options.py - the options of pt-ps
# SPDX-License-Identifier: MIT

import argparse
import re
import sys

USAGE = "pt-ps [options] PID | CORE --exec PROGRAM | HOST:PORT --exec PROGRAM | SAVED | --live SOCKET"
TEXT = """\
Prints every task of a program that uses pt: its await stack, and what it waits for.

  PID          a process; it stands still while it is read, for less than a second
  CORE         a core file of PROGRAM
  HOST:PORT    a gdb remote stub: qemu's, simavr's, OpenOCD's; it stands still while it is read
  SAVED        a file that --save has written
  --live       a program that has called pt_live_open: its tasks again and again, as top shows processes; q quits.
               Needs no gdb, and the program does not stand still.
"""
ALONE = ("program", "loop", "fields", "stuck", "watch", "ticks", "gdb")  # they have no meaning with --live


def expression(text):
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as fault:
        raise argparse.ArgumentTypeError("%s: %s" % (text, fault))


def positive(text):
    if not re.fullmatch("[0-9]{1,18}", text) or not int(text):
        raise argparse.ArgumentTypeError("%s is not a number from 1 to %d" % (text, 10**18 - 1))
    return int(text)


def seconds(text):
    return min(positive(text), 10**9)


def interval(text):
    if not re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,3})?", text) or not 0.001 <= float(text) <= 86400:
        raise argparse.ArgumentTypeError("%s is not a number of seconds from 0.001 to 86400" % text)
    return float(text)


class Parser(argparse.ArgumentParser):
    def __init__(self, prog, usage, text):
        plain = argparse.RawDescriptionHelpFormatter
        super().__init__(prog=prog, usage=usage, description=text, formatter_class=plain, allow_abbrev=False)

    def _print_message(self, message, file=None):
        """argparse is silent if the output is full."""
        (file or sys.stderr).write(message)


def parser():
    options = Parser("pt-ps", USAGE, TEXT)
    add = options.add_argument
    add("target", metavar="TARGET", nargs="?", help=argparse.SUPPRESS)
    add("--exec", metavar="PROGRAM", dest="program", help="the program, with debug information")
    add("--loop", metavar="EXPR", action="append", default=[], help="a loop that nothing leads to")
    add("--only", metavar="REGEX", type=expression, help="tasks with this name or function")
    add("--waiting-on", metavar="OBJECT", help="tasks that wait for it: a name or an address")
    add("--count", action="store_true", help="how many tasks are at which place, instead of the tree")
    add("--fields", action="store_true", help="print the fields of each frame")
    add("--stuck", action="store_true", help="print only the tasks that are stuck")
    add("--json", action="store_true", help="print JSON")
    add("--save", metavar="FILE", help="also write the report to FILE, as JSON")
    add("--watch", metavar="SECONDS", nargs="?", const=2, type=seconds, help="repeat, every 2 seconds")
    add("--ticks", metavar="N", type=positive, help="ticks in a second, if the program has its own number")
    add("--gdb", metavar="GDB", help="the gdb to use, instead of the one for the program's machine")
    add("--live", metavar="SOCKET", help="the socket of a program that serves its tasks")
    add("--once", action="store_true", help="with --live: one report, in the form of the others")
    add("--interval", metavar="SECONDS", type=interval, help="with --live: the time between two reports, 1 second")
    add("--sort", choices=("time", "name", "wait"), help="with --live: by time used, by name, by time waited")
    return options


def parse():
    """The options, which fit together."""
    options = parser()
    found = options.parse_args()
    if found.live is None and found.target is None:
        options.error("name a process, a file, a stub or --live SOCKET")
    if found.live is not None:
        if found.target is not None:
            options.error("--live takes its data from a socket: leave out %s" % found.target)
        for name in ALONE:
            if getattr(found, name):
                options.error("--live does not go with --%s" % {"program": "exec"}.get(name, name))
    elif found.once or found.interval or found.sort:
        options.error("--once, --interval and --sort need --live")
    if found.once and (found.interval or found.sort):
        options.error("--once prints one report, as a tree: leave out --interval and --sort")
    if found.live is not None and not found.once and (found.count or found.save):
        options.error("--live with --count or --save needs --once")
    return found
