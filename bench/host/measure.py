#!/usr/bin/env python3
# measure.py - bench host: pt compared with raw epoll and other libraries, in one run
# SPDX-License-Identifier: MIT
"""Server and client have a core each, and so have a loop and the thread that wakes it. In each round all
programs take turns, but for the rockets, which sleep most of their nine seconds and fly at the same time. A
ratio is of a program and its yardstick in the same round; a figure is the median of the rounds."""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from peers import build  # noqa: E402

ECHOES = [(1, 5000), (100, 50000), (1000, 50000), (10000, 50000)]
ECHO_NAMES = {"pt limit": "echo-timeout", "pt spin": "echo-spin", "pt uring": "echo-uring"}
ECHO_LIMITS = {"pt": 1.03, "pt limit": 1.06}
SPIN_RATE, BYTES, CALLS = 2.0, 200, 2.0
# word of the program: (case, n, unit, limits of programs, the yardstick of the limits)
LOOPS = {"yield": ("yield", 1000, "ns", {}, None), "timeout": ("timers", 100000, "ns", {}, None),
         "wake": ("wake", None, "ns", {"pt": 1.05, "pt spin": 500}, "epoll"),
         "rockets": ("rockets-real", 10000, "ms", {"pt": 30}, None)}
CORES = os.cpu_count() or 1
WAITS = re.compile("epoll_p?wait2?$|poll$|select")


class Report:
    """The rows, as a table or as objects."""

    def __init__(self, as_json):
        self.as_json = as_json

    def row(self, case, n, name, value, unit, told=None, limit=None, least=False, against=None):
        """AGAINST: what is compared with the limit, if not the value; TOLD: further text for the table."""
        if self.as_json:
            row = {"bench": "host", "case": case, "n": n, "value": round(value, 3), "unit": unit}
            if name.split()[0] != "pt":
                row["peer"] = name
            if row["n"] is None:
                del row["n"]
            print(json.dumps(row), flush=True)
            return
        verdict, held = "", value if against is None else against
        if limit is not None:
            good = held >= limit if least else held <= limit
            verdict = f"  {'>=' if least else '<='} {limit}: {'ok' if good else 'over' if not least else 'under'}"
        print(f"{case:13} {n if n is not None else '':>6} {name:11} {value:9.2f} {unit:6}{told or ''}{verdict}", flush=True)


def pinned(core):
    return ["taskset", "-c", str(core)] if shutil.which("taskset") else []


def median(values):
    return statistics.median(list(values))


# --- echo -------------------------------------------------------------------------------------------


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def ask(client, port, connections, requests, pid):
    """The client's output: requests a second, two quantiles in us, processor time of the server in ns."""
    run = subprocess.run(pinned(0) + client + [port, str(connections), str(requests), str(pid)],
                         capture_output=True, text=True, timeout=120)
    return [float(word) for word in run.stdout.split()]


def serve(client, command, connections, requests):
    server = subprocess.Popen(pinned(CORES - 1) + command, stdout=subprocess.PIPE, text=True)
    try:
        port = server.stdout.readline().strip()
        before = resident(server.pid)
        said = ask(client, port, connections, requests, server.pid)
        if len(said) != 4:
            return None
        return dict(zip(("rate", "p50", "p99", "cpu"), said), bytes=(resident(server.pid) - before) / connections)
    finally:
        server.kill()
        server.wait()


def report_echo(report, name, n, runs, raw):
    case = ECHO_NAMES.get(name, "echo")
    cpu, rate = (median(run[key] / base[key] for run, base in zip(runs, raw)) for key in ("cpu", "rate"))
    middle = {key: median(run[key] for run in runs) for key in runs[0]}
    told = f"p50 {middle['p50']:8.1f} p99 {middle['p99']:8.1f} us, {rate:5.2f} x the requests a second"
    if name == "pt spin" and n == 1:
        told = f"as fast as epoll by the median: {middle['p50']:.1f} us, {cpu:.2f} x the CPU"
        faster = median(base["p50"] / run["p50"] for run, base in zip(runs, raw))
        report.row(case, n, name, faster, "ratio", told, SPIN_RATE, least=True)
    elif name != "pt spin":
        report.row(case, n, name, cpu, "ratio", told, ECHO_LIMITS.get(name) if n > 1 else None)
    if case == "echo":
        if report.as_json:
            for key, unit in (("p50", "us"), ("p99", "us"), ("cpu", "ns")):
                report.row("echo-" + key, n, name, middle[key], unit)
        if n == 10000:
            report.row("bytes-conn", n, name, middle["bytes"], "bytes", None, BYTES if name == "pt" else None)


