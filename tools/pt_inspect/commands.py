# commands.py - in gdb: info pt-tasks, pt-bt, pt-frame, pt-print, pt-next, pt-finish
# SPDX-License-Identifier: MIT

import contextlib
import re

import gdb

from . import report, text
from .census import Census
from .gdb_side import Gdb, plain
from .lists import Damaged
from .memory import Unreadable
from .native import Stacks
from .tasks import Program
from .unwinder import Filter, Synthetic, left_stack


class State:
    """What the commands share."""

    def __init__(self):
        self.key = None
        self.program = None
        self.task = None  # that pt-bt showed last
        self.level = 0  # of its frames

    def current(self):
        """The Program, with a fresh look at its memory; None if there is none."""
        key = gdb.current_progspace().filename, gdb.selected_inferior().pid, len(gdb.objfiles())
        if key != self.key:
            try:
                self.key, self.program = key, Program(Gdb())
            except (LookupError, gdb.error):
                self.key, self.program = key, None
        if self.program:
            self.program.debugger.forget()
            self.program.complaints.clear()
        return self.program

    def need(self):
        program = self.current()
        if not program:
            raise gdb.GdbError("the program does not use pt, or it has no debug information")
        return program

    def find(self, argument):
        """The task that the user means: an expression, a name, or nothing: the one that runs."""
        census = Census(self.need())
        if not argument:
            if self.task and self.task.address in census.tasks:
                return census.tasks[self.task.address]
            for task in census.tasks.values():
                if task.state() == "RUNNING":
                    return task
            raise gdb.GdbError("no task runs: name one; info pt-tasks lists them")
        named = [task for task in census.tasks.values() if task.name() == argument]
        if len(named) == 1:
            return named[0]
        if named:
            raise gdb.GdbError("%d tasks have this name; take an address: %s" % (
                len(named), ", ".join("0x%x" % task.address for task in named)))
        try:
            address = self.program.debugger.evaluate(argument)
        except gdb.error as fault:
            raise gdb.GdbError("no task has the name %s (info pt-tasks lists them): %s" % (argument, fault))
        if address not in census.tasks:
            raise gdb.GdbError("there is no task that is alive at 0x%x: info pt-tasks lists them" % address)
        return census.tasks[address]

    def frames(self):
        if not self.task:
            self.task, self.level = self.find(""), 0
        return list(self.task.frames())

    def frame(self):
        frames = self.frames()
        return frames[min(self.level, len(frames) - 1)]


STATE = State()
SYNTHETIC = Synthetic(STATE.current)


def quietly(command):
    """Run COMMAND; gdb 12 and later does not print where it stopped."""
    try:
        gdb.execute("with suppress-cli-notifications on -- " + command, to_string=True)
    except gdb.error:
        gdb.execute(command, to_string=True)


def alive():
    return gdb.selected_thread() is not None


@contextlib.contextmanager
def utf8():
    """Whatever the user's language is, the names in a program are UTF-8: gdb raises an error for others."""
    before = gdb.parameter("host-charset")
    gdb.execute("set host-charset UTF-8")
    try:
        yield
    finally:
        gdb.execute("set host-charset " + before)


class Command(gdb.Command):
    """The text below each class is what gdb's help prints."""

    kind = gdb.COMMAND_STACK

    def __init__(self):
        super().__init__(self.name, self.kind)

    def invoke(self, argument, from_tty):
        try:
            with utf8():
                self.run(argument.strip())
        except (Damaged, Unreadable, gdb.error, re.error, OverflowError, RecursionError, ValueError) as fault:
            raise gdb.GdbError(str(fault)) from None


class Tasks(Command):
    """Show every task: its await stack, and what it waits for.
Usage: info pt-tasks [REGEX]
REGEX: only tasks with this name, or in a function with this name."""

    name, kind = "info pt-tasks", gdb.COMMAND_STATUS

    def run(self, argument):
        program = STATE.need()
        found = report.Report(Census(program), stack=Stacks(program).add).build()
        apart = report.look_alike(found)
        if argument:
            report.only(found, re.compile(argument))
        report.tell_apart(found, apart)
        gdb.write("\n".join(text.lines(found)) + "\n")


class Backtrace(Command):
    """Show the await stack of a task, innermost first, and select it for pt-frame and pt-print.
Usage: pt-bt [TASK]
TASK: a name, or an expression that gives the task's address. Without it: the task that was selected
last, or the one that runs. Of a native task, its C stack, too."""

    name = "pt-bt"

    def run(self, argument):
        STATE.task, STATE.level = STATE.find(argument), 0
        for level in range(len(STATE.frames())):
            gdb.write(frame_line(level) + "\n")
        found = {}
        Stacks(STATE.program).add(STATE.task, found)
        for call in found.get("stack", ()):
            gdb.write("    in %s\n" % text.call_place(call))


