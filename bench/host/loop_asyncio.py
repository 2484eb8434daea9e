# loop_asyncio.py - yields, timeouts, wakes and rockets on asyncio, or with "uvloop" on uvloop, like loop.c
# SPDX-License-Identifier: MIT
import asyncio
import os
import statistics
import sys
import threading
import time


async def turns(count):
    for _ in range(count):
        await asyncio.sleep(0)


async def take_turns():
    yielders, yields = 1000, 100
    start = time.process_time_ns()
    await asyncio.gather(*(turns(yields) for _ in range(yielders)))
    return (time.process_time_ns() - start) / (yielders * yields)


async def timeout():
    loop, rearms = asyncio.get_running_loop(), 3
    timers = [loop.call_later(30, print) for _ in range(100000)]
    start = time.process_time_ns()
    for _ in range(rearms):
        for i, timer in enumerate(timers):
            timer.cancel()
            timers[i] = loop.call_later(30, print)
        await asyncio.sleep(0)
    spent = time.process_time_ns() - start
    for timer in timers:
        timer.cancel()
    return spent / (rearms * len(timers))


async def wake():
    loop, times, woken = asyncio.get_running_loop(), [], asyncio.Event()

    def take(sent):
        times.append(time.monotonic_ns() - sent)
        woken.set()

    def send():
        os.sched_setaffinity(0, {0})
        for i in range(1000):
            while len(times) != i:
                time.sleep(0)
            time.sleep(50e-6)
            loop.call_soon_threadsafe(take, time.monotonic_ns())

    threading.Thread(target=send).start()
    while len(times) < 1000:
        woken.clear()
        await woken.wait()
    return statistics.median(times)


async def rocket(i):
    await asyncio.sleep(i * 3090169 % 5000000 / 1e6)
    for _ in range(i % 5):
        await asyncio.sleep(1)


async def rockets():
    start = time.process_time_ns()
    await asyncio.gather(*map(rocket, range(10000)))
    return (time.process_time_ns() - start) / 1e6


if "uvloop" in sys.argv:
    import uvloop

    uvloop.install()
what = {"yield": take_turns, "timeout": timeout, "wake": wake, "rockets": rockets}[sys.argv[-1]]
print(round(asyncio.run(what()), 2))
