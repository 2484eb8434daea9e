# core_file.py - the head of a core file: where its segments are, and the registers of the threads
# SPDX-License-Identifier: MIT

import os
import struct

CORE, LOAD, NOTE = 4, 1, 4  # ET_CORE, PT_LOAD, PT_NOTE
PRSTATUS, AUXV = 1, 6  # kinds of notes
UNALIGNED = 0xFFFF  # more segments than this have no number in the head
PAGE = 65536  # at least the system's


class Form:
    """How an ELF file of this kind is written. STATUS: of a struct elf_prstatus, the bytes before the registers, where
    the thread's number is in them, and the bytes behind."""

    def __init__(self, head):
        self.head, self.wide = head, head[4] == 2
        self.order = "<" if head[5] == 1 else ">"
        self.status = (112, 32, 8) if self.wide else (72, 24, 4)

    def pack(self, form, *values):
        return struct.pack(self.order + form, *values)

    def header(self, count):
        machine, version = struct.unpack_from(self.order + "HI", self.head, 18)
        (flags,) = struct.unpack_from(self.order + "I", self.head, 48 if self.wide else 36)
        sizes = (64, 56) if self.wide else (52, 32)
        word = "Q" if self.wide else "I"
        return self.head[:16] + self.pack(
            "HHI3" + word + "IHHHHHH", CORE, machine, version, 0, sizes[0], 0, flags, *sizes, count, 0, 0, 0
        )

    def program_header(self, kind, place, address, size, align):
        rights = 6 if kind == LOAD else 0
        memory = size if kind == LOAD else 0
        if self.wide:
            return self.pack("II6Q", kind, rights, place, address, 0, size, memory, align)
        return self.pack("8I", kind, place, address, 0, size, memory, rights, align)

    def note(self, kind, data):
        return self.pack("III", 5, len(data), kind) + b"CORE\0\0\0\0" + data + bytes(-len(data) % 4)

    def thread(self, number, registers):
        before, place, behind = self.status
        head = bytearray(before)
        struct.pack_into(self.order + "I", head, place, number)
        return self.note(PRSTATUS, bytes(head) + registers + bytes(behind))


def read(path, size=-1):
    with open(path, "rb") as file:
        return file.read(size)


class Core:
    """The core file of a process; it gives each of the SEGMENTS its place. SIZE: of the file."""

    def __init__(self, pid, registers, segments):
        form = Form(read("/proc/%s/exe" % pid, 64))
        notes = b"".join(form.thread(*thread) for thread in sorted(registers.items(), key=lambda one: one[0] != int(pid)))
        notes += form.note(AUXV, read("/proc/%s/auxv" % pid))
        if len(segments) >= UNALIGNED:
            raise OSError("too many segments")
        head = form.header(len(segments) + 1)
        at = len(head) + (len(segments) + 1) * len(form.program_header(NOTE, 0, 0, 0, 1))
        head += form.program_header(NOTE, at, 0, len(notes), 4)
        at = -(-(at + len(notes)) // PAGE) * PAGE
        for segment in segments:
            segment.place, size = at, segment.end - segment.start
            head += form.program_header(LOAD, at, segment.start, size, PAGE)
            at += -(-size // PAGE) * PAGE
        self.head, self.size = head + notes, at
