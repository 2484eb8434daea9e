#!/usr/bin/env python3
# measure.py - bench http and bench kv: servers on pt compared with others, in one run
# SPDX-License-Identifier: MIT
"""Server and client have a core each, and 64 connections. First each server gets as much as it can take; then all
take turns in each round, at half of the rate of the slowest, by a fixed schedule: a latency counts from the time at
which its request was due. A ratio is of pt and a peer in the same round; a figure is the median of the rounds."""
import argparse
import json
import os
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from programs import build  # noqa: E402

CONNECTIONS = 64
CORES = os.cpu_count() or 1
RIVALS = ["Node", "Go", "hyper", "Redis"]  # nginx and the floor are only beside
LIMITS = {"http": 0.9, "kv": 0.95}
KEYS = ("rate", "cpu", "p50", "p99", "p999")


def pinned(core):
    return ["taskset", "-c", str(core)] if shutil.which("taskset") else []


def connect(port, tls, patience=10):
    end = time.monotonic() + patience
    while True:
        try:
            plain = socket.create_connection(("127.0.0.1", port), timeout=10)
            if not tls:
                return plain
            trusting = ssl.create_default_context()
            trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
            return trusting.wrap_socket(plain)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def fill(port, tls):
    """Give a store its two values."""
    with connect(port, tls) as store:
        for key, size in (("small", 100), ("large", 64 << 10)):
            store.sendall(b"*3\r\n$3\r\nSET\r\n$5\r\n%s\r\n$%d\r\n%s\r\n" % (key.encode(), size, b"x" * size))
            if store.recv(100) != b"+OK\r\n":
                sys.exit("bench: a SET has failed")


class Server:
    """A running server, killed at the end of the block."""

    def __init__(self, command, word, tls):
        command = command(tls)
        command, self.port = command if isinstance(command, tuple) else (command, None)
        self.process = subprocess.Popen(pinned(CORES - 1) + command, stdout=subprocess.PIPE, text=True)
        self.word, self.tls = word, tls

    def __enter__(self):
        if self.port is None:
            self.port = int(self.process.stdout.readline())
        connect(self.port, self.tls).close()
        if self.word == "kv":
            fill(self.port, self.tls)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def load(self, client, what, rate, seconds):
        """What the client says, as KEYS; None if it fails."""
        words = [self.port, self.process.pid, CONNECTIONS, seconds, rate] + (["tls"] if self.tls else []) + [what]
        run = subprocess.run(pinned(0) + client + [str(word) for word in words], capture_output=True, text=True,
                             timeout=60)
        said = [float(word) for word in run.stdout.split()]
        if len(said) != len(KEYS):
            print("bench: the client has failed:", run.stderr.strip(), file=sys.stderr)
            return None
        return dict(zip(KEYS, said))


def take_turns(servers, word, client, tls, what, rate, seconds):
    said = {}
    for name, command in servers.items():
        with Server(command, word, tls) as server:
            said[name] = server.load(client, what, rate, seconds)
    return {name: run for name, run in said.items() if run}


def median(values):
    return statistics.median(list(values))


def row(options, case, name, middle, ratio, rate):
    if options.json:
        for key, unit in (("cpu", "ns"), ("p50", "us"), ("p99", "us"), ("p999", "us")):
            print(json.dumps({"bench": options.word, "case": case, "name": name, "figure": key, "value": middle[key],
                              "unit": unit, "rate": rate or round(middle["rate"])}), flush=True)
        return
    verdict = ""
    if rate and name in RIVALS:
        limit = LIMITS[options.word]
        verdict = f"  <= {limit}: {'ok' if ratio <= limit else 'over'}"
    latency = f"p50 {middle['p50']:8.0f} p99 {middle['p99']:8.0f} p99.9 {middle['p999']:8.0f} us"
    print(f"{case:15} {rate or 'full':>7} {name:6} {middle['cpu'] / 1000:8.2f} us {middle['rate']:8.0f} /s  {latency}"
          f"  pt: {ratio:4.2f} x{verdict}", flush=True)


def report(options, case, rounds, rate):
    for name in rounds[0]:
        runs = [(said[name], said["pt"]) for said in rounds if name in said and "pt" in said]
        if runs:
            middle = {key: median(run[key] for run, _ in runs) for key in KEYS}
            row(options, case, name, middle, median(pt["cpu"] / run["cpu"] for run, pt in runs), rate)


def measure(options, out):
    servers, client = build(out, options.word)
    for tls in (False, True):
        for size in ("small", "large"):
            case = f"{options.word}-{size}{'-tls' if tls else ''}"
            if options.only not in (None, case):
                continue
            what = ("/" if options.word == "http" else "") + size

            def turns(rate):
                return take_turns(servers, options.word, client, tls, what, rate, options.seconds)

            full = [turns(0) for _ in range(options.rounds)]
            report(options, case, full, None)
            rate = round(min(median(said[name]["rate"] for said in full if name in said) for name in full[0]) / 2)
            report(options, case, [turns(rate) for _ in range(options.rounds)], rate)


def main():
    parser = argparse.ArgumentParser(prog="bench/run")
    parser.add_argument("word", choices=LIMITS)
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1, help="of each run")
    parser.add_argument("--only", metavar="CASE", help="such as http-small, http-large-tls, kv-small")
    parser.add_argument("--verbose", action="store_true", help="why a peer cannot be built")
    options = parser.parse_args()
    out = os.environ.get("BENCH_DIR") or tempfile.mkdtemp()
    os.makedirs(out, exist_ok=True)
    try:
        measure(options, os.path.abspath(out))
    finally:
        if not os.environ.get("BENCH_DIR"):
            shutil.rmtree(out)


main()
