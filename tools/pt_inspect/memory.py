# memory.py - reads the memory of a program, each page once
# SPDX-License-Identifier: MIT
#
# A program that is stopped for a moment must go on soon. One read of 64 KB costs as much as one of
# a few bytes, and the tasks of a program lie close to each other.


def readable(text):
    """A text of the program, whatever its bytes are: nothing that a terminal or XML would take for a command."""
    return "".join(letter if letter.isprintable() else "?" for letter in text.decode("utf-8", "replace"))


def harmless(text):
    """The same of the name of a file, or of a message with one."""
    return readable(text.encode("utf-8", "surrogateescape"))


class Unreadable(Exception):
    """No memory is there, or a core file does not have it."""

    def __init__(self, address, size):
        super().__init__("no memory at 0x%x (%d bytes)" % (address, size))
        self.address = address


class Memory:
    """FETCH(address, size) returns bytes, or raises Unreadable. ORDER: "little" or "big"."""

    def __init__(self, fetch, order, pages=(65536, 4096)):
        self.fetch = fetch
        self.order = order
        self.sizes = pages
        self.pages = [{} for _ in pages]

    def read(self, address, size):
        for pages, length in zip(self.pages, self.sizes):
            first = address - address % length
            if address + size > first + length:
                continue
            page = pages.get(first, False)
            if page is False:
                page = pages[first] = self.load(first, length)
            if page is not None:
                return page[address - first : address - first + size]
        if size > self.sizes[-1]:
            half = size // 2
            return self.read(address, half) + self.read(address + half, size - half)
        return self.fetch(address, size)

    def load(self, first, length):
        try:
            return self.fetch(first, length)
        except Unreadable:
            return None

    def forget(self):
        """The pages can have changed."""
        for pages in self.pages:
            pages.clear()

    def number(self, address, size, signed=False):
        return int.from_bytes(self.read(address, size), self.order, signed=signed)

    def text(self, address, limit=256):
        """The string at ADDRESS: up to its end, or LIMIT bytes of it."""
        text = b""
        while len(text) < limit:
            step = 16 - (address + len(text)) % 16
            piece = self.read(address + len(text), step)
            end = piece.find(b"\0")
            if end >= 0:
                text += piece[:end]
                break
            text += piece
        return readable(text)
