# unwinder.py - in gdb: the functions that await a running body, between it and the loop in `bt`
# SPDX-License-Identifier: MIT
#
#     #0  leaf_pt_ (...) at server.c:256         runs
#     #1  middle_pt_ (self=0x...) at server.c:269    awaits it
#     #2  root_pt_ (self=0x...) at server.c:283      awaits that
#     #3  pt_loop_turn (...)
#
# A caller that awaits has no C frame: its frame is a struct, to which the inner one points. At a stop
# this finds the body on the stack, and puts a frame for each caller behind it. Such a frame has a
# place and no registers. So gdb cannot show a register or a slot of another function as the caller's:
# it says that the value is not available. What survives is in the struct. `print self->...` gets it
# there, at every level of optimization: while such a frame is selected, `self` is a macro.

import collections

import gdb
from gdb.FrameDecorator import FrameDecorator
from gdb.unwinder import Unwinder

from .debugger import bare
from .memory import Unreadable
from .tasks import Frame, Task

FRAMES_MAX = 64  # of a stack: so many of the innermost, and of the outermost frames, are looked at
STACK_MAX = 10000  # of a stack: deeper ones are not followed

# The registers of gdb that a context of a fiber keeps: pc, sp, fp, and others by their names.
REGISTERS = {
    "i386:x86-64": {"pc": "rip", "sp": "rsp", "fp": "rbp", "rbx": "rbx"},
    "i386": {"pc": "eip", "sp": "esp", "fp": "ebp"},
    "aarch64": {"pc": "pc", "sp": "sp", "fp": "x29"},
    "riscv:rv64": {"pc": "pc", "sp": "sp", "fp": "s0"},
    "riscv:rv32": {"pc": "pc", "sp": "sp", "fp": "s0"},
}


def address(number):
    """As a value of gdb, without a sign."""
    return gdb.Value(number).cast(gdb.lookup_type("char").pointer())


class Id:
    """What tells a frame from all others. SPECIAL: the address of its struct."""

    def __init__(self, sp, pc, special=None):
        self.sp, self.pc = address(sp), address(pc)
        if special is not None:
            self.special = address(special)


def frames_from(frame):
    """The frames of a stack from FRAME on outward. Behind a deep recursion in C come the body and the loop."""
    count, outermost = 0, collections.deque(maxlen=FRAMES_MAX)
    try:
        while frame and count < STACK_MAX:
            if count < FRAMES_MAX:
                yield frame
            else:
                outermost.append(frame)
            frame, count = frame.older(), count + 1
    except gdb.error:
        pass  # it cannot be followed further
    yield from outermost


def names(architecture):
    known = REGISTERS.get(architecture.name())
    if known:
        return known["pc"], known["sp"]
    return "pc", "sp"


class Caller:
    """A frame that awaits, as gdb shows it."""

    def __init__(self, frame, pc, self_name, type):
        self.frame, self.pc, self.self_name, self.type = frame, pc, self_name, type


class Awaiting(Unwinder):
    """Puts the callers behind a body, and the real caller of the body behind them."""

    def __init__(self):
        super().__init__("pt-awaiting")
        self.clear()

    def clear(self):
        self.steps = {}  # (pc, sp) of a frame: (its id, the registers of the next outer one)
        self.callers = {}  # sp of a frame that awaits: a Caller
        self.bodies = {}  # (pc, sp) of a real frame: the tasks.Frame that it runs
        self.jump = None  # the registers to which the newest frame leads, for a stack that was left

    def __call__(self, pending):
        pc_name, sp_name = names(pending.architecture())
        pc, sp = (int(pending.read_register(name)) for name in (pc_name, sp_name))
        if self.jump:
            if sp != self.jump[0]:
                return None
            id, registers = Id(1, pc), self.jump[1]
        else:
            step = self.steps.get((pc, sp))
            if not step:
                return None
            id, registers = step
        info = pending.create_unwind_info(id)
        for name, value in registers.items():
            info.add_saved_register(name, value)
        return info


