# targets.py - which functions a call through a pointer can reach
# SPDX-License-Identifier: MIT
#
# The line of the call names the pointer: a member, a variable, a parameter. Of its type, the debug information knows
# all functions, and the program's words those whose address is taken: these are the targets. A note on the line can
# name them instead. A function whose address is taken and that no call reaches is refused: its type was cast away.

import re

from .notes import Notes
from .signatures import Signatures
from .state import Refused

CALLED = re.compile(r"(?<![\w])([A-Za-z_]\w*)\s*(?:\[[^\[\]]*\]\s*)*\)?\s*\(")
WORD = re.compile(r"\w+")
CAST = re.compile(r"\(\s*\*\s*\)")  # to a type without a name
LINES = 4  # how many more lines of a call that is long
BEFORE = (2, 4, 6)  # gcc 5 gives a call the line of its caller, but the loads of the pointer, before it, their own


class Targets:
    def __init__(self, binary, part, given):
        self.binary, self.part = binary, part
        self.notes = Notes(given)
        self.signatures = Signatures(binary)
        self.by_type, self.taken = {}, {}
        self.reached, self.lines = set(), {}
        self.function_notes = {}

    def prepare(self, functions, vectors):
        """Learn where the functions and their calls stand, and whose address is taken."""
        calls = [call.at for function in functions.values() for call in function.calls if call.targets is None]
        before = [at - back for at in calls for back in BEFORE if not self.part.SURE]
        self.lines = self.binary.lines(sorted({*calls, *before, *functions}))
        names = {at: {self.binary.name(at)} for at in functions}
        for name, places in self.binary.aliases.items():
            for at in places & functions.keys():
                names[at].add(name)
        for at in functions:
            chain = self.lines.get(at, ())
            path = chain[-1][0] if chain else ""
            line = self.signatures.line.get(at, 0)
            self.function_notes[at] = self.notes.at_function(names[at], path, line)
        missing = sorted(name for name in self.notes.given if name not in self.binary.aliases)
        if missing:
            raise Refused("--note: the program has no function %s" % missing[0])
        self.find_taken(functions, vectors)

    def find_taken(self, functions, vectors):
        direct = {}
        for at, word in self.binary.words(self.part.POINTER, self.part.STEP):
            function = self.part.address_of(word)
            if function in self.binary.functions and at not in vectors and at not in self.binary.jumped:
                direct.setdefault(function, at)
        for function in functions.values():
            for number in function.numbers:
                target = self.part.address_of(number)
                if target in self.binary.functions:
                    direct.setdefault(target, function.at)
        self.taken = direct
        for target in (one for one in direct if not self.note(one, "unused")):
            self.by_type.setdefault(self.signatures.of.get(target), []).append(target)

    def note(self, at, word):
        return self.function_notes.get(at, {}).get(word)

    def named(self, names, where):
        found = [at for name in names for at in sorted(self.binary.aliases.get(name, ()))]
        missing = [name for name in names if name not in self.binary.aliases]
        if missing:
            raise Refused("%s: a note names %s, and the program has no such function" % (where, missing[0]))
        return found

    def of(self, call, holder):
        """The functions that a call can reach; HOLDER: the address of the function in which it stands."""
        if call.targets is not None:
            return call.targets
        chain = self.lines.get(call.at, ())
        where = "%s:%d" % chain[0] if chain else "0x%x" % call.at
        for path, line in chain:
            names = self.notes.at_line(path, line).get("calls")
            if names:
                break
        else:
            names = self.note(holder, "calls")
        found = self.named(names, where) if names else self.by_line(call.at, where, holder)
        self.reached.update(found)
        return found

    def by_line(self, at, where, holder):
        types = set()
        for place in (at, *(at - back for back in BEFORE if not self.part.SURE)):
            types = types or self.types_on(self.lines.get(place, ()))
        if not types:
            what = "calls through a pointer whose type this tool does not find"
            cure = "compile with -g where the source is; or a note: pt-bounds: calls F"
            raise Refused("%s: %s %s (%s)" % (where, self.binary.name(holder), what, cure))
        return sorted({target for kind in types for target in self.of_type(kind)})

    def of_type(self, kind):
        """The functions whose address is taken and that a pointer of a type can call; (...): without its parameters."""
        for one, functions in self.by_type.items():
            known = one is not None and one.split("(")[0] == kind.split("(")[0] and "(...)" in (one[-5:], kind[-5:])
            if one == kind or known:
                yield from functions

    def types_on(self, chain):
        """The types of pointers that a line names: f(x), else an argument of a macro, or a type in a cast."""
        lines = [self.notes.text(chain[0][0], chain[0][1] + more) for more in range(LINES)] if chain else []
        last = next((i + 1 for i, text in enumerate(lines) if ";" in text), LINES)
        for named in (CALLED, WORD) if not any(CAST.search(text) for text in lines[:last]) else ():
            for text in lines[:last]:
                types = set().union(*(self.signatures.pointers.get(name, ()) for name in named.findall(text)))
                if types:
                    return types
        return set()

    def unlisted(self, handlers):
        """The functions whose address is taken and that no call reaches."""
        return [at for at in sorted(self.taken) if at not in self.reached and at not in handlers
                and self.part.SURE and not self.note(at, "unused")]  # fmt: skip
