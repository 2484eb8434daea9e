# options.py - the options of pt-bounds
# SPDX-License-Identifier: MIT

import re

from ..options import Parser, positive

USAGE = "pt-bounds [options] PROGRAM.elf"
TEXT = """\
Prints the most stack that a program for a small part can use: of each task, of the interrupts, and in all; with
--time also how long its tasks, its loop, its interrupts and its critical sections can take.
The program is linked with -g. Cortex-M, RV32, AVR.
"""


def parse(arguments):
    options = Parser("pt-bounds", USAGE, TEXT)
    add = options.add_argument
    add("program", metavar="PROGRAM.elf", help="a linked program with debug information")
    add("--max-stack", metavar="N", type=positive, help="fail if the program can use more than N bytes")
    add("--time", action="store_true", help="print the longest times, too; fail if one has no bound")
    add("--max-turn", metavar="N", type=positive, help="with --time: fail if the main loop can take more once round")
    add("--loop", metavar="NAME=N", action="append", default=[], help="what NAME is in the notes `loop NAME`")
    add("--svg", metavar="FILE", help="write a picture of the stack to FILE")
    add("--json", action="store_true", help="print JSON")
    add("--note", metavar="'F: NOTE'", action="append", default=[], help="a note about a function, as in a comment")
    add("--priority", metavar="N", type=int, help="of the interrupts without a note; those of one priority do not nest")
    add("--prefix", metavar="PREFIX", help="of the binutils: arm-none-eabi- for PREFIXobjdump")
    given = options.parse_args(arguments)
    if given.max_turn and not given.time:
        options.error("--max-turn needs --time")
    pairs = [re.fullmatch(r"(\w+)=(\d+)", one) for text in given.loop for one in text.split(",")]
    if None in pairs:
        options.error("--loop %s: it is NAME=N" % given.loop[0])
    given.loop = {pair.group(1): int(pair.group(2)) for pair in pairs}
    return given
