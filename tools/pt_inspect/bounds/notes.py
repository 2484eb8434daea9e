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
LIBRARY = {"__udivmodsi4": 33, "__udivmodhi4": 17, "__udivmodqi4": 9, "__udivsi3": 32}
NUMBERS = ("depth", "stack", "priority", "runs")


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
        self.files, self.given = {}, {}
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

    def at_function(self, name, path, line):
        """Those on the line of its name, and in the comment above it."""
        found = {"loop": LIBRARY[name]} if name in LIBRARY else {}
        found.update(self.at_line(path, line))
        above = line - 1
        while re.match(r"\s*(/\*|\*|//)|.*\*/\s*$", self.text(path, above)):
            found.update(self.at_line(path, above))
            above -= 1
        found.update(self.given.get(name, {}))
        return found
