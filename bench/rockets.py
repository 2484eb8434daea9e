#!/usr/bin/env python3
# rockets.py - the rocket program in Python: generators driven by a heap of wake-up times
# SPDX-License-Identifier: MIT
"""Usage: rockets.py COUNT. Prints nanoseconds a wake.

The design is that of pt's rockets: a generator yields how long it wants to sleep, and the
scheduler keeps (time, number, generator) in a heap and resumes the earliest. The clock is
virtual: it jumps to the next wake-up. Delays and countdowns come from the same random numbers
as in core_tasks.c, so that both count the same wakes."""

import heapq
import sys
import time
from enum import Enum, auto

SECOND = 1_000_000_000
MASK = (1 << 64) - 1


class Op(Enum):
    WAIT = auto()


def chance(state):
    """SplitMix64, the generator of pt_random_below."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield (z ^ (z >> 31)) >> 32


def sleep(delay):
    yield Op.WAIT, delay


def rocket(delay, countdown, wakes):
    yield from sleep(delay)
    wakes[0] += 1
    while countdown > 0:
        yield from sleep(SECOND)
        wakes[0] += 1
        countdown -= 1


def fly(plan, wakes):
    now = 0
    work = [(now, number, rocket(delay, countdown, wakes))
            for number, (delay, countdown) in enumerate(plan)]
    heapq.heapify(work)
    while work:
        now, number, body = heapq.heappop(work)
        try:
            op, operand = body.send(None)
        except StopIteration:
            continue
        if op == Op.WAIT:
            heapq.heappush(work, (now + operand, number, body))


def main():
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    draw = chance(1)
    plan = [((next(draw) * (5 * SECOND // 2) >> 32) * 2, next(draw) * 5 >> 32)
            for _ in range(int(sys.argv[1]))]
    wakes = [0]
    start = time.process_time_ns()
    fly(plan, wakes)
    print((time.process_time_ns() - start) / wakes[0])


main()
