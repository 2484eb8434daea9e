#!/usr/bin/env python3
# parts.py - the path from an interrupt to its task: instructions (AVR: cycles) for each source file
# SPDX-License-Identifier: MIT
#
#     python3 bench/firmware/parts.py [-v] [BOARD...]
#
# For the rows "isr" and "isr-driver" of measure.py; -v: each instruction.
import collections, os, re, sys

import measure


def files(prefix, elf, places):
    """The file of each address; for inlined functions, that of the innermost one."""
    text = measure.run(prefix + "addr2line", "-a", "-i", "-e", elf, *map(hex, places))
    first = (block.splitlines()[1] for block in re.split(r"^0x", text, flags=re.M)[1:])
    return [os.path.basename(line.split(":")[0]) for line in first]


def main(arguments):
    verbose = "-v" in arguments
    measure.build_for_avr(measure.here + "/avr-trace.c")
    for name, board, prefix in measure.boards:
        if set(arguments) - {"-v"} and name not in arguments:
            continue
        for case, flags, lto in measure.ISR[:2]:
            elf = measure.build_case(board, "i", *flags, lto=lto)
            way, _ = measure.from_interrupt(board, prefix, elf)
            sums = collections.Counter()
            for step, after, file in zip(way, way[1:], files(prefix, elf, [step.pc for step in way])):
                sums[file] += after.time - step.time
                if verbose:
                    print("%3d %8x %s" % (after.time - step.time, step.pc, file))
            print(case, name, sum(sums.values()), *("%s %d" % part for part in sums.most_common()))


main(sys.argv[1:])
