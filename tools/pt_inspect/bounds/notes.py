# notes.py - what the source says: a comment with `pt-bounds: WORD VALUE` at a function, or on the line of a call
# SPDX-License-Identifier: MIT
#
#     calls F G ...    on a call through a pointer: what it can reach; at a function: of all its calls through pointers
#     depth N          at a function: at most N calls of it are on the stack at once
#     stack N          at a function: its own frame is at most N bytes
#     runs N           at a body: tasks run it at most N times in a turn
#     priority N       at a function: it is an interrupt's handler of this priority; 0 is the most urgent
#     loop N           on the line of a loop, or above it: it goes round at most N times; at a function: each of its
#                      loops without a note. N is a number, or a name, of which --loop NAME=N says the number
#     unused           at a function: no pointer to it is ever called

import os
import re

from .state import Refused

NOTE = re.compile(r"\bpt-bounds: (.*?)\s*(?:\*/.*)?$")
# what stands above the first instruction of a loop: `do` and `for (;;)` have none
OPENING = re.compile(r"\s*((do|for \(;;\)|while \((1|true)\))\s*{?\s*)?/\* pt-bounds: loop ")
# how often the loops of libgcc's divisions go round
LIBRARY = {"__udivmodsi4": 33, "__udivmodhi4": 17, "__udivmodqi4": 9, "__udivsi3": 32, "__divsi3": 32}
# comments and texts are no code
PLAIN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|"
                   r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.S | re.M)  # fmt: skip
GOTO = re.compile(r"\bgoto\s+(\w+)\s*;")
ELSE = re.compile(r"\s*else\b")
LOOP = re.compile(r"\b(for|while|do)\b")
NUMBERS = ("depth", "stack", "priority", "runs")


def loops(text):
    """The first and the last line of each loop of a source; also of those from a label to a `goto` behind it."""
    code, closed = PLAIN.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text), set()
    for word in LOOP.finditer(code):
        if word.start() not in closed:
            end = ending(code, word.end())
            behind = re.compile(r"\s*\bwhile\b").match(code, end + 1) if word.group() == "do" else None
            if behind:
                closed.add(behind.end() - len("while"))
                end = ending(code, behind.end())
            if not behind or not re.match(r"\s*\(\s*0\s*\)", code[behind.end() :]):
                yield code.count("\n", 0, word.start()) + 1, code.count("\n", 0, end) + 1
    for jump in GOTO.finditer(code):
        labels = [one.start(1) for one in re.finditer(r"[;{}]\s*(%s)\s*:" % jump.group(1), code[: jump.start()])]
        if labels:
            yield code.count("\n", 0, labels[-1]) + 1, code.count("\n", 0, jump.end()) + 1


def ending(code, at):
    """Where a statement ends that begins AT: a semicolon or a brace outside of all others, without an `else`."""
    depth = 0
    for here in range(at, len(code)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(code[here], 0)
        if depth < 0 or (depth == 0 and code[here] in ";}" and not ELSE.match(code, here + 1)):
            return here
    return len(code) - 1


def parse(text, where):
    """The notes of a text: {word: value}."""
    word, _, value = text.strip().partition(" ")
    if word == "calls" and value.strip():
        return {word: value.replace(",", " ").split()}
    number = re.match(r"\s*(-?\d+)(?:, |$)", value)  # words can follow
    if word in NUMBERS and number and (word == "priority" or int(number.group(1)) > 0):
        return {word: int(number.group(1))}
    if word == "loop" and (often := re.match(r"(\w+)(?:, |$)", value.strip())):
        return {word: int(often.group(1)) if often.group(1).isdigit() else often.group(1)}
    if word == "unused" and not value.strip():
        return {word: True}
    notes = "calls F..., depth N, stack N, loop N, runs N, priority N, unused"
    raise Refused("%s: `%s` is no note: %s" % (where, text.strip(), notes))


class Notes:
    """The notes of source files, which are read once; GIVEN: those of --note, by function."""

    def __init__(self, given):
        self.files, self.given, self.loops = {}, {}, {}
        for text in given:
            name, *note = re.split(r"(?<!:):(?!:)", text, maxsplit=1)  # not that of app::f
            if not note:
                raise Refused("--note %s: it is FUNCTION: NOTE" % text)
            self.given.setdefault(name.strip(), {}).update(parse(note[0], "--note " + text))

    def text(self, path, line):
        """A line of a file, or an empty one."""
        if path not in self.files:
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    self.files[path] = file.read().splitlines()
            except OSError:
                self.files[path] = []
        lines = self.files[path]
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def newer(self, program):
        """The source files that have changed since the program was linked."""
        linked = os.path.getmtime(program)
        return sorted(path for path, lines in self.files.items() if lines and os.path.getmtime(path) > linked)

    def at_line(self, path, line):
        match = NOTE.search(self.text(path, line))
        return parse(match.group(1), "%s:%d" % (path, line)) if match else {}

    def at_loop(self, path, line):
        """How often a loop goes round, by its line, or by a comment above, alone or behind an opening; or None."""
        above = line - 1 if OPENING.match(self.text(path, line - 1)) else line
        return {**self.at_line(path, above), **self.at_line(path, line)}.get("loop")

    def statement(self, path, line):
        """The first and the last line of the loop that a note on a line means: the one that begins there, else the
        innermost one around it."""
        if not self.at_line(path, line) and "{" in self.text(path, line - 1):
            line -= 1  # the note is behind the opening
        here = [one for one in self.loops_of(path) if one[0] == line][:1]
        around = [one for one in self.loops_of(path) if one[0] <= line <= one[1]]
        return min(here or around, key=lambda one: one[1] - one[0], default=(line, line))

    def loops_of(self, path):
        if path not in self.loops:
            self.text(path, 1)  # reads the file
            self.loops[path] = list(loops("\n".join(self.files[path]) + "\n"))
        return self.loops[path]

    def depth(self, chain):
        """How many loops are around the lines of CHAIN: an instruction's, and those from which it was inlined."""
        return sum(first <= line <= last for path, line in chain for first, last in self.loops_of(path))

    def at_function(self, names, path, line):
        """Those on the line of its name, and in the comment above it; NAMES: all that the function has."""
        found, above = self.at_line(path, line), line - 1
        while re.match(r"\s*(/\*|\*|//)|(?!.*/\*).*\*/\s*$", self.text(path, above)):
            for word, value in self.at_line(path, above).items():
                if found.setdefault(word, value) != value:
                    raise Refused("%s:%d: two notes at %s disagree: %s" % (path, above, min(names), word))
            above -= 1
        for name in sorted(names):
            found = {**({"loop": LIBRARY[name]} if name in LIBRARY else {}), **found, **self.given.get(name, {})}
        return found
