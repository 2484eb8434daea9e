# program.py - a countdown that waits, in Python
# SPDX-License-Identifier: MIT
import asyncio


def say(text):
    print(f"{asyncio.get_running_loop().time() - begin:.0f} s: {text}")
# - awaits


async def awaits():
    for n in range(3, 0, -1):
        say(n)
        await asyncio.sleep(1)
    return "lift-off"
# - launch


async def launch():
    word = await awaits()
    say(word)
# - main


async def main():
    global begin
    begin = asyncio.get_running_loop().time()
    await launch()


asyncio.run(main())