def frame_line(level):
    reporter = report.Report.__new__(report.Report)
    reporter.fields = False
    return "#%-3d%s" % (level, text.place(reporter.frame(STATE.frames()[level])))


class SelectFrame(Command):
    """Select a function of the task that pt-bt showed, and print the fields of its frame.
Usage: pt-frame N"""

    name = "pt-frame"

    def run(self, argument):
        count = len(STATE.frames())
        if not re.fullmatch("[0-9]{1,9}", argument) or int(argument) >= count:
            raise gdb.GdbError("pt-frame takes a number from 0 to %d" % (count - 1))
        STATE.level = int(argument)
        gdb.write(frame_line(STATE.level) + "\n")
        frame = STATE.frame()
        for name, value in STATE.program.debugger.frame_fields(frame.function, frame.address):
            gdb.write("    %s = %s\n" % (name, value))


class Print(Command):
    """Print an expression in the function that pt-bt or pt-frame has selected.
Usage: pt-print [EXPRESSION]
In EXPRESSION `self` is that function's frame. Locals do not survive a suspension: there are none.
Without EXPRESSION: the frame."""

    name, kind = "pt-print", gdb.COMMAND_DATA

    def run(self, argument):
        frame = STATE.frame()
        type = frame.function and STATE.program.debugger.frame_type(frame.function)
        if not type:
            raise gdb.GdbError("the struct of %s is not known" % (frame.name or "the function"))
        gdb.set_convenience_variable("pt_self", gdb.Value(frame.address).cast(type.pointer()))
        name = STATE.program.debugger.self_name(frame.function) or "self"
        expression = re.sub(r"(?<![\w$.>])%s\b" % name, "$pt_self", argument or "*" + name)
        try:
            gdb.execute("print " + expression)
        except gdb.error as fault:
            raise gdb.GdbError(str(fault))


def body():
    """The function and the frame of the body in which gdb has stopped, or None."""
    frame = gdb.newest_frame()
    try:
        return frame.name(), int(frame.read_var("pt_"))
    except (ValueError, gdb.error):
        return None


def done(address):
    """Whether a frame has ended: its label is then the largest there is."""
    label = gdb.parse_and_eval("((struct pt *)%d)->label" % address)
    return int(label) == 256 ** label.type.sizeof - 1


def leaving():
    """Whether gdb stands where a body returns: a suspension jumps there, which is not its next line. A body that has
    come to PT_END stands before that."""
    frame = gdb.newest_frame()
    block = frame.block()
    while not block.function:
        block = block.superblock
    sal = frame.find_sal()
    return sal.symtab.filename != block.function.symtab.filename or sal.pc == gdb.find_pc_line(block.end - 1).pc


def resumed(function, address):
    """Run until the frame at ADDRESS is resumed, and over the jump to its label."""
    again = gdb.Breakpoint(function, internal=True)
    again.condition = "pt_ == (struct pt *)%d" % address
    quietly("continue")
    if again.is_valid():
        again.delete()
    if alive() and body() == (function, address):
        opening = gdb.newest_frame().find_sal().line
        while alive() and body() == (function, address) and (
            gdb.newest_frame().find_sal().line == opening or leaving()
        ):
            quietly("next")  # the dispatch jumps from the opening line to the label


def can_run(name):
    if not alive() or not gdb.selected_inferior().pid or "core" in gdb.execute("info target", to_string=True)[:200]:
        raise gdb.GdbError(name + ": the program does not run")


class Next(Command):
    """Step to the next line of a resumable function, over a suspension if there is one.
Usage: pt-next
Outside of a body: run until the function that pt-bt or pt-frame selected is resumed."""

    name, kind = "pt-next", gdb.COMMAND_RUNNING

    def run(self, argument):
        can_run("pt-next")
        here = body()
        if here:
            quietly("next")
            while alive() and body() == here and leaving():
                quietly("next")
            if alive() and body() != here and not done(here[1]):
                resumed(*here)
        elif STATE.task:
            frame = STATE.frame()
            resumed(frame.function.name, frame.address)
        else:
            raise gdb.GdbError("pt-next: not in the body of a PT_ASYNC, and no task is selected: pt-bt TASK")
        gdb.execute("frame" if alive() else "info program")


