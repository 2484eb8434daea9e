# snapshot.py - a copy of what a process can write, so that it goes on while the copy is read
# SPDX-License-Identifier: MIT

import bisect
import mmap
import os

from .memory import Unreadable

BYTES_MAX = 512 << 20  # of a copy: a larger process stands still while it is read
PAGE = mmap.PAGESIZE
NORESERVE = 0x4000  # MAP_NORESERVE of Linux, which this module of Python does not name
LARGE = 1 << 20  # of a larger area, such as a stack, only the pages that exist are copied
STEP = 1 << 16  # bytes of a table of pages that are looked at together
PRESENT, SWAPPED = 0x80, 0x40  # in the last byte of a page's entry


class TooLarge(Exception):
    pass


class Snapshot:
    """Made while the process stands still. What it cannot write is read later: it stays as it is."""

    def __init__(self, pid):
        self.file = os.open("/proc/%s/mem" % pid, os.O_RDONLY)
        self.starts, self.copies = [], []
        self.runs = []  # [start, end] of what was copied: the rest of an area is zero
        self.stacks = set()  # the starts of areas that are stacks of the system or have a guard below
        areas = [(start, end, self.parts(pid, start, end, file)) for start, end, file in self.writable(pid)]
        if sum(end - start for _, _, parts in areas for start, end in parts) > BYTES_MAX:
            raise TooLarge
        for start, end, parts in areas:
            copy = self.copy(start, end, parts)
            if copy:
                self.starts.append(start)
                self.copies.append(copy)

    def writable(self, pid):
        guarded = 0
        with open("/proc/%s/maps" % pid) as maps:
            for line in maps:
                area, rights, _, _, file = line.split()[:5]
                start, end = (int(number, 16) for number in area.split("-"))
                if rights.startswith("---"):
                    guarded = end
                if rights.startswith("rw"):
                    if start == guarded or line.endswith("[stack]\n"):
                        self.stacks.add(start)
                    yield start, end, file != "0"

    def is_stack(self, start):
        return start in self.stacks

    def parts(self, pid, start, end, file):
        """[start, end] of each part that exists; a page of a FILE does, also if it was not touched."""
        if file or end - start <= LARGE:
            return [[start, end]]
        if end - start > BYTES_MAX << 7:
            raise TooLarge  # a sanitizer's
        try:
            with open("/proc/%s/pagemap" % pid, "rb", buffering=0) as table:
                return list(self.present(table, start, end))
        except OSError:
            return [[start, end]]

    def present(self, table, start, end):
        run = None
        table.seek(start // PAGE * 8)
        for at in range(start, end, STEP // 8 * PAGE):
            entries = table.read(min(STEP, (end - at) // PAGE * 8))
            for i in range(7, len(entries), 8) if any(entries) else ():
                if not entries[i] & (PRESENT | SWAPPED):
                    continue
                page = at + i // 8 * PAGE
                if run and run[1] == page:
                    run[1] += PAGE
                    continue
                if run:
                    yield run
                run = [page, page + PAGE]
        if run:
            yield run

    def copy(self, start, end, parts):
        try:
            if parts == [[start, end]]:
                copy = os.pread(self.file, end - start, start)
                self.runs.append([start, start + len(copy)])
                return copy
            copy = self.room(end - start)
            for first, last in parts:
                copy[first - start : last - start] = os.pread(self.file, last - first, first)
            self.runs += parts
            return copy
        except (OSError, IndexError):
            return b""  # a device

    def room(self, size):
        """Memory of which only the pages that are written will exist."""
        try:
            return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE)
        except OSError:
            raise TooLarge from None

    def existing(self, start, end):
        """[start, end] of each part of an area that was copied."""
        i = max(bisect.bisect_right(self.runs, [start, end]) - 1, 0)
        while i < len(self.runs) and self.runs[i][0] < end:
            first, last = max(start, self.runs[i][0]), min(end, self.runs[i][1])
            if first < last:
                yield first, last
            i += 1

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
