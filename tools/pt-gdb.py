# pt-gdb.py - gdb loads it, and has commands for tasks: info pt-tasks, pt-bt, pt-next ...
# SPDX-License-Identifier: MIT
#
#     gdb -x tools/pt-gdb.py program
#
# Beside an installed libpt gdb loads it by itself. `help pt-bt`, or the man page pt-gdb(7).
import os
import sys

import gdb

_here = os.path.dirname(os.path.realpath(os.path.expanduser(__file__)))
if _here not in sys.path:
    sys.path.insert(0, _here)

if not hasattr(gdb, "pt_loaded"):  # each of several programs with libpt loads it
    gdb.pt_loaded = True
    import pt_inspect.commands

    gdb.execute("python import pt_inspect.commands")
    pt_inspect.commands.install()
