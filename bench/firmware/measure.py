#!/usr/bin/env python3
# measure.py - the cost of pt on small parts: flash, RAM, instructions (AVR: cycles)
# SPDX-License-Identifier: MIT
#
#     python3 bench/firmware/measure.py [--json]
#
# Bytes are those of a linked program minus those of its board (none.c). The emulator counts single
# instructions between named functions; nothing is added to the program.
import collections, functools, json, os, re, subprocess, sys, tempfile, time

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
scratch = tempfile.TemporaryDirectory()
work = scratch.name
boards = [("m0", "microbit", "arm-none-eabi-"), ("m3", "mps2-an385", "arm-none-eabi-"),
          ("m4f", "mps2-an386", "arm-none-eabi-"), ("rv32", "rv32-virt", "riscv64-unknown-elf-"),
          ("avr", "atmega328p", "avr-")]
rows = []  # (case, peer, board, value, unit, limit)

# m0, m3, m4f, rv32, avr; shared with others where m4f is m3's
LIMITS = {
    "flash-app": (780, 780, 780, 790, 1026), "ram-app": (112, 112, 112, 112, 57),
    "flash-app-timeout": (960, 960, 960, 1000, 1400), "ram-app-timeout": (112, 112, 112, 112, 57),
    "yield": (50, 50, 50, 50, 125), "timer-list": (110, 110, 110, 110, 340),
    "timer-heap": (180, 180, 180, 180, 570), "storm-heap": (12000, 12000, 12000, 12000),
    "remove-heap": (200, 200, 200, 200), "isr": (60, 60, 60, 60, 145), "isr-ring": (60, 60, 60, 60, 145),
    "masked": (30, 30, 30, 30, 50), "lost-wakes": (0, 0, 0, 0, 0),
}
LIST, HEAP = ["-DPT_TIMERS=PT_TIMERS_LIST"], ["-DPT_TIMERS=PT_TIMERS_HEAP"]


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode:
        sys.exit("measure: %s\n%s" % (" ".join(command), done.stdout))
    return done.stdout


def say(*words):
    print("bench:", *words, file=sys.stderr)


MINIMAL = run("sh", "-c", ". %s/scripts/targets.sh; echo $minimal" % root).split()
POSTS = [*MINIMAL, "-DPT_REMOTE=1"]
MARKS = [*MINIMAL, "-DPT_WAKERS=1"] # wakers, and no remotes

# The way of an interrupt: by a waker, as doc/porting.md teaches it, in a small program and in one with every
# default; by a remote; and by a ring that the main loop looks at: as short as it can be, with a driver as it is,
# and with a clock. Each with the case in cases.c, its flags, the knobs, whether by -flto.
NO_TIMERS = ["-DPT_TIMERS=PT_TIMERS_NONE", "-DPT_TIME_BITS=32"]
EDGE = ["-I" + here, "-include", here + "/edge.h"]
WAKER = [*EDGE, "-DBY_WAKER"]
ISR = (("isr", "p", [*WAKER, *LIST, "-DSHORT_STAMPS"], MARKS, True),
       ("isr-default", "p", WAKER, ["-DPT_WAKERS=1"], False),
       ("isr-remote", "p", [*EDGE, *LIST, "-DSHORT_STAMPS"], POSTS, True),
       ("isr-ring", "i", [*NO_TIMERS, "-DBOARD_INPUT=1"], MINIMAL, True),
       ("isr-driver", "i", NO_TIMERS, MINIMAL, False), ("isr-clock", "i", LIST, MINIMAL, False))

# --- building ---------------------------------------------------------------------------------


def build(board, name, *arguments, knobs=MINIMAL, lto=False):
    output = os.path.join(work, name)
    environment = dict(os.environ, LTO="1" if lto else "")
    run("sh", root + "/examples/firmware/build", board, output, *arguments, *knobs,
        env=environment)
    return output


def build_case(board, case, *flags, knobs=MINIMAL, lto=False):
    if "-DSHORT_STAMPS" in flags and board == "atmega328p":
        flags = [*flags, "-DPT_TIME_BITS=16"]
    return build(board, "case", here + "/cases.c", "-DCASE='%s'" % case,
                 root + "/test/firmware/end.c", "-I" + root + "/test/firmware", *flags, knobs=knobs,
                 lto=lto)


