# debugger.py - what the model needs of a debugger; gdb_side.py is gdb's
# SPDX-License-Identifier: MIT
#
# Nothing here knows of pt. A port to another debugger is a class with these methods. An address is a
# number as the debugger counts it; the two functions for addresses turn a pointer in memory into one.


def bare(name):
    """The name of a function without its parameters: "(anonymous namespace)::f" of "(anonymous namespace)::f(int)"."""
    namespace = "(anonymous namespace)"
    return name.replace(namespace, "<>").split("(")[0].replace("<>", namespace)


class Function:
    """A function of the program; FILE and LINE are None without debug information."""

    def __init__(self, name, address, file=None, line=None):
        self.name, self.address, self.file, self.line = name, address, file, line


class Variable:
    """A variable of the program, of a struct type or an array of it; TYPE is the debugger's own."""

    def __init__(self, name, address, size, type):
        self.name, self.address, self.size, self.type = name, address, size, type


class Debugger:
    memory = None  # a memory.Memory
    word = 8  # bytes of a pointer

    def forget(self):
        """The program has run meanwhile."""
        self.memory.forget()

    def data_address(self, pointer):
        return pointer

    def code_address(self, pointer):
        return pointer

    def layout(self, name):
        """The structs.Layout of `struct NAME`; None if the program has no such type."""
        raise NotImplementedError

    def layout_of(self, type):
        """The same of a type of a Variable; None if it is no struct."""
        raise NotImplementedError

    def key(self, type):
        """Equal for equal types: to look something up once."""
        raise NotImplementedError

    def elements(self, type):
        """(number, type of one) if TYPE is an array; else None."""
        raise NotImplementedError

    def function(self, address):
        """The Function that contains ADDRESS, or None."""
        raise NotImplementedError

    def variables(self):
        """Each static Variable, and each local one of a function on a stack."""
        raise NotImplementedError

    def on_stacks(self, name):
        """Addresses of structs NAME to which variables and parameters of any thread's stack lead."""
        raise NotImplementedError

    def line_of_label(self, function, label):
        """(file, line) of the suspension with this label in a Function; None if it is not known."""
        raise NotImplementedError

    def macro(self, name):
        """The number that a macro of the program stands for; None if that was not stored."""
        raise NotImplementedError

    def evaluate(self, expression):
        """The address that an expression of the user gives."""
        raise NotImplementedError

    def frame_type(self, function):
        """The type of the frames of a resumable Function, or None."""
        raise NotImplementedError

    def self_name(self, function):
        """The name of the variable that points to the frame; None if it is not known."""
        raise NotImplementedError

    def frame_fields(self, function, address):
        """[(name, value as text)] of the frame at ADDRESS of a resumable Function."""
        raise NotImplementedError

    def stack(self, context):
        """[(pc, sp, (function name, file, line))] of the calls on a stack that was left at CONTEXT, innermost first."""
        raise NotImplementedError
