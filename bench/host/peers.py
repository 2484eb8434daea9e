# peers.py - builds the programs of bench host: servers, loops, the client
# SPDX-License-Identifier: MIT
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CC = os.environ.get("CC", "cc").split() + ["-O2", "-std=gnu99", "-pthread", "-I" + os.path.join(ROOT, "include")]
CXX = os.environ.get("CXX", "g++").split() + ["-O2", "-pthread"]
URING = ["-DPT_HAVE_URING", "-luring"] if os.path.exists("/usr/include/liburing.h") else []
CRATES = "/usr/share/cargo/registry"
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable  # it has Debian's uvloop

# How to build echo_WORD.c and loop_WORD.c: name, word, flags.
C = [("epoll", "epoll", []), ("eventfd", "eventfd", []), ("io_uring", "uring", ["-luring"]),
     ("uring poll", "readiness", ["-luring"]),
     ("pt", "pt", []), ("pt limit", "pt", ["-DLIMIT"]), ("pt spin", "pt", ["-DSPIN"]),
     ("pt uring", "pt", ['-DPOLLER="io_uring"']), ("pt exact", "pt", ["-DEXACT"]),
     ("libuv", "uv", ["-luv"]), ("libev", "ev", ["-lev"]),
     ("libevent", "event", ["-levent_core", "-levent_pthreads"]), ("Boost.Asio", "asio", [])]
# A variant of pt that is only an echo server or only a loop.
ONLY = {"pt limit": "echo", "pt uring": "echo", "pt exact": "loop"}


def attempt(name, command, **options):
    """Whether it succeeds; a missing peer is reported."""
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, **options)
    if done.returncode:
        print("bench: no", name, file=sys.stderr)
        if "--verbose" in sys.argv:
            print(done.stderr, file=sys.stderr)
    return done.returncode == 0


def objects(out, flags, *sources):
    """The object files of C sources."""
    made = []
    for source in sources:
        made.append(os.path.join(out, os.path.relpath(source, ROOT).replace("/", "-") + ".o"))
        subprocess.run(CC + flags + ["-c", source, "-o", made[-1]], cwd=HERE, check=True)
    return made


def build_c(out, programs):
    library = objects(out, URING, *glob.glob(os.path.join(ROOT, "lib/**/*.c"), recursive=True))
    frame = objects(out, [], os.path.join(HERE, "loop.c"))
    for name, word, flags in C:
        for kind in programs:
            source = glob.glob(os.path.join(HERE, f"{kind}_{word}.c*"))
            if not source or ONLY.get(name, kind) != kind:
                continue
            path = os.path.join(out, f"{kind}-{name.replace(' ', '-')}")
            command = (CXX if source[0].endswith(".cc") else CC) + source + (frame if kind == "loop" else [])
            if attempt(f"{name}: {kind}", command + (library + URING if word == "pt" else []) + flags + ["-o", path]):
                programs[kind][name] = [path]


def build_go(out, programs):
    environment = dict(os.environ, GO111MODULE="off", GOCACHE=os.path.join(out, "cache"))
    for kind in programs if shutil.which("go") else []:
        path = os.path.join(out, kind + "-go")
        if attempt("Go", ["go", "build", "-o", path, kind + ".go"], env=environment):
            programs[kind]["Go"] = [path]


def cargo(name, folder, out):
    """Build with Debian's cargo and rustc, and Debian's crates: nothing is downloaded. The folder of the programs."""
    if not os.path.exists("/usr/bin/cargo"):
        return None
    source = shutil.copytree(folder, os.path.join(out, os.path.basename(folder)), dirs_exist_ok=True)
    command = ["/usr/bin/cargo", "build", "--release", "--offline", "--manifest-path", source + "/Cargo.toml",
               "--config", 'source.crates-io.replace-with="debian"',
               "--config", f'source.debian.directory="{CRATES}"']
    environment = dict(os.environ, PATH="/usr/bin:/bin", CARGO_HOME=os.path.join(out, "cargo"))
    return source + "/target/release" if attempt(name, command, env=environment) else None


def build_tokio(out, programs):
    folder = cargo("Tokio", os.path.join(HERE, "tokio"), out) if glob.glob(CRATES + "/tokio-1.*") else None
    if not folder:
        print("bench: no Tokio", file=sys.stderr)
        return
    for kind in programs:
        programs[kind]["Tokio"] = [f"{folder}/{kind}"]


def build_python(programs):
    for kind in programs:
        command = [PYTHON, os.path.join(HERE, kind + "_asyncio.py")]
        programs[kind]["asyncio"] = command
        if subprocess.run([PYTHON, "-c", "import uvloop"], capture_output=True).returncode == 0:
            programs[kind]["uvloop"] = command + ["uvloop"]
        elif kind == "echo":
            print("bench: no uvloop", file=sys.stderr)


def build(out):
    """{"echo": {name: command}, "loop": {name: command}}, and the client's command."""
    programs = {"echo": {}, "loop": {}}
    client = os.path.join(out, "client")
    subprocess.run(CC + ["client.c", "-o", client], cwd=HERE, check=True)
    build_c(out, programs)
    build_go(out, programs)
    build_tokio(out, programs)
    build_python(programs)
    return programs, [client]
