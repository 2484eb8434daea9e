# state.py - what is known at an instruction: the depth of the stack, and registers
# SPDX-License-Identifier: MIT

from collections import namedtuple


class Refused(Exception):
    """What has no bound, and the cure."""


class Lost(Refused):
    """An instruction behind which it is not known where the program goes on: a note cannot bound what follows."""


# What an instruction does. kind: next, jump, branch (or the next), call, return, stop; through: it calls the first of
# the targets, which goes on at one of the others. TARGETS: addresses, or None for those of a pointer. FALLS: the next
# instruction can follow, too.
Effect = namedtuple("Effect", "kind targets falls")
NEXT = Effect("next", (), True)
STOP = Effect("stop", (), False)


class State:
    """DEPTH: the bytes on the stack since the entry. A register is ("stack", depth), ("number", value), or unknown."""

    def __init__(self, depth=0, registers=None):
        self.depth = depth
        self.registers = dict(registers or {})

    def copy(self):
        return State(self.depth, self.registers)

    def knows(self, register, kind):
        """The register's value, if it is of this kind; else None."""
        what = self.registers.get(register)
        return what[1] if what and what[0] == kind else None

    def set(self, register, kind, value):
        self.registers[register] = (kind, value)

    def forget(self, *registers):
        for register in registers:
            self.registers.pop(register, None)

    def meet(self, other):
        """Keep what both know; whether less is known than before."""
        kept = {key: value for key, value in self.registers.items() if other.registers.get(key) == value}
        less = len(kept) < len(self.registers)
        self.registers = kept
        return less
