# options.py - the options of pt-trace
# SPDX-License-Identifier: MIT

import argparse

from ..options import Parser, positive, seconds

USAGE = """pt-trace [options] FILE...
       pt-trace [options] PID | CORE --exec PROGRAM | HOST:PORT --exec PROGRAM
       pt-trace top [options] FILE | PID"""
TEXT = """\
Prints for each coroutine of a trace how long it ran, was ready and waited, and for what.

  FILE         a trace that pt_trace_save wrote, or that a part has sent
  PID          a process with a struct pt_trace; it stands still while its ring is read
  CORE         a core file of PROGRAM
  HOST:PORT    a gdb remote stub
  top          the tasks that ran most; of a PID, again every 2 seconds
"""


def parse(arguments):
    options = Parser("pt-trace", USAGE, TEXT)
    add = options.add_argument
    add("targets", metavar="TARGET", nargs="+", help=argparse.SUPPRESS)
    add("--json", action="store_true", help="print JSON for ui.perfetto.dev; several files are several processes")
    add("--svg", action="store_true", help="print a timeline as an SVG picture")
    add("--exec", metavar="PROGRAM", dest="program", help="the program, for the names of its functions")
    add("--rate", metavar="HZ", type=positive, help="how often the counter counts in a second")
    add("--ring", metavar="EXPR", help="the struct pt_trace to read, if there are several or gdb finds none")
    add("--most", metavar="N", type=positive, default=20, help="of top: how many tasks; 20")
    add("--every", metavar="SECONDS", type=seconds, default=2, help="of top: how long to wait; 2")
    add("--times", metavar="N", type=positive, default=0, help="of top: how often; until the process ends")
    add("--gdb", metavar="GDB", help="the gdb to use")
    found = options.parse_intermixed_args(arguments)
    found.top = found.targets[0] == "top"
    if found.top:
        del found.targets[0]
    if not found.targets:
        options.error("top needs a FILE or a PID")
    if found.json and found.svg:
        options.error("--json or --svg, not both")
    if found.top and (found.json or found.svg):
        options.error("top prints a table: not --json, not --svg")
    if found.svg and len(found.targets) > 1:
        options.error("--svg takes one trace")
    return found
