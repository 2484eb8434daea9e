# native_greenlet.py - the bench of native stacks: greenlets, nanoseconds a step
# SPDX-License-Identifier: MIT
import sys
import time

from greenlet import getcurrent, greenlet

n = int(sys.argv[2])
sys.setrecursionlimit(100000)  # each greenlet begins at the depth of the one that starts it
ring = [None] * (n + 1)
at = 0


def go_on():
    global at
    at = (at + 1) % (n + 1)
    ring[at].switch()


def go_round():
    while True:
        go_on()


ring[0] = getcurrent()
ring[1:] = [greenlet(go_round) for _ in range(n)]
rounds = 100000 // (n + 1)
go_on()
start = time.process_time()
for _ in range(rounds):
    go_on()
print("%.2f" % ((time.process_time() - start) * 1e9 / (rounds * (n + 1))))
