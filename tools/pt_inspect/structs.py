# structs.py - reads a field of a struct by its path: task["node.link.next"]
# SPDX-License-Identifier: MIT


class Field:
    """Where a field is. KIND: "number", "signed", "data" or "code" (a pointer to either), "other"."""

    __slots__ = ("offset", "size", "kind", "type")

    def __init__(self, offset, size, kind, type):
        self.offset, self.size, self.kind, self.type = offset, size, kind, type


class Layout:
    """The fields of a struct type, those of its inner structs by their path."""

    def __init__(self, name, size, fields):
        self.name, self.size, self.fields = name, size, fields

    def offset(self, path):
        return self.fields[path].offset

    def __contains__(self, path):
        return path in self.fields


class Struct:
    """A struct in the memory of the program; read once, when it is made."""

    __slots__ = ("address", "layout", "debugger", "raw")

    def __init__(self, debugger, layout, address):
        self.debugger, self.layout, self.address = debugger, layout, address
        self.raw = debugger.memory.read(address, layout.size)

    def __contains__(self, path):
        return path in self.layout.fields

    def __getitem__(self, path):
        field = self.layout.fields[path]
        number = int.from_bytes(
            self.raw[field.offset : field.offset + field.size],
            self.debugger.memory.order,
            signed=field.kind == "signed",
        )
        if field.kind == "data":
            return self.debugger.data_address(number)
        if field.kind == "code":
            return self.debugger.code_address(number)
        return number

    def get(self, path, otherwise=None):
        return self[path] if path in self.layout.fields else otherwise

    def at(self, path):
        """The address of a field."""
        return self.address + self.layout.fields[path].offset
