# pt-gdb.py - gdb commands: step over a suspension, see where a fiber stands
# SPDX-License-Identifier: MIT
#
#     cc -g -Iinclude examples/lessons/1-tasks/06-wait-complete.c -o lesson
#     gdb -x tools/pt-gdb.py lesson
#     (gdb) break countdown_pt_
#     (gdb) run
#     (gdb) pt-next
#
# A suspension returns from the function, so that `next` over one ends in the loop. pt-next is
# `next`; if that leaves the body, it lets the program run until the same frame is resumed, and
# stops where it goes on. Other tasks that run the same function do not stop it. The end of the
# body is the end of the frame: from there it stays in the loop, as `next` does.
#
#     (gdb) pt-backtrace &fiber
#
# shows the calls of a fiber that was left, from where it goes on up to its function. The program
# runs on as if nothing had been looked at.

import gdb


def body():
    """The function and the frame of the body that gdb stands in, or None."""
    frame = gdb.newest_frame()
    try:
        return frame.name(), int(frame.read_var("pt_"))
    except ValueError:
        return None


def quietly(command):
    """Run without a word of where it stopped, where gdb can (12 and later)."""
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
        """Run to where the frame goes on."""
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
    """Show where a fiber (struct pt_fiber *) that was left goes on, and who called that."""

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
