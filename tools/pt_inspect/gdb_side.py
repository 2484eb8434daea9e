# gdb_side.py - what gdb knows of the program: a debugger.Debugger
# SPDX-License-Identifier: MIT

import os
import re

import gdb

from . import dwarf
from .debugger import Debugger, Function, Variable, bare
from .memory import Memory, Unreadable
from .structs import Field, Layout
from .unwinder import frames_from, left_stack

STRUCTS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
PLACED = (gdb.SYMBOL_LOC_STATIC, gdb.SYMBOL_LOC_COMPUTED)  # COMPUTED: each thread has its own
NUMBERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR)
ON_STACKS = ("pt_loop", "pt_task")  # what stacks lead to


def plain(type):
    return type.strip_typedefs().unqualified()


FILES = {}  # path, without links: what dwarf.py finds there


def labels_of(path, place=None):
    """What dwarf.py finds in a file, which can be in another PLACE: another process can have another root."""
    key = os.path.realpath(path)
    if key not in FILES:
        FILES[key] = dwarf.Labels(place or path)
    return FILES[key]


def pt_files():
    """What dwarf.py finds in each file of the program."""
    return [labels_of(objfile.filename) for objfile in gdb.objfiles() if objfile.is_valid() and objfile.filename]


def written(name):
    """The name of a variable as the program writes it, if it is a symbol: _ZN6Server4loopE."""
    if not name.startswith("_Z"):
        return name
    try:
        return gdb.execute("demangle -- " + name, to_string=True).strip()
    except gdb.error:
        return name


def variable_names():
    """The names of the static variables, without those of the C library. Where they are not in DWARF that is read here
    (that of avr-gcc by default, a .dwp file), gdb lists them."""
    found = {written(name) for file in pt_files() for name in file.variables()}
    if not found or any(file.lacks for file in pt_files()):
        text = gdb.execute("info variables -q", to_string=True)
        found |= set(re.findall(r"(\w+)(?:\[[^;]*)?;$", text, re.M))
    return found


def symbols_of(name):
    return [symbol for symbol in gdb.lookup_static_symbols(name) + [gdb.lookup_global_symbol(name)] if symbol]


def symbols_in(function):
    """The symbols of a function and of its outermost block."""
    block = gdb.block_for_pc(int(function.value().address))
    while block and not block.function:
        block = block.superblock
    return block or ()


def static_symbols():
    """The symbols of structs and arrays that are static or of a thread, also of those in functions. The first use of a
    name reads much of the debug information."""
    found = [symbol for name in sorted(variable_names()) for symbol in symbols_of(name)]
    for home in sorted({home for file in pt_files() for home in file.homes()}):
        for function in symbols_of(home):
            if function.is_function:
                found += symbols_in(function)
    for symbol in found:
        placed = symbol.is_variable and symbol.addr_class in PLACED and not symbol.needs_frame
        if placed and plain(symbol.type).code in STRUCTS + (gdb.TYPE_CODE_ARRAY,):
            yield symbol


