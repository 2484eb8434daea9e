#!/usr/bin/env python3
# parts.py - the path from an interrupt to its task: instructions (AVR: cycles) for each source file
# SPDX-License-Identifier: MIT
#
#     python3 bench/firmware/parts.py [-v] [BOARD...] [CASE...]
#
# For the rows of measure.py that begin with "isr", or some of them; -v: each instruction, with its function.
import collections, os, re, sys

import measure


def origins(prefix, elf, places):
    """The function and the file of each address; for inlined functions, of the innermost one."""
    text = measure.run(prefix + "addr2line", "-a", "-i", "-f", "-e", elf, *map(hex, places))
    blocks = [block.splitlines() for block in re.split(r"^0x", text, flags=re.M)[1:]]
    return [(block[1], os.path.basename(block[2].split(":")[0])) for block in blocks]


def instructions(prefix, elf):
    """The text of the instruction at each address."""
    lines = measure.run(prefix + "objdump", "-d", elf).splitlines()
    matches = (re.match(r"\s*([0-9a-f]+):\s+(?:[0-9a-f]+ )+\s*(.*)", line) for line in lines)
    return {int(match.group(1), 16): match.group(2).expandtabs(8) for match in matches if match}


def show(case, name, prefix, elf, way, verbose):
    sums = collections.Counter()
    texts = instructions(prefix, elf) if verbose else {}
    for step, after, origin in zip(way, way[1:], origins(prefix, elf, [step.pc for step in way])):
        sums[origin[1]] += after.time - step.time
        if verbose:
            print("%3d %8x  %-36.36s %s" % (after.time - step.time, step.pc, texts.get(step.pc, ""), origin[0]))
    print(case, name, sum(sums.values()), *("%s %d" % part for part in sums.most_common()))


def main(arguments):
    wanted = set(arguments) - {"-v"}
    cases = [row for row in measure.ISR if row[0] in wanted] or measure.ISR
    names = [board[0] for board in measure.boards if board[0] in wanted]
    measure.build_for_avr(measure.here + "/avr-trace.c")
    for name, board, prefix in measure.boards:
        if names and name not in names:
            continue
        for case, letter, flags, knobs, lto in cases:
            elf = measure.build_case(board, letter, *flags, knobs=knobs, lto=lto)
            way, _ = measure.from_interrupt(board, prefix, elf)
            if way:
                show(case, name, prefix, elf, way, "-v" in arguments)


main(sys.argv[1:])
