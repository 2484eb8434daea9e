# signatures.py - the types of functions, and of pointers by their names, from the debug information
# SPDX-License-Identifier: MIT

import re

WANTED = "name type low_pc abstract_origin specification decl_line"
LINE = re.compile(r"^ <(\w+)><(\w+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)|"
                  r"^    <\w+>   DW_AT_(%s) *: (?:\(in[^)]*\): |\(alt[^)]*\) )?(.*)" % WANTED.replace(" ", "|"), re.M)  # fmt: skip
POINTS = {"member", "variable", "formal_parameter", "typedef", "subprogram"}  # the last: what it returns
SKIPPED = {"const_type", "volatile_type", "restrict_type", "typedef", "atomic_type"}


class Entry:
    def __init__(self, tag, parent):
        self.tag, self.parent, self.children = tag, parent, []


def read(binary):
    """The entries of the debug information, by their offset."""
    entries, stack, entry = {}, [], None
    for match in LINE.finditer(binary.run("readelf", "--debug-dump=info", binary.path)):
        level, at, tag, field, value = match.groups()
        if tag:
            del stack[int(level) :]
            entry = Entry(tag, stack[-1] if stack else None)
            stack.append(entry)
            entries[int(at, 16)] = entry
            if entry.parent:
                entry.parent.children.append(entry)
        elif entry:
            setattr(entry, field, value.strip())
    return entries


class Signatures:
    """By address OF a function's signature, and its LINE; by name the signatures of POINTERS."""

    def __init__(self, binary):
        self.entries = read(binary)
        self.of, self.line, self.pointers = {}, {}, {}
        self.texts = {}
        for entry in self.entries.values():
            if entry.tag == "subprogram" and getattr(entry, "low_pc", None):
                at = int(entry.low_pc, 16)
                self.of[at] = self.signature(entry)
                line = self.field(entry, "decl_line")
                self.line[at] = int(line) if line else 0
            if entry.tag in POINTS:
                self.add_pointer(entry)

    def target(self, entry, field="type"):
        match = re.match(r"<(?:0x)?(\w+)>", getattr(entry, field, ""))
        return self.entries.get(int(match.group(1), 16)) if match else None

    def field(self, entry, name):
        """A field of an entry, or of the one that it is an instance of."""
        for _ in range(4):
            if entry is None or hasattr(entry, name):
                break
            entry = self.target(entry, "abstract_origin") or self.target(entry, "specification")
        return getattr(entry, name, None)

    def typed(self, entry):
        """The type of an entry, or of the one that it is an instance of."""
        for _ in range(4):
            if entry is None or hasattr(entry, "type"):
                break
            entry = self.target(entry, "abstract_origin") or self.target(entry, "specification")
        return self.plain(self.target(entry) if entry else None)

    def plain(self, entry):
        """A type without its qualifiers and other names."""
        while entry is not None and entry.tag in SKIPPED:
            entry = self.target(entry)
        return entry

    def signature(self, entry):
        """The type of a function, as a text."""
        source = entry
        while not any(child.tag == "formal_parameter" for child in source.children):
            origin = self.target(source, "abstract_origin") or self.target(source, "specification")
            if origin is None:
                break
            source = origin
        parameters = [self.text(self.typed(child)) for child in source.children if child.tag == "formal_parameter"]
        parameters += ["..." for child in source.children if child.tag == "unspecified_parameters"]
        return "%s (%s)" % (self.text(self.typed(entry)), ", ".join(parameters) or "void")

    def text(self, entry):
        if entry is None:
            return "void"
        if id(entry) not in self.texts:
            self.texts[id(entry)] = "..."  # a type that leads to itself
            self.texts[id(entry)] = self.made_text(entry)
        return self.texts[id(entry)]

    def made_text(self, entry):
        if entry.tag in ("pointer_type", "reference_type", "rvalue_reference_type"):
            return self.text(self.plain(self.target(entry))) + " *"
        if entry.tag == "subroutine_type":
            return self.signature(entry)
        if entry.tag == "enumeration_type" and hasattr(entry, "type"):
            return self.text(self.typed(entry))  # in C both are the same type
        kind = {"structure_type": "struct ", "union_type": "union ", "enumeration_type": "enum "}.get(entry.tag, "")
        return kind + getattr(entry, "name", "(without a name)")

    def add_pointer(self, entry):
        """A member, variable or parameter that is a pointer to a function, or an array of those."""
        name, kind = getattr(entry, "name", None), self.typed(entry)
        while kind is not None and kind.tag == "array_type":
            kind = self.plain(self.target(kind))
        if not name or kind is None or kind.tag != "pointer_type":
            return
        kind = self.plain(self.target(kind))
        if kind is not None and kind.tag == "pointer_type":
            kind = self.plain(self.target(kind))  # a pointer to a table of them
        if kind is not None and kind.tag == "subroutine_type":
            self.pointers.setdefault(name, set()).add(self.signature(kind))
