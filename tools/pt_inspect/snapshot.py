# snapshot.py - a copy of what a process can write, so that it goes on while the copy is read
# SPDX-License-Identifier: MIT
#
# The copy is a core file in memory, which gdb reads like any other. While the process stands still only its pages that
# exist are copied, many by one system call: it takes a few milliseconds, and no page comes into being, there or here.

import bisect
import ctypes
import mmap
import os
import re
import tempfile
from array import array

from . import core_file
from .memory import Unreadable

BYTES_MAX = 512 << 20  # of a copy: a larger process stands still while it is read
SPAN_MAX = BYTES_MAX << 7  # of a segment: a sanitizer's is larger
PAGE = mmap.PAGESIZE
GAP = 16 << 20  # bytes between two areas of one segment
STEP = 1 << 20  # bytes of the table of pages that are read together
VECTORS = 1024  # IOV_MAX
RELOCATED_MAX = 4 << 20  # bytes of an area that the loader has relocated

# The last byte of a page's entry. A guard is SWAPPED, but has no contents.
PRESENT, SWAPPED, OF_FILE, GUARD = 0x80, 0x40, 0x20, 0x04
EXISTS = bytes(bool(one & PRESENT or one & SWAPPED and not one & GUARD) for one in range(256))
WRITTEN = bytes(EXISTS[one] and not one & OF_FILE for one in range(256))
RUN = re.compile(b"\1+")
ROW = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) (...)(.) ([0-9a-f]+) \S+ (\d+) *(.*)$", re.M)

LIBC = ctypes.CDLL(None, use_errno=True)


class TooLarge(Exception):
    pass


class Area:
    """A mapping of the process. SEGMENT: that of the copy in which it is; None: it is not copied."""

    segment = None

    def __init__(self, row):
        start, end, self.rights, self.sharing, offset, inode, self.path = row
        self.start, self.end, self.offset, self.inode = int(start, 16), int(end, 16), int(offset, 16), int(inode)

    def is_writable(self):
        return self.rights.startswith("rw")

    def is_of_file(self):
        return self.inode != 0 and self.sharing == "p"


class Segment:
    """Areas near each other: gdb finds one of few segments at once. PLACE: where it is in the core file."""

    def __init__(self, area, whole):
        self.start, self.end, self.whole, self.place, self.runs = area.start, area.end, whole, 0, []


