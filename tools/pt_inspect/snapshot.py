# snapshot.py - a copy of what a process can write, so that it goes on while the copy is read
# SPDX-License-Identifier: MIT

import bisect
import os

from .memory import Unreadable

BYTES_MAX = 512 << 20  # of a copy: a larger process stands still while it is read


class TooLarge(Exception):
    pass


class Snapshot:
    """Made while the process stands still. What it cannot write is read later: it stays as it is."""

    def __init__(self, pid):
        self.file = os.open("/proc/%s/mem" % pid, os.O_RDONLY)
        self.starts, self.copies = [], []
        areas = list(self.writable(pid))
        if sum(end - start for start, end in areas) > BYTES_MAX:
            raise TooLarge
        for start, end in areas:
            copy = self.copy(start, end)
            if copy:
                self.starts.append(start)
                self.copies.append(copy)

    def writable(self, pid):
        with open("/proc/%s/maps" % pid) as maps:
            for line in maps:
                area, rights = line.split()[:2]
                if rights.startswith("rw"):
                    yield tuple(int(number, 16) for number in area.split("-"))

    def copy(self, start, end):
        try:
            return os.pread(self.file, end - start, start)
        except OSError:
            return b""  # a device

    def fetch(self, address, size):
        i = bisect.bisect_right(self.starts, address) - 1
        if i >= 0 and address + size <= self.starts[i] + len(self.copies[i]):
            at = address - self.starts[i]
            return self.copies[i][at : at + size]
        try:
            found = os.pread(self.file, size, address)
        except (OSError, OverflowError):
            raise Unreadable(address, size) from None
        if len(found) < size:
            raise Unreadable(address, size)
        return found

    def close(self):
        os.close(self.file)