def measure_echo(report, client, servers, rounds):
    for n, requests in ECHOES:
        runs = {name: [] for name in servers}
        for _ in range(rounds):
            got = {name: serve(client, command, n, requests) for name, command in servers.items()}
            for name, run in got.items():
                if run and got["epoll"]:
                    runs[name].append((run, got["epoll"]))
        for name, pairs in runs.items():
            if pairs:
                report_echo(report, name, n, *zip(*pairs))


# --- system calls -----------------------------------------------------------------------------------


def count_calls(client, command, connections, requests, out):
    """How many system calls the server makes, and how many of them wait, counted by strace."""
    table = os.path.join(out, "calls")
    tracer = subprocess.Popen(pinned(CORES - 1) + ["strace", "-f", "-c", "-U", "calls,name", "-o", table] + command,
                              stdout=subprocess.PIPE, text=True)
    port = tracer.stdout.readline().strip()
    ask(client, port, connections, requests, tracer.pid)
    with open(f"/proc/{tracer.pid}/task/{tracer.pid}/children") as file:
        os.kill(int(file.read().split()[0]), 9)
    tracer.wait()
    with open(table) as file:
        rows = [line.split() for line in file if re.match(r" *\d+ \w+$", line) and "total" not in line]
    return sum(int(calls) for calls, _ in rows), sum(int(calls) for calls, name in rows if WAITS.match(name))


def measure_calls(report, client, servers, out):
    if not shutil.which("strace"):
        print("bench: no strace: no syscalls row", file=sys.stderr)
        return
    servers = {name: command for name, command in servers.items() if name not in ECHO_NAMES}
    for n, more in ((1, 2000), (100, 20000)):
        for name, command in servers.items():
            first, last = (count_calls(client, command, n, n + requests, out) for requests in (0, more))
            calls, waits = ((b - a) / more for a, b in zip(first, last))
            report.row("syscalls", n, name, calls, "calls", f"{waits:5.2f} of them to wait",
                       CALLS + 0.02 if name == "pt" else None, against=calls - waits)


# --- the loop without descriptors -----------------------------------------------------------------------


def start(command, word):
    return subprocess.Popen(pinned(CORES - 1) + command + [word], stdout=subprocess.PIPE, text=True)


def take_turns(loops, word):
    return {name: start(command, word).communicate()[0] for name, command in loops.items()}


def at_once(loops, word):
    flying = {name: start(command, word) for name, command in loops.items()}
    return {name: process.communicate()[0] for name, process in flying.items()}


def applies(word, name):
    return {"pt spin": word == "wake", "pt exact": word == "rockets"}.get(name, True)


def measure_loops(report, loops, word, rounds):
    case, n, unit, limits, yardstick = LOOPS[word]
    chosen = {name: command for name, command in loops.items() if applies(word, name)}
    said = [(at_once if word == "rockets" else take_turns)(chosen, word) for _ in range(rounds)]
    for name in chosen:
        runs = [(float(run[name]), float(run[yardstick] if yardstick else 1)) for run in said if run[name].strip()]
        if not runs:
            continue
        value, limit = median(a for a, _ in runs), limits.get(name)
        ratio = median(a / b for a, b in runs)
        multiple = yardstick and (limit or 0) < 10
        report.row(case + {"pt spin": "-spin", "pt exact": "-exact"}.get(name, ""), n, name, value, unit,
                   f"{ratio:5.2f} x {yardstick}" if yardstick else None, limit, against=ratio if multiple else None)


def measure(options, out):
    report = Report(options.json)
    programs, client = build(out)
    for word in LOOPS:
        if options.only in (None, word):
            measure_loops(report, programs["loop"], word, options.rounds if word != "rockets" else 1)
    if options.only in (None, "echo"):
        measure_echo(report, client, programs["echo"], options.rounds)
    if options.only in (None, "syscalls"):
        measure_calls(report, client, programs["echo"], out)


def main():
    parser = argparse.ArgumentParser(prog="bench/run host")
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["echo", "syscalls", *LOOPS])
    parser.add_argument("--verbose", action="store_true", help="why a peer cannot be built")
    options = parser.parse_args()
    out = os.environ.get("BENCH_DIR") or tempfile.mkdtemp()
    os.makedirs(out, exist_ok=True)
    try:
        measure(options, out)
    finally:
        if not os.environ.get("BENCH_DIR"):
            shutil.rmtree(out)


main()
