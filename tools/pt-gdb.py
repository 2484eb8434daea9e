# pt-gdb.py - gdb loads it, and has commands for tasks: info pt-tasks, pt-bt, pt-next ...
# SPDX-License-Identifier: MIT
#
#     gdb -x tools/pt-gdb.py program
#
# Beside an installed libpt gdb loads it by itself. `help pt-bt`, or the man page pt-gdb(7).
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(os.path.expanduser(__file__))))

import pt_inspect.commands  # noqa: E402

pt_inspect.commands.load()
