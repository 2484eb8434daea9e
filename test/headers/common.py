"""common - what the tests of the headers share
SPDX-License-Identifier: MIT
"""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = str(ROOT / "include")


def run(command, text=None):
    """What COMMAND prints, and its status. It has ten minutes."""
    try:
        done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=600, env=dict(os.environ, LC_ALL="C"))
    except subprocess.TimeoutExpired as hung:
        return f"{(hung.stdout or b'').decode()}hangs\n", 1
    return done.stdout, done.returncode


def compile_text(command, text):
    """What a compiler says of TEXT; nothing if it accepts it."""
    language = [] if "-x" in command else ["-x", "c"]
    said, status = run([*command, *language, "-fsyntax-only", "-I", INCLUDE, "-"], text)
    return said if status else ""


def installed_headers(cplusplus=False):
    """The headers that one file can include together: all but the switches, the classic API, the port for Windows, and
    what only C++ has."""
    paths = sorted((ROOT / "include/pt").rglob("*.h"), key=lambda path: (path.parent.name != "pt", str(path)))
    names = (str(path.relative_to(INCLUDE)) for path in paths)
    return [name for name in names if "/arch/" not in name and "/classic/" not in name and not name.endswith("/windows.h") and
            (cplusplus or not name.endswith("/caught.h"))]
