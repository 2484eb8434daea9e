# options.py - the options of pt-sim
# SPDX-License-Identifier: MIT

import argparse
import os
import re

from ..options import Parser, positive

LAST_SEED = 2**44 - 1  # a fault takes its chance from the seed and its number, which has the other 20 bits
USAGE = "pt-sim [options] 'SERVER.c WORDS' 'CLIENT.c WORDS'... | [options] --world TEST.c PROGRAM.c..."
TEXT = """\
Runs unchanged programs as machines of a simulated network, under many seeds: connections break, machines crash. The
first seed that fails is made smaller, and told as a table, a diagram and a page.

  'SERVER.c WORDS'   a program and its arguments; FILE+FILE if it has more than one; {100} in WORDS is a load, which
                     can become smaller. Clients end with status 0, when they have what they want.
"""


def seed(text):
    if not re.fullmatch("[0-9]{1,18}", text) or int(text) > LAST_SEED:
        raise argparse.ArgumentTypeError("%s is not a number from 0 to %d" % (text, LAST_SEED))
    return int(text)


def seeds(text):
    if not re.fullmatch(r"[0-9]+(\.\.[0-9]+)?(,[0-9]+(\.\.[0-9]+)?)*", text):
        raise argparse.ArgumentTypeError("%s is not like 1..1000 or 3,17" % text)
    for part in text.split(","):
        ends = [seed(word) for word in part.split("..")]
        if ends[0] > ends[-1]:
            raise argparse.ArgumentTypeError("%s has no seed: the last one is below the first" % part)
    return text


def numbers(text):
    if text != "none" and not re.fullmatch(r"\d+(,\d+)*", text):
        raise argparse.ArgumentTypeError("%s is not like 2,5 or none" % text)
    return [] if text == "none" else [int(number) for number in text.split(",")]


def parse(arguments):
    options = Parser("pt-sim", USAGE, TEXT)
    add = options.add_argument
    add("programs", metavar="PROGRAM", nargs="+", help=argparse.SUPPRESS)
    add("--world", metavar="TEST.c", help="a test in C, with world_test; world.h says what it can do")
    add("--also", metavar="FILE.c", action="append", default=[],
        help="a program that others start, by the name of its file without .c")  # fmt: skip
    add("--seeds", metavar="1..1000", type=seeds, help="the seeds; 1..1000 without it")
    add("--again", metavar="FILE", help="the seeds that failed before: pt-sim.out/failed")
    add("--seed", metavar="N", type=seed, help="this one; its story is told, whether it fails or not")
    add("--faults", metavar="2,5", type=numbers, help="with --seed: only these faults; none: no fault")
    add("--sooner", metavar="K", type=int, choices=range(64), default=0,
        help="with --seed: the faults begin 2^K times sooner")  # fmt: skip
    add("--shorter", metavar="K", type=int, choices=range(64), default=0,
        help="with --seed: the faults are 2^K times shorter")  # fmt: skip
    add("--most", metavar="N", type=positive, help="with --seed: no load is above N")
    add("--gdb", action="store_true", help="with --seed: gdb, which stops where the run fails")
    add("--jobs", metavar="N", type=positive, default=min(os.cpu_count() or 1, 64), help="runs at the same time")
    add("--libpt", metavar="LIBPT.a", help="a libpt of -fPIC; without it pt-sim compiles one")
    add("--dir", metavar="DIR", default="pt-sim.out", help="where all goes that is made; pt-sim.out without it")
    found = options.parse_args(arguments)
    if sum(value is not None for value in (found.seeds, found.again, found.seed)) > 1:
        options.error("--seeds, --again and --seed do not go together")
    if found.seed is None and (found.gdb or found.faults is not None or found.sooner or found.shorter
                               or found.most):  # fmt: skip
        options.error("--gdb, --faults, --sooner, --shorter and --most need --seed")
    if found.jobs > 64:
        options.error("--jobs: at most 64")
    return found