class Finish(Command):
    """Run until a resumable function has ended, and stop in the one that awaits it.
Usage: pt-finish
In a body: this function. Outside of one: the function that pt-bt or pt-frame has selected. If no other
awaits it, gdb stops where its task ends."""

    name, kind = "pt-finish", gdb.COMMAND_RUNNING

    def run(self, argument):
        can_run("pt-finish")
        here = body()
        if not here and not STATE.task:
            raise gdb.GdbError("pt-finish: not in the body of a PT_ASYNC, and no task is selected: pt-bt TASK")
        program = STATE.need()
        from .tasks import Frame

        frame = Frame(program, here[1] if here else STATE.frame().address)
        if frame.caller:
            caller = Frame(program, frame.caller)
            resumed(caller.function.name, caller.address)
        else:
            self.ended(frame)
        gdb.execute("frame" if alive() else "info program")

    def ended(self, frame):
        field = "((struct pt *)%d)->label" % frame.address
        label = gdb.parse_and_eval(field)
        watch = gdb.Breakpoint(
            "*(%s *)%d" % (label.type, int(label.address)), gdb.BP_WATCHPOINT, gdb.WP_WRITE, internal=True
        )
        watch.condition = "%s == %d" % (field, 256 ** label.type.sizeof - 1)
        quietly("continue")
        if watch.is_valid():
            watch.delete()


class FiberBacktrace(Command):
    """Show the call stack of a suspended fiber.
Usage: pt-backtrace FIBER
FIBER: an expression of type struct pt_fiber *. It changes nothing in the program."""

    name = "pt-backtrace"

    def run(self, argument):
        context = gdb.parse_and_eval(argument)["context"]
        fields = {field.name for field in plain(context.type).fields()}
        registers = {name: int(context[name]) for name in ("pc", "sp", "fp", "rbx") if name in fields}
        for level, (_, _, call) in enumerate(left_stack(registers)):
            gdb.write("#%-3d%s\n" % (level, text.call_place(call)))


PRINTING = ("print", "output", "inspect", "call", "printf", "x", "ptype", "whatis", "display")

# gdb runs hook-NAME before its command NAME, and hookpost-NAME behind it.
HOOKS = {
    "before_stack": "hook-backtrace",
    "before_frame": "hook-up hook-down hook-frame",
    "behind_frame": "hookpost-up hookpost-down hookpost-frame",
    "before_print": " ".join("hook-" + name for name in PRINTING),
    "behind_print": " ".join("hookpost-" + name for name in PRINTING),
    "before_run": "hook-finish hook-until hook-advance hook-return",
    "before_locals": "info hook-locals info hook-args",
}


def before_stack():
    SYNTHETIC.show_arguments()  # gdb runs no hook behind an `up` that fails
    SYNTHETIC.refresh()


def before_frame():
    SYNTHETIC.refresh()
    SYNTHETIC.hide_arguments()


def behind_frame():
    SYNTHETIC.show_arguments()


def before_print():
    SYNTHETIC.refresh()
    SYNTHETIC.define_names()


def behind_print():
    SYNTHETIC.forget_names()


def before_prompt():
    """Behind a command that has failed."""
    behind_frame()
    behind_print()


def before_locals():
    SYNTHETIC.refresh()
    caller = SYNTHETIC.selected()
    if caller:
        name = caller.self_name or "self"
        raise gdb.GdbError("<unavailable>: this frame awaits, and its locals did not survive: print *%s" % name)


def before_run():
    """These commands run to the caller of the selected frame: it must be the one that the processor knows."""
    if SYNTHETIC.selected():
        raise gdb.GdbError("this frame awaits: pt-finish runs until it is resumed")
    from .unwinder import AWAITING

    AWAITING.clear()
    SYNTHETIC.signature = None
    gdb.invalidate_cached_frames()


def stopped(event):
    SYNTHETIC.show_arguments()
    STATE.task, STATE.level = None, 0
    SYNTHETIC.forget()
    with utf8():
        SYNTHETIC.refresh()


class Hook(Command):
    """What the hooks of gdb's own commands call.
Usage: pt-hook NAME"""

    name, kind = "pt-hook", gdb.COMMAND_OBSCURE

    def run(self, argument):
        globals()[argument]()


loaded = False


def load():
    """Define the commands, once: each of several programs in one gdb may load them."""
    global loaded
    if loaded:
        return
    loaded = True
    for command in (Tasks, Backtrace, SelectFrame, Print, Next, Finish, FiberBacktrace, Hook):
        command()
    Filter()
    gdb.events.stop.connect(stopped)
    gdb.events.before_prompt.connect(before_prompt)
    for function, hooks in HOOKS.items():
        for name in re.findall(r"(?:info )?\S+", hooks):
            try:
                gdb.execute("define %s\npt-hook %s\nend" % (name, function), to_string=True)
            except gdb.error:
                pass  # this gdb has no such command
