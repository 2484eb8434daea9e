# libraries.py - in gdb: the symbols of a process's libraries, after gdb has left it
# SPDX-License-Identifier: MIT
#
# gdb forgets the libraries of a process when it leaves it. Those with functions of pt are added again, as files: else
# nobody knows that a task waits in pt_read_line, nor that a loop runs on the clock of the system.

import mmap
import os

import gdb

MARKS = (b"pt_loop", b"_pt_\0")  # in the symbols or the debug information of a file that uses pt


def uses_pt(path):
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return data[:4] == b"\x7fELF" and any(data.find(mark) >= 0 for mark in MARKS)
    except (OSError, ValueError):
        return False  # it was replaced meanwhile, or is empty


class Libraries:
    """Made while the process stands still: where they are."""

    def __init__(self, pid):
        self.places = {}  # path: the address of its begin
        self.added = []
        with open("/proc/%s/maps" % pid) as maps:
            rows = [line.rstrip("\n").split(None, 5) for line in maps]
        program = os.path.realpath("/proc/%s/exe" % pid)
        for row in rows:
            if len(row) == 6 and row[5][0] == "/" and row[5] != program and int(row[2], 16) == 0:
                start = int(row[0].split("-")[0], 16)
                self.places.setdefault("/proc/%s/root%s" % (pid, row[5]), start)

    def add(self):
        for path, start in self.places.items():
            if uses_pt(path):
                try:
                    gdb.execute('add-symbol-file "%s" -o %d' % (path, start), to_string=True)
                    self.added.append(os.path.realpath(path))  # as gdb names it
                except gdb.error:
                    pass  # it has no symbols: its functions stay addresses

    def remove(self):
        """Before gdb finds them again by itself."""
        for path in self.added:
            gdb.execute('remove-symbol-file "%s"' % path, to_string=True)
        self.added = []
