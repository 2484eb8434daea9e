# program.py - three workers, five jobs, in Python 3.11 or later
# SPDX-License-Identifier: MIT
# - jobs
import asyncio
from collections import namedtuple


class Failed(Exception):
    pass


Job = namedtuple("Job", "name ms broken")
JOBS = [Job("logo", 100, False),
        Job("movie", 900, False),
        Job("news", 200, True),
        Job("map", 200, False),
        Job("mail", 900, False)]
# - fetch


async def fetch(job):
    try:
        await asyncio.sleep(job.ms / 1000)
        if job.broken:
            raise Failed
    finally:
        print(f"{job.name}: closed")
# - worker


async def worker(jobs):
    while True:
        job = await jobs.get()
        try:
            async with asyncio.timeout(0.5):
                await fetch(job)
            print(f"{job.name}: done")
        except TimeoutError:
            print(f"{job.name}: too late")
        except Failed:
            print(f"{job.name}: failed")
# - office


async def office():
    jobs = asyncio.Queue()
    for job in JOBS:
        jobs.put_nowait(job)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(worker(jobs))
                 for _ in range(3)]
        await asyncio.sleep(0.6)
        for task in tasks:
            task.cancel()
    print("all workers have ended")
# - main


asyncio.run(office())
