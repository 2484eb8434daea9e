# build.py - in gdb: whether the program that was given is the one that runs, or has left the core
# SPDX-License-Identifier: MIT

import re
import struct

import gdb

from . import dwarf

NOTE, BUILD_ID = 4, 3  # PT_NOTE, NT_GNU_BUILD_ID
WORDS = {  # by the bytes of a pointer: the size of the ELF header; of a program header the offset and size in the file
    8: (64, "8xQ16xQ"),
    4: (52, "4xI8xI"),
}


def build_id(notes, order):
    """The build ID in a section or segment of notes; or None."""
    at = 0
    while at + 16 <= len(notes):
        name, size, kind = struct.unpack_from(order + "III", notes, at)
        start = at + 12 + (name + 3) // 4 * 4
        if kind == BUILD_ID and notes[at + 12 : start] == b"GNU\0":
            return notes[start : start + size].hex()
        at = start + (size + 3) // 4 * 4
    return None


def in_memory(order, word):
    """The build ID of the program in memory, whose program headers the system has passed to it; or None."""
    passed = dict(re.findall(r"\b(AT_PH\w+) .* (\w+)$", gdb.execute("info auxv", to_string=True), re.M))
    headers, count, size = (int(passed[key], 0) for key in ("AT_PHDR", "AT_PHNUM", "AT_PHENT"))
    before, form = WORDS[word]
    memory = gdb.selected_inferior()
    for at in range(headers, headers + count * size, size):
        header = bytes(memory.read_memory(at, size))
        if struct.unpack_from(order + "I", header)[0] == NOTE:
            offset, length = struct.unpack_from(order + form, header)
            found = build_id(bytes(memory.read_memory(headers - before + offset, length)), order)
            if found:
                return found
    return None


def of_file(path):
    """(build ID, byte order, bytes of a pointer) of an ELF file; or None."""
    try:
        file = dwarf.Sections(path)
        found = build_id(file.section(".note.gnu.build-id"), file.order)
    except dwarf.DAMAGED:
        return None
    return found and (found, file.order, 8 if file.wide else 4)


def differs(given, path, what, running=None):
    """The warning that the file at PATH is not WHAT runs, or has run; or None, also if that is not known. GIVEN: what
    of_file has found. RUNNING: the path of the program of a process."""
    try:
        if running:
            runs = (of_file(running) or [None])[0]
        else:
            runs = given and in_memory(*given[1:])
    except (gdb.error, gdb.MemoryError, KeyError, struct.error):
        return None
    if not runs or not given or runs == given[0]:
        return None
    return "%s is another build than %s: what follows can be wrong (its build ID is %s, not %s)" % (
        path, what, given[0], runs)  # fmt: skip