class Gdb(Debugger):
    def __init__(self, pages=(65536, 4096)):
        order = "little" if "little" in gdb.execute("show endian", to_string=True) else "big"
        self.memory = Memory(self.fetch, order, pages)
        self.word = gdb.lookup_type("void").pointer().sizeof
        self.avr = "avr" in gdb.execute("show architecture", to_string=True)
        self.layouts = {}
        self.keys = {}
        self.stacks_found = None

    def forget(self):
        super().forget()
        self.stacks_found = None

    def fetch(self, address, size):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except gdb.error:
            raise Unreadable(address, size) from None
        except OverflowError:
            raise Unreadable(address, size) from None

    # AVR has two memories: gdb counts data from 0x800000 on, and code in bytes, where a pointer counts words.
    def data_address(self, pointer):
        return pointer | 0x800000 if self.avr and pointer else pointer

    def code_address(self, pointer):
        return pointer * 2 if self.avr else pointer

    # --- types

    def layout(self, name):
        if name not in self.layouts:
            type = self.find_type(name)
            self.layouts[name] = type and self.layout_of(type)
        return self.layouts[name]

    def find_type(self, name):
        for spelling in ("struct " + name, name):
            try:
                type = plain(gdb.lookup_type(spelling))
            except gdb.error:
                continue
            if type.code in STRUCTS and type.fields():
                return type
        return None

    def key(self, type):
        text = str(type)
        if "{...}" in text:  # without a name: by its fields
            inner = type
            while inner.code == gdb.TYPE_CODE_ARRAY:
                inner = plain(inner.target())
            text += ",".join("%s %s" % (self.key(field.type), field.name) for field in inner.fields())
        return text

    def layout_of(self, type):
        type = plain(type)
        if type.code not in STRUCTS:
            return None
        key = self.key(type)
        if key not in self.keys:
            fields = {}
            self.flatten(type, 0, "", fields)
            name = (type.tag or "").split("::")[-1]
            self.keys[key] = Layout(name, type.sizeof, fields)
        return self.keys[key]

    def flatten(self, type, offset, path, fields):
        for field in type.fields():
            if not hasattr(field, "bitpos") or field.bitsize:
                continue
            inner, at = plain(field.type), offset + field.bitpos // 8
            here = path + field.name if field.name and not field.is_base_class else path[:-1]
            if inner.code in STRUCTS:
                if here != path[:-1]:
                    fields[here] = Field(at, inner.sizeof, "other", inner)
                self.flatten(inner, at, here + "." if here else "", fields)
            elif inner.code == gdb.TYPE_CODE_PTR:
                code = plain(inner.target()).code == gdb.TYPE_CODE_FUNC
                fields[here] = Field(at, inner.sizeof, "code" if code else "data", None)
            elif inner.code in NUMBERS:
                signed = inner.code == gdb.TYPE_CODE_INT and inner.is_signed
                fields[here] = Field(at, inner.sizeof, "signed" if signed else "number", None)
            else:
                array = inner if inner.code == gdb.TYPE_CODE_ARRAY else None
                fields[here] = Field(at, inner.sizeof, "other", array)

    def elements(self, type):
        type = plain(type)
        if type.code != gdb.TYPE_CODE_ARRAY:
            return None
        low, high = type.range()
        return high - low + 1, plain(type.target())

    # --- symbols

    def function(self, address):
        block = gdb.block_for_pc(address)
        while block and not block.function:
            block = block.superblock
        if block:
            symbol, table = block.function, block.function.symtab
            first = gdb.find_pc_line(address)
            if table.filename == "<artificial>" or first.line == symbol.line:
                table = first.symtab or table  # gcc -flto: the symbol's file is one of the whole program
            return Function(symbol.name, address, table.fullname(), symbol.line)
        text = gdb.execute("info symbol 0x%x" % address, to_string=True)
        found = re.match(r"(\S+)(?: \+ \d+)? in section", text)
        return Function(found.group(1), address) if found else None

    def variables(self):
        seen = set()
        for symbol in static_symbols():
            for _ in self.threads() if symbol.addr_class == gdb.SYMBOL_LOC_COMPUTED else (None,):
                yield from self.variable(symbol, None, seen)
        for variable in self.stacks()[0]:
            if variable.address not in seen:
                yield variable

    def variable(self, symbol, frame, seen):
        type = plain(symbol.type)
        if type.code not in STRUCTS + (gdb.TYPE_CODE_ARRAY,):
            return
        try:
            value = symbol.value(frame) if frame else symbol.value()
            if not value.is_lazy:
                return  # in no memory: of an array gdb would make a copy in the program, by a call of malloc
            address = int(value.address)
        except (gdb.error, TypeError):
            return  # optimized out
        if address not in seen:
            seen.add(address)
            yield Variable(symbol.name, address, type.sizeof, type)

    # --- stacks

    def threads(self):
        """Each thread, while it is selected."""
        selected = gdb.selected_thread()
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
            try:
                thread.switch()
            except gdb.error:
                continue
            yield thread
        if selected:
            selected.switch()

    def frames(self):
        """The frames of all threads."""
        for _ in self.threads():
            try:
                newest = gdb.newest_frame()
            except gdb.error:
                continue
            yield from frames_from(newest)

    def symbols(self, frame):
        try:
            block = frame.block()
        except RuntimeError:  # without debug information
            return
        while block:
            yield from (symbol for symbol in block if symbol.is_variable or symbol.is_argument)
            if block.function:
                return
            block = block.superblock

    def stacks(self):
        """(variables, {struct: {address: name}}) of all stacks, in one walk."""
        if self.stacks_found is None:
            self.stacks_found = self.walk_stacks()
        return self.stacks_found

    def walk_stacks(self):
        variables, seen, found = [], set(), {name: {} for name in ON_STACKS}
        for frame in self.frames():
            for symbol in self.symbols(frame):
                variables += self.variable(symbol, frame, seen)
                for name, places in found.items():
                    address = self.leads_to(frame, symbol, name)
                    if address and plain(symbol.type).code in STRUCTS:
                        places[address] = symbol.name  # a pointer's name is not that of the struct
                    elif address:
                        places.setdefault(address)
        return variables, found

    def on_stacks(self, name):
        return list(self.stacks()[1][name].items())

    def leads_to(self, frame, symbol, name):
        type = plain(symbol.type)
        pointer = type.code == gdb.TYPE_CODE_PTR
        target = plain(type.target()) if pointer else type
        if target.code not in STRUCTS or (target.tag or "").split("::")[-1] != name:
            return 0
        try:
            value = frame.read_var(symbol)
            return int(value) if pointer else int(value.address)
        except (gdb.error, ValueError, TypeError):
            return 0  # optimized out

    # --- labels, expressions, fields

    def line_of_label(self, function, label):
        if not function.file:
            return None
        name = bare(function.name).split("::")[-1]
        for file in pt_files():
            line = file.line(name, function.line, label)
            if line:
                return function.file, line
        return None

    def macro(self, name):
        try:
            return int(gdb.parse_and_eval(name))
        except gdb.error:
            return None

    def evaluate(self, expression):
        value = gdb.parse_and_eval(expression)
        if plain(value.type).code in STRUCTS:
            return int(value.address)
        return int(value)

    def frame_type(self, function):
        """The struct of a resumable function: rocket_pt_ has a struct rocket."""
        name = bare(function.name)
        for tail in ("_pt_", "_body_"):
            if name.endswith(tail):
                block = gdb.block_for_pc(function.address)
                for spelling in ("struct " + name[: -len(tail)], name[: -len(tail)]):
                    try:
                        return gdb.lookup_type(spelling, block) if block else gdb.lookup_type(spelling)
                    except gdb.error:
                        continue
        return None

    def frame_fields(self, function, address):
        type = self.frame_type(function)
        if not type:
            return []
        value = gdb.Value(address).cast(type.pointer()).dereference()
        return [(field.name, self.show(value[field])) for field in type.fields() if field.name != "pt"]

    def show(self, value):
        try:
            return value.format_string(max_elements=32, max_depth=3)
        except (gdb.error, gdb.MemoryError):
            return "<unavailable>"

    def self_name(self, function):
        """The name by which the body calls its frame: its second variable of this type, after pt_."""
        type = self.frame_type(function)
        block = gdb.block_for_pc(function.address)
        while block and not block.function:
            block = block.superblock
        for symbol in block or ():
            kind = plain(symbol.type) if symbol.is_variable else None
            if type and kind and kind.code == gdb.TYPE_CODE_PTR and plain(kind.target()) == plain(type):
                return symbol.name
        return None

    def stack(self, context):
        return left_stack(context)
