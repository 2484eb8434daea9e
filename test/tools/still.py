# still.py - in gdb: what pt-ps does while a process stands still, and what that leaves in the process
# SPDX-License-Identifier: MIT
#
#     python PID = 123; TASKS = 1000        then: source still.py. It prints "well" if all holds.
import os
import re
import sys

sys.path.insert(0, os.environ["TOOLS"])
from pt_inspect import session, snapshot, still  # noqa: E402

made = []


def counted(call):
    def count(*arguments):
        made.append(call.__name__)
        return call(*arguments)

    return count


class Watched(still.Still):
    """While the process stands still there is no gdb, and calls are counted."""

    def __enter__(self):
        super().__enter__()
        session.gdb, session.Gdb, snapshot.os.pread = None, None, counted(kept[2])
        return self

    def __exit__(self, *result):
        super().__exit__(*result)
        session.gdb, session.Gdb, snapshot.os.pread = kept


class Counted(snapshot.Snapshot):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        made.extend(["process_vm_readv"] * self.calls)
        self.copied = sum(end - start for start, end in self.runs)
        copies.append(self)


def size(*names):
    """Bytes of the process."""
    with open("/proc/%s/status" % PID) as file:  # noqa: F821
        return sum(int(row[1]) << 10 for row in re.findall(r"^(\w+):\s+(\d+) kB$", file.read(), re.M) if row[0] in names)


kept, copies = (session.gdb, session.Gdb, snapshot.os.pread), []
session.Still, session.Snapshot = Watched, Counted
asked = {"kind": "pid", "target": str(PID), "program": "/proc/%s/exe" % PID, "fields": False}  # noqa: F821
asked.update(loop=[], ticks=None, stuck=False)
session.prepare()
session.load(asked)
session.warm(asked)
own = "RssAnon", "RssShmem", "VmSwap", "VmPTE"
before, whole = size(*own), size("VmRSS", "VmSwap")
found = session.look(asked)
tasks, grown = len(found["loops"][0]["tasks"]), size(*own) - before
print("%d tasks, %d calls, %d of %d bytes, %d more" % (tasks, len(made), copies[0].copied, whole, grown))
if tasks == TASKS and len(made) < 100 + 8 * tasks and copies[0].copied <= whole + 65536 and grown <= 65536:  # noqa: F821
    print("well")