class Pages:
    """Which pages of a process exist; where the system does not tell, all do."""

    def __init__(self, pid):
        try:
            self.file = os.open("/proc/%s/pagemap" % pid, os.O_RDONLY)
        except OSError:
            self.file = None

    def close(self):
        if self.file is not None:
            os.close(self.file)

    def runs(self, start, end, kind=EXISTS):
        """[start, end] of each run of such pages between two addresses."""
        found = []
        for at in range(start, end, STEP // 8 * PAGE):
            size = min(STEP, (end - at) // PAGE * 8)
            for match in RUN.finditer(self.entries(at, size)[7::8].translate(kind)):
                first, last = at + match.start() * PAGE, at + match.end() * PAGE
                if found and found[-1][1] == first:
                    found[-1][1] = last
                else:
                    found.append([first, last])
        return found

    def entries(self, at, size):
        try:
            return os.pread(self.file, size, at // PAGE * 8)
        except (OSError, TypeError):
            return b"\xff" * size


class Snapshot:
    """Memory for a copy of a process; take() one while it stands still; then finish() it. What the process cannot write,
    stays as it is."""

    def __init__(self, pid):
        """The process goes on. The pages of the copy come into being now: that takes twice as long as to copy them."""
        self.pid, self.files = pid, {}
        self.file = os.open("/proc/%s/mem" % pid, os.O_RDONLY)
        self.plan({})
        self.room()
        for segment in self.segments:
            shift = segment.place - segment.start
            for start, end in segment.runs:
                for at in range(shift + start, shift + end, PAGE):
                    self.copy[at] = 0

    def take(self, registers):
        """REGISTERS: of its threads, for gdb."""
        self.plan(registers)
        if self.core.size > len(self.copy):  # it has mapped memory meanwhile
            os.close(self.descriptor)
            self.room()
        self.gather()

    def plan(self, registers):
        """What is copied, and its places in the copy."""
        self.areas = self.find_areas()
        self.segments = list(self.choose())
        self.runs = [run for segment in self.segments for run in segment.runs]  # the rest of an area is zero
        if sum(end - start for start, end in self.runs) > BYTES_MAX:
            raise TooLarge
        self.core = core_file.Core(self.pid, registers, self.segments)

    def find_areas(self):
        with open("/proc/%s/maps" % self.pid, errors="surrogateescape") as maps:
            return [Area(row) for row in ROW.findall(maps.read())]

    def choose(self):
        """The segments: of what can be written, and what the loader has relocated. Areas that share their memory with
        other processes are copied whole: pages can exist that this process has not touched."""
        pages, segments, joins = Pages(self.pid), [], False
        for area in self.areas:
            if area.rights == "---":
                continue
            joins = self.is_chosen(area, pages) and self.join(segments, area, joins)
        for segment in segments:
            if segment.end - segment.start > SPAN_MAX:
                raise TooLarge
            whole = [[segment.start, segment.end]]
            segment.runs = whole if segment.whole else pages.runs(segment.start, segment.end)
        pages.close()
        return segments

    def is_chosen(self, area, pages):
        if area.is_writable() or area.path == "[vdso]":
            return True
        small = area.rights == "r--" and area.is_of_file() and area.end - area.start <= RELOCATED_MAX
        return small and bool(pages.runs(area.start, area.end, WRITTEN))

    def join(self, segments, area, joins):
        """Put an area into the last segment, if that JOINS and is near, or into a new one; whether that one joins."""
        whole = area.sharing == "s" or area.path == "[vdso]"
        if whole or not joins or area.start - segments[-1].end > GAP:
            segments.append(Segment(area, whole))
        area.segment = segments[-1]
        area.segment.end = area.end
        return not whole

    def room(self):
        """Memory of which only the pages that are written will exist."""
        try:
            descriptor = os.memfd_create("pt-ps")
        except (AttributeError, OSError):
            descriptor = os.dup(tempfile.TemporaryFile().fileno())
        try:
            os.truncate(descriptor, self.core.size)
            self.copy = mmap.mmap(descriptor, self.core.size)
        except (OSError, OverflowError):
            os.close(descriptor)
            raise TooLarge from None
        self.descriptor = descriptor
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.copy))

    def gather(self):
        """Copy the runs, many by one system call. Of a call that fails, one run is copied by itself."""
        pieces = [(segment.place - segment.start, *run) for segment in self.segments for run in segment.runs]
        self.calls = at = 0
        while at < len(pieces):
            some = pieces[at : at + VECTORS]
            local, remote = array("L"), array("L")
            for shift, start, end in some:
                local.extend((self.base + shift + start, end - start))
                remote.extend((start, end - start))
            vectors = [ctypes.c_void_p(one.buffer_info()[0]) for one in (local, remote)]
            count = ctypes.c_ulong(len(some))
            self.calls += 1
            got = LIBC.process_vm_readv(int(self.pid), vectors[0], count, vectors[1], count, ctypes.c_ulong(0))
            for _, start, end in some:
                if got < end - start:
                    self.copy_one(*pieces[at])
                    at += 1
                    break
                got -= end - start
                at += 1

    def copy_one(self, shift, start, end):
        """Without the pages that cannot be read: a device's, or those before Linux 6.15 that are guards."""
        for at in range(start, end, PAGE):
            try:
                self.calls += 1
                self.copy[shift + at : shift + at + PAGE] = os.pread(self.file, PAGE, at)
            except (OSError, IndexError):
                pass

    # --- when it has gone on

    def finish(self):
        """Read the pages of its files that it has not touched, and make the copy a core file."""
        for area in self.areas:
            if area.segment and area.is_of_file():
                at = area.start
                for start, end in [*self.existing(area.start, area.end), (area.end, area.end)]:
                    data = self.of_file(area, at, start - at)
                    self.view(area, at, len(data))[:] = data
                    at = end
        self.copy[: len(self.core.head)] = self.core.head
        written = [area for area in self.areas if area.segment and area.is_writable()]
        self.starts = [area.start for area in written]
        self.copies = [self.view(area, area.start, area.end - area.start) for area in written]
        self.all_starts = [area.start for area in self.areas]
        self.stacks = set(self.find_stacks())

    def find_stacks(self):
        guarded = 0
        for area in self.areas:
            if area.start == guarded or area.path == "[stack]":
                yield area.start
            guarded = area.end if area.rights == "---" else 0

    def is_stack(self, start):
        """Whether an area is a stack of the system, or has a guard below."""
        return start in self.stacks

    def view(self, area, address, size):
        at = area.segment.place + address - area.segment.start
        return memoryview(self.copy)[at : at + size]

    def of_file(self, area, address, size):
        """The contents of the file of an area; nothing if there is another file now."""
        if size <= 0:
            return b""
        key = area.path, area.inode
        if key not in self.files:
            self.files[key] = self.open(*key)
        try:
            return os.pread(self.files[key], size, area.offset + address - area.start)
        except (OSError, TypeError):
            return b""

    def open(self, path, inode):
        try:
            file = os.open("/proc/%s/root%s" % (self.pid, path), os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return None
        if os.fstat(file).st_ino == inode:
            return file
        os.close(file)
        return None

    def existing(self, start, end):
        """[start, end] of each part of an area that was copied."""
        i = max(bisect.bisect_right(self.runs, [start, end]) - 1, 0)
        while i < len(self.runs) and self.runs[i][0] < end:
            first, last = max(start, self.runs[i][0]), min(end, self.runs[i][1])
            if first < last:
                yield first, last
            i += 1

    def fetch(self, address, size):
        found = b""
        while size:
            area = self.area(address)
            if not area or area.rights == "---":
                raise Unreadable(address, size)
            some = min(size, area.end - address)
            found += self.part(area, address, some)
            address, size = address + some, size - some
        return found

    def area(self, address):
        i = bisect.bisect_right(self.all_starts, address) - 1
        return self.areas[i] if i >= 0 and address < self.areas[i].end else None

    def part(self, area, address, size):
        if area.segment:
            return bytes(self.view(area, address, size))
        found = self.of_file(area, address, size) if area.is_of_file() else b""
        if len(found) == size:
            return found
        try:
            found = os.pread(self.file, size, address)
        except (OSError, OverflowError):
            raise Unreadable(address, size) from None
        if len(found) < size:
            raise Unreadable(address, size)
        return found

    def close(self):
        for file in (self.file, self.descriptor, *self.files.values()):
            if file is not None:
                os.close(file)
