# options.py - the options of pt-ps
# SPDX-License-Identifier: MIT

import argparse
import re
import sys

USAGE = "pt-ps [options] PID | CORE --exec PROGRAM | HOST:PORT --exec PROGRAM | SAVED"
TEXT = """\
Prints every task of a program that uses pt: its await stack, and what it waits for.

  PID          a process; it stands still while it is read, for less than a second
  CORE         a core file of PROGRAM
  HOST:PORT    a gdb remote stub: qemu's, simavr's, OpenOCD's; it stands still while it is read
  SAVED        a file that --save has written
"""


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
    add("target", metavar="TARGET", help=argparse.SUPPRESS)
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
    return options