AWAITING = Awaiting()
gdb.unwinder.register_unwinder(None, AWAITING, replace=True)


class Synthetic:
    """Finds the bodies on the stack of the selected thread, at each stop."""

    def __init__(self, program_of):
        self.program_of = program_of  # a function that returns the tasks.Program, or None
        self.signature = None
        self.enabled = True

    def refresh(self, force=False):
        """Look at the stack of the selected thread, unless it is as it was."""
        thread = gdb.selected_thread()
        if not thread or not thread.is_valid():
            return
        selected = self.selected_level()
        signature = self.sign(thread)
        if signature == self.signature and not force:
            return
        AWAITING.clear()
        gdb.invalidate_cached_frames()
        try:
            if self.enabled:
                self.find(self.program_of())
        except (gdb.error, Unreadable, RuntimeError, ValueError):
            AWAITING.clear()  # a stack that cannot be followed stays as gdb shows it
        gdb.invalidate_cached_frames()
        self.signature = signature
        self.select(selected)

    def sign(self, thread):
        frame = gdb.newest_frame()
        pc_name, sp_name = names(frame.architecture())
        return thread.ptid, int(frame.read_register(pc_name)), int(frame.read_register(sp_name)), self.enabled

    def selected_level(self):
        try:
            return gdb.selected_frame().level()
        except (gdb.error, AttributeError):
            return 0

    def select(self, level):
        frame = gdb.newest_frame()
        while frame and level:
            frame, level = frame.older(), level - 1
        if frame:
            frame.select()

    def forget(self):
        self.signature = None
        AWAITING.clear()

    def find(self, program):
        if not program:
            return
        program.debugger.memory.forget()
        found = []
        for frame in frames_from(gdb.newest_frame()):
            body = self.body(program, frame) if frame.type() == gdb.NORMAL_FRAME else None
            if body:
                AWAITING.bodies[self.place(frame)] = body
            if body and body.caller:
                found.append((frame, body))
        steps = {}
        for frame, body in found:
            self.insert(program, frame, body, steps)
        AWAITING.steps = steps

    def body(self, program, frame):
        """The tasks.Frame of a body that runs in FRAME, or None."""
        name = frame.name() or ""
        if not bare(name).endswith("_pt_"):
            return None
        start = frame.function()
        for variable in () if self.opens(frame) else ("pt_", "self"):
            try:
                address = int(frame.read_var(variable))
                body = Frame(program, address)
            except (gdb.error, ValueError, Unreadable, OverflowError):
                continue
            if start and body.function and body.function.name == start.name:
                return body
        return self.current(program, frame)

    def opens(self, frame):
        """Whether a frame is at the opening of its function: at -O0 its variables are those of an earlier call."""
        function = frame.function()
        return bool(function) and frame.level() == 0 and (
            frame.pc() <= gdb.find_pc_line(int(function.value().address)).last
        )

    def current(self, program, frame):
        """The top frame of the task that runs on this stack, if it is in the function of FRAME: -O2 forgets pt_."""
        from .census import Census

        debugger, function = program.debugger, frame.function()
        if not function:
            return None
        for outer in frames_from(frame.older()):
            for symbol in debugger.symbols(outer):
                body = self.top(program, debugger.leads_to(outer, symbol, "pt_task"), function)
                if body:
                    return body
        tops = [self.top(program, loop.current, function) for loop in Census(program, quick=True).loops.values()]
        tops = [top for top in tops if top]
        return tops[0] if len(tops) == 1 else None

    def top(self, program, task, function):
        """The top frame of the task at an address, if it is in a function."""
        try:
            top = task and Task(program, task).top
            body = Frame(program, top) if top else None
        except Unreadable:
            return None
        return body if body and body.function and body.function.name == function.name else None

    def insert(self, program, frame, body, steps):
        """Steps from a real frame over the callers of its body to its real caller."""
        older = frame.older()
        if not older:
            return
        architecture = frame.architecture()
        pc_name, sp_name = names(architecture)
        cfa = int(older.read_register(sp_name))
        start = frame.function().value().address
        key = self.place(frame)
        id = Id(cfa, int(start))
        address, seen = body.caller, set()
        while address and address not in seen:
            seen.add(address)
            caller = self.caller(program, Frame(program, address))
            registers = {pc_name: caller.pc, sp_name: address}
            steps[key] = (id, {name: self.value(frame, name, number) for name, number in registers.items()})
            AWAITING.callers[address] = caller
            key, id = (caller.pc, address), Id(cfa, caller.pc, address)
            address = caller.frame.caller
        steps[key] = (id, self.registers(older))

    def place(self, frame):
        pc_name, sp_name = names(frame.architecture())
        return int(frame.read_register(pc_name)), int(frame.read_register(sp_name))

    def value(self, frame, register, number):
        return gdb.Value(number).cast(frame.read_register(register).type)

    def registers(self, frame):
        """What is known of the registers of a real frame."""
        found = {}
        for register in frame.architecture().registers("general"):
            try:
                value = frame.read_register(register.name)
                if not value.is_optimized_out:
                    value.fetch_lazy()
                    found[register.name] = value
            except (gdb.error, ValueError):
                continue
        return found

    def caller(self, program, frame):
        function = frame.function
        if not function:
            return Caller(frame, frame.fn + 1, None, None)
        line = frame.line()
        return Caller(
            frame,
            self.address_of_line(function, line[1] if line else None) + 1,
            program.debugger.self_name(function),
            program.debugger.frame_type(function),
        )

    def address_of_line(self, function, line):
        """An address in a function that belongs to LINE; gdb looks one byte before it. Or its start."""
        block = gdb.block_for_pc(function.address)
        while block and not block.function:
            block = block.superblock
        if not line or not block:
            return function.address
        entries = block.function.symtab.linetable().line(line) or ()
        places = [entry.pc for entry in entries if block.start <= entry.pc < block.end]
        own = [pc for pc in places if gdb.find_pc_line(pc).line == line]  # not a later line at the same address
        outer = [pc for pc in own if not self.inlined(pc, block)]
        return (outer + own + places + [function.address])[0]

    def inlined(self, pc, function):
        """Whether an address is in a copy of another function, or of this one."""
        block = gdb.block_for_pc(pc)
        while block and not block.function:
            block = block.superblock
        return not block or block.start != function.start

    # --- `self` in a frame that awaits

    def selected(self):
        """The Caller that is selected, or None."""
        try:
            frame = gdb.selected_frame()
            _, sp_name = names(frame.architecture())
            caller = AWAITING.callers.get(int(frame.read_register(sp_name)))
        except gdb.error:
            return None
        return caller if caller and caller.pc == frame.pc() else None

    def define_names(self):
        """Let `self` and pt_ mean the struct of the selected frame if it awaits, and no local have a value."""
        self.forget_names()
        caller = self.selected()
        if not caller:
            return self.define_lost()
        gdb.set_convenience_variable("unavailable", "<unavailable>")
        values = {name: "$unavailable" for name in self.variables(caller)}
        values["pt_"] = "((struct pt *) 0x%x)" % caller.frame.address
        if caller.self_name and caller.type:
            values[caller.self_name] = "((%s *) 0x%x)" % (caller.type, caller.frame.address)
        for name, value in values.items():
            gdb.execute("macro define %s %s" % (name, value), to_string=True)
            self.macros.append(name)

    def forget_names(self):
        """Behind a command they must mean what they mean: in the condition of a breakpoint, too."""
        for name in self.macros:
            gdb.execute("macro undef " + name, to_string=True)
        self.macros = []

    def define_lost(self):
        """Let `self` mean the struct of a body that runs, where the compiler has dropped the variable."""
        frame = gdb.selected_frame()
        body = AWAITING.bodies.get(self.place(frame))
        if not body or not frame.function() or frame.function().name != body.function.name:
            return
        debugger = body.program.debugger
        name, type = debugger.self_name(body.function), debugger.frame_type(body.function)
        try:
            lost = name and frame.read_var(name).is_optimized_out
        except (gdb.error, ValueError):
            return
        if lost and type:
            gdb.execute("macro define %s ((%s *) 0x%x)" % (name, type, body.address), to_string=True)
            self.macros.append(name)

    def variables(self, caller):
        """The names of the parameters and locals around the place of a frame; of those that fields of its struct have,
        too, only the ones for which gdb would find a value: `self->count` must not become `self->$unavailable`."""
        block, found = gdb.block_for_pc(caller.pc - 1), set()
        layout = caller.type and caller.frame.program.debugger.layout_of(caller.type)
        fields = {name for path in layout.fields for name in path.split(".")} if layout else ()
        while block:
            found |= {
                symbol.name
                for symbol in block
                if (symbol.is_variable or symbol.is_argument) and symbol.addr_class != gdb.SYMBOL_LOC_STATIC
            }
            if block.function:
                break
            block = block.superblock
        return {name for name in found if name not in fields or self.has_value(name)}

    def has_value(self, name):
        try:
            value = gdb.selected_frame().read_var(name)
            return not value.is_optimized_out
        except (gdb.error, ValueError):
            return False

    macros = ()

    def hide_arguments(self):
        """gdb's own line for a frame has the parameters: leave them out where some would be another function's."""
        if AWAITING.callers and self.shown is None:
            self.shown = gdb.parameter("print frame-arguments")
            gdb.execute("set print frame-arguments presence")

    def show_arguments(self):
        if self.shown is not None:
            gdb.execute("set print frame-arguments " + self.shown)
            self.shown = None

    shown = None


