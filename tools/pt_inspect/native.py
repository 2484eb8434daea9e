# native.py - the C stack of a native task
# SPDX-License-Identifier: MIT

from .structs import Struct


class Stacks:
    def __init__(self, program):
        self.program = program
        self.layout = program.debugger.layout("pt_native")

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
            calls = own(self.program.debugger.stack(context))
            if calls:
                found["stack"] = found.get("stack", []) + [list(call) for call in calls]


def own(calls):
    """Without pt's functions around those of the program."""
    while calls and calls[0][0].startswith("pt_"):
        calls = calls[1:]
    for i, call in enumerate(calls):
        if call[0] == "pt_native_main_":
            return calls[:i]
    return calls
