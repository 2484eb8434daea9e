# native.py - the C stack of a native task
# SPDX-License-Identifier: MIT

from .memory import Unreadable
from .structs import Struct

MAIN = "pt_native_main_"  # the outermost call: pt's own, which calls the program's function
FRAME_MAX = 1 << 20  # bytes of a call whose return address is looked for


class Known:
    """Stacks of the same calls, which the debugger follows once: a server has thousands, in a few places. Two have the
    same calls if their return addresses are equal, and equally far from where the innermost call stands."""

    def __init__(self, debugger):
        self.debugger = debugger
        self.stacks = {}  # pc: [([(distance, return address)], calls)]

    def calls(self, context):
        """[Function name, file, line] of the program's calls on a stack that was left at CONTEXT."""
        known = self.stacks.setdefault(context["pc"], [])
        for returns, calls in known:
            if self.same(context["sp"], returns):
                return calls
        stack = self.debugger.stack(context)
        for i, (_, _, call) in enumerate(stack):
            if call[0] == MAIN:
                stack = stack[: i + 1]
                break
        calls = own([call for _, _, call in stack])
        returns = self.returns(stack)
        if returns is not None:
            known.append((returns, calls))
        return calls

    def same(self, sp, returns):
        memory, word = self.debugger.memory, self.debugger.word
        try:
            return all(memory.number(sp + distance, word) == pc for distance, pc in returns)
        except Unreadable:
            return False

    def returns(self, stack):
        """[(distance, return address)] of a stack; None if one is not in memory. A call that is inlined has none."""
        memory, word, found = self.debugger.memory, self.debugger.word, []
        for (_, sp, _), (pc, end, _) in zip(stack, stack[1:]):
            if sp == end:
                continue
            places = range(end - word, sp - 1, -word) if end - sp <= FRAME_MAX else ()
            place = next((at for at in places if memory.number(at, word) == pc), None)
            if place is None:
                return None
            found.append((place - stack[0][1], pc))
        return found


class Stacks:
    def __init__(self, program):
        self.program = program
        self.layout = program.debugger.layout("pt_native")
        self.known = Known(program.debugger)

    def contexts(self, task):
        """The contexts of the native frames of a task that does not run, innermost first."""
        if not self.layout or task.state() in ("RUNNING", "DONE", "IDLE"):
            return
        for frame in task.frames():
            if frame.name == "pt_native" and frame.place not in ("start", "done"):
                yield Struct(self.program.debugger, self.layout, frame.address)

    def add(self, task, found):
        """Put the calls of a native task into its part of a report."""
        for native in self.contexts(task):
            context = {
                register: native.get("fiber.context." + register) for register in ("pc", "sp", "fp", "rbx")
            }
            calls = self.known.calls(context)
            if calls:
                found["stack"] = found.get("stack", []) + [list(call) for call in calls]


def own(calls):
    """Without pt's functions around those of the program."""
    while calls and calls[0][0].startswith("pt_"):
        calls = calls[1:]
    return [call for call in calls if call[0] != MAIN]
