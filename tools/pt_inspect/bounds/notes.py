# notes.py - what the source says: a comment with `pt-bounds: WORD VALUE` at a function, or on the line of a call
# SPDX-License-Identifier: MIT
#
#     calls F G ...    on a call through a pointer: what it can reach; at a function: of all its calls through pointers
#     depth N          at a function: at most N calls of it are on the stack at once
#     stack N          at a function: its own frame is at most N bytes
#     priority N       at a function: it is an interrupt's handler of this priority; 0 is the most urgent
#     unused           at a function: no pointer to it is ever called

import re

from .state import Refused

NOTE = re.compile(r"\bpt-bounds: (.*?)\s*(?:\*/.*)?$")
NUMBERS = ("depth", "stack", "priority")


def parse(text, where):
    """The notes of a text: {word: value}."""
    word, _, value = text.strip().partition(" ")
    if word == "calls" and value.strip():
        return {word: value.replace(",", " ").split()}
    if word in NUMBERS and re.fullmatch(r"\s*-?\d+", value) and (word == "priority" or int(value) > 0):
        return {word: int(value)}
    if word == "unused" and not value.strip():
        return {word: True}
    raise Refused("%s: `%s` is no note: calls F..., depth N, stack N, priority N, unused" % (where, text.strip()))


class Notes:
    """The notes of source files, which are read once; GIVEN: those of --note, by function."""

    def __init__(self, given):
        self.files, self.given = {}, {}
        for text in given:
            name, colon, note = text.partition(":")
            if not colon:
                raise Refused("--note %s: it is FUNCTION: NOTE" % text)
            self.given.setdefault(name.strip(), {}).update(parse(note, "--note " + text))

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

    def at_line(self, path, line):
        match = NOTE.search(self.text(path, line))
        return parse(match.group(1), "%s:%d" % (path, line)) if match else {}

    def at_function(self, name, path, line):
        """Those on the line of its name, and in the comment above it."""
        found = self.at_line(path, line)
        above = line - 1
        while re.match(r"\s*(/\*|\*|//)|.*\*/\s*$", self.text(path, above)):
            found.update(self.at_line(path, above))
            above -= 1
        found.update(self.given.get(name, {}))
        return found
