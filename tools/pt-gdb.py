# pt-gdb.py - gdb commands: step over a suspension, show where a fiber is suspended
# SPDX-License-Identifier: MIT
#
#     cc -g -Iinclude examples/lessons/1-tasks/05-wait-complete.c -o lesson
#     gdb -x tools/pt-gdb.py lesson
#     (gdb) break countdown_pt_
#     (gdb) run
#     (gdb) pt-next
#
# A suspension returns from the function, so `next` over a suspension ends in the loop. pt-next
# runs `next`. If that leaves the body, pt-next runs the program until the same frame is resumed,
# and stops there. Other tasks that run the same function do not stop it. If the body has ended,
# pt-next stays in the loop, as `next` does.
#
#     (gdb) pt-backtrace &fiber
#
# shows the call stack of a suspended fiber. It does not change the program's state.

import gdb


def body():
    """The function and the frame of the body in which gdb has stopped, or None."""
    frame = gdb.newest_frame()
    try:
        return frame.name(), int(frame.read_var("pt_"))
    except ValueError:
        return None


def quietly(command):
    """Run COMMAND; gdb 12 and later does not print where it stopped."""
    try:
        gdb.execute("with suppress-cli-notifications on -- " + command, to_string=True)
    except gdb.error:
        gdb.execute(command, to_string=True)


def alive():
    return gdb.selected_thread() is not None


class Next(gdb.Command):
    """Step to the next line of a resumable function, over a suspension if there is one."""

    def __init__(self):
        super().__init__("pt-next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        here = body()
        if not here:
            raise gdb.GdbError("pt-next: not in the body of a PT_ASYNC")
        quietly("next")
        if alive() and body() != here and not self.done(here[1]):
            self.resumed(here)
        gdb.execute("frame" if alive() else "info program")

    def done(self, address):
        """Whether the frame has ended: its label is then the largest there is."""
        label = gdb.parse_and_eval("((struct pt *)%d)->label" % address)
        return int(label) == 256 ** label.type.sizeof - 1

    def resumed(self, here):
        """Run until the frame is resumed."""
        again = gdb.Breakpoint(here[0], internal=True)
        again.condition = "pt_ == (struct pt *)%d" % here[1]
        quietly("continue")
        if again.is_valid():
            again.delete()
        if alive() and body() == here:
            opening = gdb.newest_frame().find_sal().line
            while gdb.newest_frame().find_sal().line == opening:
                quietly("next")  # the dispatch jumps from the opening line to the label


class Backtrace(gdb.Command):
    """Show the call stack of a suspended fiber (struct pt_fiber *)."""

    FRAME_POINTERS = {"i386:x86-64": "rbp", "i386": "ebp", "aarch64": "x29"}

    def __init__(self):
        super().__init__("pt-backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        context = gdb.parse_and_eval(argument)["context"]
        fp = self.FRAME_POINTERS[gdb.newest_frame().architecture().name()]
        registers = {"sp": context["sp"], fp: context["fp"], "pc": context["pc"]}
        gdb.newest_frame().select()
        before = {name: int(gdb.parse_and_eval("(long)$" + name)) for name in registers}
        self.put({name: int(value) for name, value in registers.items()})
        try:
            gdb.execute("backtrace")
        finally:
            self.put(before)

    def put(self, registers):
        for name, value in registers.items():
            gdb.execute("set $%s = %d" % (name, value))


Next()
Backtrace()
