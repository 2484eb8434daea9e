# still.py - in gdb: what pt-ps does while a process stands still, and what that leaves in the process
# SPDX-License-Identifier: MIT
#
#     python PID = 123; TASKS = 1000        then: source still.py. It prints "well" if all holds.
import os
import re
import resource
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
    def take(self, registers):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        super().take(registers)
        self.faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
        made.extend(["process_vm_readv"] * self.calls)
        self.copied = sum(end - start for start, end in self.runs)
        copies.append(self)


class Growing(snapshot.Snapshot):
    """Of a process that maps what it can write when the copy's memory is ready."""

    def find_areas(self):
        areas = super().find_areas()
        if not hasattr(self, "areas"):
            return [area for area in areas if not area.is_writable()]
        return areas


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
pages = copies[0].copied // snapshot.PAGE
print("%d pages, %d of them came into being in the copy meanwhile" % (pages, copies[0].faults))
session.Snapshot = Growing
grown_tasks = len(session.look(asked)["loops"][0]["tasks"])
print("%d tasks where the process had mapped memory just before" % grown_tasks)
little = len(made) < 100 + 8 * tasks and copies[0].copied <= whole + 65536 and copies[0].faults < 16 + pages / 8
if tasks == grown_tasks == TASKS and little and grown <= 65536:  # noqa: F821
    print("well")
