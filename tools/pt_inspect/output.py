# output.py - runs a tool so that whatever its streams, its input and its output are, it says what is wrong
# SPDX-License-Identifier: MIT

import os
import sys
import traceback

from .memory import harmless

PIPE_CLOSED = 128 + 13  # what a shell tells of a program that SIGPIPE ends


def open_closed():
    """Put /dev/null where a stream is closed: a pipe would get its number. Returns the numbers."""
    closed = []
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            closed.append(number)
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")
    return closed


def what(fault):
    """A fault that no other part explains, in one line."""
    if isinstance(fault, OSError):
        name = "%s: " % fault.filename if isinstance(fault.filename, str) else "it cannot write: "
        return name + (fault.strerror or str(fault))
    last = traceback.extract_tb(fault.__traceback__)[-1]
    place = "%s:%d" % (os.path.basename(last.filename), last.lineno)
    return "a fault of its own: %s: %s (%s)" % (type(fault).__name__, fault, place)


def say(name, message):
    print("%s: %s" % (name, "\n".join(harmless(line) for line in message.split("\n"))), file=sys.stderr)


def attempt(name, main):
    """The status with which the tool ends."""
    try:
        if 1 in open_closed():
            say(name, "the standard output is closed")
            return 1
        sys.stdout.reconfigure(errors="replace")  # of what the terminal has no letters for
        try:
            main()
        except SystemExit as end:
            sys.stdout.flush()
            return end.code
        sys.stdout.flush()
        return 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return PIPE_CLOSED
    except Exception as fault:
        say(name, what(fault))
        return 1


def run(name, main):
    """Run MAIN, and end the process."""
    status = attempt(name, main)
    try:
        sys.stdout.flush()
    except (OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left cannot be written either
    sys.exit(status)