def weigh(prefix, elf):
    """Flash and RAM."""
    sizes = {fields[0]: int(fields[1]) for fields in
             (line.split() for line in run(prefix + "size", "-A", elf).splitlines())
             if len(fields) == 3 and fields[0].startswith(".")}
    count = lambda *names: sum(size for name, size in sizes.items() if name in names)
    return count(".text", ".data", ".ARM.exidx"), count(".data", ".bss")


# --- tracing ----------------------------------------------------------------------------------

Step = collections.namedtuple("Step", "time pc masked")


def symbols(prefix, elf):
    lines = (line.split() for line in run(prefix + "nm", elf).splitlines())
    return {fields[2]: int(fields[0], 16) & ~1 for fields in lines if len(fields) == 3}


def trace_avr(elf):
    """Steps, and the cycles at which a byte arrived."""
    steps, bytes_at = [], []
    for line in run(work + "/avr-trace", elf).splitlines():
        fields = line.split()
        if fields[0] == "byte":
            bytes_at.append(int(fields[1]))
        else:
            steps.append(Step(int(fields[0]), int(fields[1], 16), fields[2] == "1"))
    return steps, bytes_at


def trace_qemu(board, prefix, elf, typed):
    """Steps, one for each instruction, and the steps after a sleep that the UART's interrupt ended. TYPED:
    send bytes to the program, which ends by itself otherwise."""
    command = run("sh", "-c", "here=%s/examples/firmware; . $here/boards.sh; board_emulator %s" %
                  (root, board)).split()
    if typed:  # otherwise it races to the alarm
        command = [word.replace("sleep=off", "sleep=on") for word in command]
    log = work + "/log"
    qemu = subprocess.Popen([command[0], "-singlestep", "-d", "exec,nochain", "-D", log,
                             *command[1:], elf], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    for _ in range(100 if typed else 0):  # a byte now and then, so that it arrives in a sleep
        if qemu.poll() is not None:
            break
        try:
            qemu.stdin.write(b"1")
            qemu.stdin.flush()
        except BrokenPipeError:
            pass
        time.sleep(0.02)
    else:
        if typed:
            qemu.kill()  # the trace up to here is enough, or there is no row
        qemu.wait()
    off, on, sleeps = mask_places(prefix, elf)
    names = symbols(prefix, elf)
    handler = names.get("uart", names.get("external"))
    steps, woken, masked = [], [], False
    for line in open(log):
        match = re.match(r"Trace \d+: \S+ \[[^/]*/([0-9a-f]+)/", line)
        if not match:
            continue
        pc = int(match.group(1), 16)
        if steps and steps[-1].pc == pc:  # reported twice, since it was interrupted before it ran
            continue
        if pc == handler and any(step.pc in sleeps for step in steps[-12:]):
            woken.append(max(step.time for step in steps[-12:] if step.pc in sleeps) + 1)
        steps.append(Step(len(steps), pc, masked))
        masked = (masked or pc in off) and not (pc in on or pc in sleeps)
    return steps, woken


def mask_places(prefix, elf):
    """The addresses where interrupts are disabled, enabled, and waited for."""
    off, on, sleeps = set(), set(), set()
    for line in run(prefix + "objdump", "-d", elf).splitlines():
        match = re.match(r"\s*([0-9a-f]+):\s+(?:[0-9a-f]+ )+\s*(.*)", line)
        if not match:
            continue
        place, text = int(match.group(1), 16), match.group(2)
        if re.match(r"cpsid|csrrci?.*mstatus|csrci?\s+mstatus", text):
            off.add(place)
        if re.match(r"msr\s+PRIMASK|cpsie|csrs\s+mstatus|csrsi\s+mstatus", text):
            on.add(place)
        if re.match(r"wfi", text):
            sleeps.add(place)
    return off, on, sleeps


def trace(board, prefix, elf, typed=False):
    return trace_avr(elf) if board == "atmega328p" else trace_qemu(board, prefix, elf, typed)


# --- counting ---------------------------------------------------------------------------------


def most_common(numbers):
    return collections.Counter(numbers).most_common(1)[0][0]


def between_entries(steps, function):
    """From one call of a function to the next, within a turn."""
    at = [step.time for step in steps if step.pc == function]
    return most_common([b - a for a, b in zip(at, at[1:])])


def turns_of_one(steps, names, function):
    """The mean of the turns in which the function was called once."""
    lengths, begin, calls = [], None, 0
    for step in steps:
        if step.pc == names["turn_begins"]:
            begin, calls = step.time, 0
        elif step.pc == function:
            calls += 1
        elif step.pc == names["turn_ends"] and calls == 1:
            lengths.append(step.time - begin)
    return round(sum(lengths) / len(lengths))


def removals(steps, names):
    """The instructions of the removals in each storm: lists of lists."""
    storms, since = [], None
    for step in steps:
        if step.pc == names["turn_begins"]:
            storms.append([])
        elif step.pc == names["cancel"]:
            since = step.time
        elif step.pc == names["cancelled"]:
            storms[-1].append(step.time - since)
    return storms


def longest_masked(steps):
    """The longest path with interrupts off, after they were on; a sleep ends it."""
    longest, since, begun = 0, None, False
    for before, step in zip(steps, steps[1:]):
        begun = begun or not step.masked
        if begun and step.masked and since is None:
            since = step.time
        if since is not None and not step.masked:
            longest, since = max(longest, step.time - since), None
    return longest


def until_called(steps, events, function):
    """The shortest path from an event to the call of the resulting function; None without steps."""
    ways = []
    for i, step in enumerate(steps):
        if step.pc == function:
            before = [event for event in events if event <= step.time]
            if before:
                ways.append([way for way in steps[:i + 1] if way.time >= before[-1]])
    return min(ways, key=length, default=[])


def length(way):
    return way[-1].time - way[0].time if way else sys.maxsize


def from_interrupt(board, prefix, elf):
    """The shortest path from an interrupt to the task, and the longest time masked. The PC sends bytes when
    it has time: not every byte arrives in a sleep, and in one run perhaps none does."""
    best, masked = [], 0
    for _ in range(1 if board == "atmega328p" else 8):
        steps, events = trace(board, prefix, elf, typed=True)
        best = min(best, until_called(steps, events, symbols(prefix, elf)["listener_pt_"]), key=length)
        masked = max(masked, longest_masked(steps))
    return best, masked


# --- the cases --------------------------------------------------------------------------------


def row(case, name, value, unit, peer=None):
    limits = dict(zip((short for short, _, _ in boards), LIMITS.get(case, ())))
    rows.append((case, peer, name, value, unit, None if peer else limits.get(name)))


def sizes(name, board, prefix):
    bits = ["-DPT_TIME_BITS=%d" % (16 if name == "avr" else 32)]
    flash, ram = weigh(prefix, build(board, "none", here + "/none.c", *bits, *LIST))
    row("flash-board", name, flash, "bytes")
    row("ram-board", name, ram, "bytes")
    parks = ["-UPT_TIMED_PARKS", "-DPT_TIMED_PARKS=1"]
    example = root + "/examples/firmware/"
    for case, peer, source in (("app", None, example + "three.c"),
                               ("app-timeout", None, example + "three_timeout.c"),
                               ("app", "hand", here + "/three_hand.c"),
                               ("app", "classic", here + "/three_classic.c")):
        flags = MINIMAL + parks if case == "app-timeout" else MINIMAL
        with_flash, with_ram = weigh(prefix, build(board, "three", source, *bits, *LIST, knobs=flags))
        row("flash-" + case, name, with_flash - flash, "bytes", peer)
        row("ram-" + case, name, with_ram - ram, "bytes", peer)


def cases(name, board, prefix):
    unit = "cycles" if name == "avr" else "instructions"
    program = functools.partial(build_case, board)
    elf = program("y", *LIST)
    steps, _ = trace(board, prefix, elf)
    row("yield", name, between_entries(steps, symbols(prefix, elf)["yielder_pt_"]), unit)
    for case, flags, counts in (("list", LIST, (4, 16, 50)), ("heap", HEAP, (4, 16, 50)),
                                *[("list-16", [*LIST, "-DPT_TIME_BITS=16"], (4,))] * (name == "avr")):
        for count in counts:
            elf = program("t", *flags, "-DTIMERS=%d" % count)
            names = symbols(prefix, elf)
            turn = turns_of_one(trace(board, prefix, elf)[0], names, names["sleeper_pt_"])
            row("timer-" + case + ("-of-%d" % count if count > 4 else ""), name, turn, unit)
        if len(counts) > 1:
            elf = program("c", *flags, "-DTIMERS=50")
            storms = removals(trace(board, prefix, elf)[0], symbols(prefix, elf))
            row("storm-" + case, name, max(map(sum, storms)), unit)
            row("remove-" + case, name, max(map(max, storms)), unit)
    for case, letter, flags, knobs, lto in ISR:
        way, masked = from_interrupt(board, prefix, program(letter, *flags, knobs=knobs, lto=lto))
        if case in ("isr", "isr-clock"):  # pt_loop_turn_and_sleep, and the board's own loop
            row("masked-turn-and-sleep" if case == "isr" else "masked", name, masked, unit)
        if way:
            row(case, name, length(way), unit)
        else:
            say("no byte came in a sleep: no row", case, "for", name)


def core():
    """The rows of make size: the core alone, and a task."""
    text = subprocess.run(["sh", root + "/scripts/size"], stdout=subprocess.PIPE, text=True).stdout
    names = text.splitlines()[0].split()[1:]
    for line in text.splitlines()[1:]:
        match = re.match(r"(flash-core-\S+|ram-task-\S+)(.*)", line)
        if match:
            values = re.findall(r"(\d+)(?: [<>]=? (\d+)\s+\w+)?", match.group(2))
            for name, (value, limit) in zip(names, values):
                rows.append((match.group(1), None, name, int(value), "bytes",
                             int(limit) if limit else None))


def sweeps(name, board):
    """An interrupt at every instruction: test/firmware."""
    shots = {"m0": "shot-microbit.c", "rv32": "shot-rv32.c"}
    sources = ["sweep.c"] if name == "avr" else ["sweep-self.c", shots.get(name, "shot-mps2.c"), "end.c"]
    output = os.path.join(work, "sweep")
    run("sh", root + "/examples/firmware/build", board, output,
        *(root + "/test/firmware/" + source for source in sources), "-I" + root + "/test/firmware",
        env=dict(os.environ, **({"PINS": " "} if name == "avr" else {})))
    command = [work + "/avr-sweep"] if name == "avr" else run(
        "sh", "-c", "here=%s/examples/firmware; . $here/boards.sh; board_emulator %s" %
        (root, board)).split()
    text = run(*command, output, stdin=subprocess.DEVNULL)
    match = re.search(r"(\d+) points tried, (\d+) wakes lost", text)
    row("points-tried", name, int(match.group(1)), "points")
    row("lost-wakes", name, int(match.group(2)), "wakes")


def have(program):
    return subprocess.run(["sh", "-c", "command -v " + program], stdout=subprocess.DEVNULL).returncode == 0


def show():
    for case, peer, name, value, unit, limit in rows:
        verdict = "" if limit is None else "<= %d" % limit if value <= limit else "> %d OVER" % limit
        print("%-19s %-8s %-5s %6d %-13s %s" % (case, peer or "", name, value, unit, verdict))


def show_json():
    for case, peer, name, value, unit, _ in rows:
        line = {"bench": "firmware", "case": case, "board": name, "n": 1, "value": value,
                "unit": unit}
        if peer:
            line["peer"] = peer
        print(json.dumps(line))


def build_for_avr(source):
    return subprocess.run([os.environ.get("CC", "cc"), "-O2", source, "-lsimavr", "-lelf", "-o",
                           work + "/" + os.path.basename(source)[:-2]],
                          stderr=subprocess.DEVNULL).returncode == 0


def main():
    avr = build_for_avr(here + "/avr-trace.c") and build_for_avr(root + "/test/firmware/avr-sweep.c")
    core()
    for name, board, prefix in boards:
        if not have(prefix + "gcc"):
            say("no %sgcc: no rows for %s" % (prefix, name))
            continue
        sizes(name, board, prefix)
        emulator = {"rv32": "qemu-system-riscv32", "avr": "true"}.get(name, "qemu-system-arm")
        if have(emulator) and (name != "avr" or avr):
            cases(name, board, prefix)
            sweeps(name, board)
        else:
            say("no emulator: only bytes for %s" % name)
    show_json() if sys.argv[1:] == ["--json"] else show()


if __name__ == "__main__":
    main()