class Argument:
    def __init__(self, name, value):
        self.name, self.content = name, value

    def symbol(self):
        return self.name

    def value(self):
        return self.content


class Decorator(FrameDecorator):
    """A frame that awaits: it has `self` as its argument, and no locals."""

    def __init__(self, base, caller):
        super().__init__(base)
        self.caller = caller

    def frame_args(self):
        if not self.caller.type:
            return None
        pointer = gdb.Value(self.caller.frame.address).cast(self.caller.type.pointer())
        return [Argument(self.caller.self_name or "self", pointer)]

    def frame_locals(self):
        return None


class Filter:
    name = "pt-awaiting"
    priority = 100
    enabled = True

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        before = None
        for frame in frames:
            inferior = frame.inferior_frame()
            _, sp_name = names(inferior.architecture())
            caller = AWAITING.callers.get(int(inferior.read_register(sp_name)))
            if caller and caller.pc == inferior.pc():
                if caller is before:
                    continue  # the compiler has put a copy of the function into itself: one frame is enough
                frame = Decorator(frame, caller)
            before = caller
            yield frame


def left_stack(context):
    """[(pc, sp, (function, file, line))] of the calls on a stack that was left at CONTEXT, innermost first."""
    newest = gdb.newest_frame()
    known = REGISTERS.get(newest.architecture().name())
    if not known or not context.get("pc"):
        return []
    _, sp_name = names(newest.architecture())
    registers = {
        register: gdb.Value(context[key]).cast(newest.read_register(register).type)
        for key, register in known.items()
        if context.get(key) is not None
    }
    sp = int(newest.read_register(sp_name))
    AWAITING.jump = (sp, registers)
    gdb.invalidate_cached_frames()
    calls = []
    try:
        frame = gdb.newest_frame().older()
        while frame and len(calls) < FRAMES_MAX:
            sal = frame.find_sal()
            file = sal.symtab.fullname() if sal.symtab else None
            call = frame.name() or "0x%x" % frame.pc(), file, sal.line if file else None
            calls.append((frame.pc(), int(frame.read_register(sp_name)), call))
            frame = frame.older()
    except gdb.error:
        pass  # it cannot be followed further
    finally:
        AWAITING.jump = None
        gdb.invalidate_cached_frames()
    return calls
