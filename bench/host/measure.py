#!/usr/bin/env python3
# measure.py - echo over TCP: pt beside raw epoll and others, in one run: measure.py [--json] [--rounds N]
# SPDX-License-Identifier: MIT
"""Servers and client have a core each. In each round every server answers the same client, one after
another; a ratio is of a server and the raw one of the same round, and the figure is their median."""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
CC = os.environ.get("CC", "cc").split()
CASES = [(1, 5000), (100, 50000), (1000, 50000), (10000, 50000)]
LIMITS = {"pt": ("echo", 1.03), "pt timeout": ("echo-timeout", 1.06)}


def build(out):
    """The servers that there are: name -> command."""
    lib = os.path.join(ROOT, "lib")
    parts = [os.path.join(lib, f) for f in os.listdir(lib) if f.endswith(".c")]
    parts += [os.path.join(lib, "poll", f) for f in os.listdir(os.path.join(lib, "poll")) if f.endswith(".c")]
    include = ["-I" + os.path.join(ROOT, "include")]
    program = {
        "client": CC + ["-O2", "-std=gnu99", "client.c"],
        "epoll": CC + ["-O2", "-std=gnu99", "echo_epoll.c"],
        "pt": CC + ["-O2", "-std=gnu99", "-pthread", "echo_pt.c"] + include + parts,
        "libuv": CC + ["-O2", "-std=gnu99", "echo_uv.c", "-luv"],
        "libev": CC + ["-O2", "-std=gnu99", "echo_ev.c", "-lev"],
        "libevent": CC + ["-O2", "-std=gnu99", "echo_event.c", "-levent_core"],
        "Boost.Asio": ["c++", "-O2", "echo_asio.cc", "-pthread"],
    }
    servers = {}
    for name, command in program.items():
        path = os.path.join(out, name)
        done = subprocess.run(command + ["-o", path], cwd=HERE, capture_output=True)
        if done.returncode == 0:
            servers[name] = [path]
        else:
            print("bench: no", name, file=sys.stderr)
    servers["pt timeout"] = servers["pt"] + ["timeout"]
    servers["pt spin"] = servers["pt"] + ["spin"]
    if shutil.which("go"):
        path = os.path.join(out, "go")
        env = dict(os.environ, GO111MODULE="off", GOCACHE=os.path.join(out, "cache"))
        if subprocess.run(["go", "build", "-o", path, "echo.go"], cwd=HERE, env=env).returncode == 0:
            servers["Go"] = [path]
    servers["asyncio"] = [sys.executable, os.path.join(HERE, "echo_asyncio.py")]
    return servers


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def pinned(core):
    return ["taskset", "-c", str(core)] if shutil.which("taskset") else []


def measure(client, command, connections, requests):
    cores = os.cpu_count() or 1
    server = subprocess.Popen(pinned(cores - 1) + command, stdout=subprocess.PIPE, text=True)
    try:
        port = server.stdout.readline().strip()
        before = resident(server.pid)
        run = subprocess.run(pinned(0) + client + [port, str(connections), str(requests), str(server.pid)],
                             capture_output=True, text=True, timeout=120)
        values = [float(word) for word in run.stdout.split()]
        if len(values) != 4:
            return None
        rate, median, late, cpu = values
        return {"rate": rate, "p50": median, "p99": late, "cpu": cpu,
                "bytes": (resident(server.pid) - before) / connections}
    finally:
        server.kill()
        server.wait()


def report(name, connections, runs, raw, as_json):
    ratio = statistics.median(run["cpu"] / base["cpu"] for run, base in zip(runs, raw))
    faster = statistics.median(run["rate"] / base["rate"] for run, base in zip(runs, raw))
    middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
    case, limit = LIMITS.get(name, ("echo", None))
    if connections == 10000 and as_json and name == "pt":
        print(json.dumps({"bench": "host", "case": "bytes-conn", "n": connections,
                          "value": round(middle["bytes"]), "unit": "bytes"}))
    if as_json:
        row = {"bench": "host", "case": "echo-spin" if name == "pt spin" else case, "n": connections,
               "value": round(faster if name == "pt spin" else ratio, 3), "unit": "ratio"}
        if not name.startswith("pt"):
            row["peer"] = name
        print(json.dumps(row), flush=True)
        return
    told = ""
    if limit and connections > 1:
        told = f"  <= {limit}: {'ok' if ratio <= limit else 'over'}"
    print(f"{name:11} {connections:6} {middle['rate']:9.0f}/s ({faster:5.2f} x) p50 {middle['p50']:8.1f} "
          f"p99 {middle['p99']:8.1f} us  cpu {middle['cpu']:6.0f} ns = {ratio:5.3f} x epoll  {middle['bytes']:6.0f} bytes{told}", flush=True)


def main():
    as_json = "--json" in sys.argv
    rounds = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else 5
    with tempfile.TemporaryDirectory() as out:
        servers = build(out)
        client = servers.pop("client")
        for connections, requests in CASES:
            runs = {name: [] for name in servers}
            for _ in range(rounds):
                got = {name: measure(client, command, connections, requests)
                       for name, command in servers.items()}
                for name, run in got.items():
                    if run and got["epoll"]:
                        runs[name].append((run, got["epoll"]))
            for name, pairs in runs.items():
                if pairs:
                    report(name, connections, [p[0] for p in pairs], [p[1] for p in pairs], as_json)


main()
