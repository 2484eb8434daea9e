# binary.py - a linked program: symbols, words, instructions, lines, by the binutils of its processor
# SPDX-License-Identifier: MIT

import bisect
import re
import shutil
import struct
import subprocess
from collections import namedtuple

from .state import Refused

Symbol = namedtuple("Symbol", "name at size kind")
Section = namedtuple("Section", "place name at size offset kind flags")
Instruction = namedtuple("Instruction", "at size name operands")
PREFIXES = {
    40: ("arm-none-eabi-",),
    83: ("avr-",),
    243: ("riscv64-unknown-elf-", "riscv32-unknown-elf-", "riscv-none-elf-"),
}
LINE = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f ]+?)\s*(?:\t(.*))?$")

SECTION = re.compile(r"\s*\[ *(\d+)\] (\S+)\s+(\S+)\s+([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) \S+\s+(\S*[A-Z]\S*)")


class Binary:
    def __init__(self, path, prefix=None):
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:4] != b"\x7fELF" or len(self.data) < 52 or self.data[4] != 1:
            raise Refused("%s is not a program of a 32-bit or 8-bit part (ELF)" % path)
        self.path = path
        self.machine = struct.unpack_from("<H", self.data, 18)[0]
        (self.entry,) = struct.unpack_from("<I", self.data, 24)
        (self.flags,) = struct.unpack_from("<I", self.data, 36)
        if self.machine not in PREFIXES:
            raise Refused("%s: its processor is no Cortex-M, RV32 or AVR" % path)
        prefixes = (prefix,) if prefix else PREFIXES[self.machine]
        self.prefix = next((one for one in prefixes if shutil.which(one + "objdump")), None)
        if self.prefix is None:
            raise Refused("there is no %sobjdump: install it, or give --prefix" % prefixes[0])
        text = self.run("readelf", "-SsAW", path)
        self.architecture = (re.findall(r"Tag_CPU_arch: (\S+)", text) or [""])[0]
        self.read_sections(text)
        self.read_symbols(text)
        self.read_code()

    def run(self, tool, *arguments, text=None):
        done = subprocess.run([self.prefix + tool, *arguments], input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace")  # fmt: skip
        if done.returncode:
            raise Refused("%s%s: %s" % (self.prefix, tool, done.stderr.strip()[:300]))
        return done.stdout

    def read_sections(self, text):
        self.sections = []
        for line in text.splitlines():
            match = SECTION.match(line)
            if match:
                place, name, kind, at, offset, size, flags = match.groups()
                self.sections.append(Section(place, name, int(at, 16), int(size, 16), int(offset, 16), kind, flags))

    def read_symbols(self, text):
        """The functions, by their address; a label without a size is one if no function holds it."""
        found = []
        for line in text.splitlines():
            match = re.match(r"\s*\d+: ([0-9a-f]+)\s+(\w+) (\w+)\s+\w+\s+\w+\s+(\w+) (\S+)", line)
            if match and match.group(4) != "UND":
                at, size, kind, place, name = match.groups()
                found.append((Symbol(name, int(at, 16), int(size, 0), kind), place))
        plain = self.plain_names({symbol.name for symbol, _ in found if symbol.name.startswith("_Z")})
        found = [(symbol._replace(name=plain.get(symbol.name, symbol.name)), place) for symbol, place in found]
        self.symbols = [symbol for symbol, _ in found]
        self.marks = sorted(symbol.at for symbol in self.symbols if re.match(r"\$[xta]", symbol.name))
        self.data_marks = sorted(symbol.at for symbol in self.symbols if symbol.name.startswith("$d"))
        code = {section.place: section for section in self.sections if "X" in section.flags}
        self.functions = {}
        self.aliases = {}
        self.traps = set()  # where an instruction puts the table of traps
        self.jumped = set()  # the words that an instruction loads to jump there
        labels = []
        for symbol, place in found:
            at = symbol.at & ~1 if symbol.kind == "FUNC" and self.machine == 40 else symbol.at
            if place not in code or not 0 <= at - code[place].at < code[place].size:
                continue
            symbol = symbol._replace(at=at)
            if symbol.kind == "FUNC":
                self.functions.setdefault(at, symbol)
                self.aliases.setdefault(symbol.name, set()).add(at)  # static functions can share a name
            elif symbol.kind == "NOTYPE" and not re.match(r"\$|\.L|__global_pointer\$", symbol.name):
                labels.append(symbol)
        ends = sorted((symbol.at, symbol.at + symbol.size) for symbol in self.functions.values())
        for symbol in labels:
            if not any(begin <= symbol.at < end for begin, end in ends):
                self.functions.setdefault(symbol.at, symbol)
                self.aliases.setdefault(symbol.name, {symbol.at})

    def plain_names(self, names):
        """The names of C++ as the source has them, without the types of parameters: app::Filter::step."""
        names = sorted(names)
        if not names or not shutil.which(self.prefix + "c++filt"):
            return {}
        plain = self.run("c++filt", "-p", text="\n".join(names)).splitlines()
        return {name: re.sub(r" \[clone ([^]]*)\]", r"\1", one) for name, one in zip(names, plain)}

    def read_code(self):
        """The instructions by their address. What objdump prints as data is none."""
        self.code = {}
        arguments = ["-M", "reg-names-std"] if self.machine == 40 else []
        for line in self.run("objdump", "-dz", *arguments, self.path).splitlines():
            match = LINE.match(line)
            if not match or not match.group(3) or match.group(3).startswith("."):
                continue
            at, size = int(match.group(1), 16), len(match.group(2).replace(" ", "")) // 2
            text = re.sub(r"\s*(?:[;@#]|//) .*| <.*|\s*@ \(.*", "", match.group(3))
            name, _, operands = text.partition("\t")
            self.code[at] = Instruction(at, size, name.strip(), operands.strip())

    def word(self, at, size=4):
        """What the program's file has at an address, or None."""
        for section in self.sections:
            inside = section.at <= at <= section.at + section.size - size
            if inside and "A" in section.flags and section.kind != "NOBITS":
                return int.from_bytes(self.data[section.offset + at - section.at :][:size], "little")
        return None

    def name(self, at):
        return self.functions[at].name if at in self.functions else "0x%x" % at

    def holder(self, at):
        """The function in which an address is."""
        if not hasattr(self, "starts"):
            self.starts = sorted(self.functions)
        place = bisect.bisect_right(self.starts, at)
        return self.starts[place - 1] if place else None

    def is_data(self, at):
        """Whether an address of a code section holds data."""
        data = bisect.bisect_right(self.data_marks, at)
        code = bisect.bisect_right(self.marks, at)
        return data and (not code or self.data_marks[data - 1] >= self.marks[code - 1])

    def is_inside(self, at):
        """Whether an address is inside a function with a size."""
        symbol = self.functions.get(self.holder(at))
        return symbol and at < symbol.at + symbol.size

    def words(self, size, step):
        """Each word of SIZE bytes at multiples of STEP that the program's file has, of data: (address, word)."""
        for section in self.sections:
            if "A" not in section.flags or section.kind == "NOBITS":
                continue
            for at in range(-(-section.at // step) * step, section.at + section.size - size + 1, step):
                if "X" not in section.flags or self.is_data(at) or not self.is_inside(at):
                    start = section.offset + at - section.at
                    yield at, int.from_bytes(self.data[start : start + size], "little")

    def lines(self, places):
        """The lines of each address: (file, line), of the innermost inlined function first."""
        text = self.run("addr2line", "-a", "-i", "-e", self.path, text="\n".join(map(hex, places))) if places else ""
        found = {}
        for block in re.split(r"^0x", text, flags=re.M)[1:]:
            rows = block.splitlines()
            chain = [re.match(r"(.*):(\d+|\?)", row) for row in rows[1:]]
            found[int(rows[0], 16)] = [(one.group(1), int(one.group(2))) for one in chain
                                       if one and one.group(2) != "?"]  # fmt: skip
        return found
