# instrument.py - a program for the playground: its source with a hook before each statement, and tables of its structs
# SPDX-License-Identifier: MIT
"""instrumented(source, name) returns the program's text with hooks, and what the page needs to know of it.

The programs are laid out by clang-format, and this reads no other C: a tokenizer and a walk over statements. No line
moves, so that a line of the trace is a line of the source."""

import re

from parameters import Parameters
from tables import DECLARATION, coroutines_of, declarators, object_row, tables, without_comments

TOKEN = re.compile(r"""(?P<skip>\s+|/\*.*?\*/|//[^\n]*)
    |(?P<hash>^[ \t]*\#(?:[^\\\n]|\\.)*)
    |(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<word>[A-Za-z_]\w*)
    |(?P<number>\d[\w.]*)
    |(?P<sign>->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\.\.\.|.)""", re.X | re.S | re.M)
TYPES = {"static", "const", "volatile", "struct", "union", "enum", "unsigned", "int", "char", "bool", "long", "short",
         "double", "void", "size_t", "pt_time", "pt_status", "pt_label", "uint8_t", "uint32_t", "uint64_t", "pt_op"}
DECLARES = {"PT_TASK", "PT_CHANNEL", "PT_QUEUE", "PT_BROADCAST", "PT_POOL", "PT_LATEST", "PT_RING",
            "PT_LOOP_STORAGE", "PT_SELECTION", "PT_STATIC_ASSERT"}

class Token:
    def __init__(self, kind, text, at, line):
        self.kind, self.text, self.at, self.line = kind, text, at, line
        self.end = at + len(text)


def tokens_of(source):
    tokens, line = [], 1
    for found in TOKEN.finditer(source):
        if found.lastgroup not in ("skip", "hash"):
            tokens.append(Token(found.lastgroup, found[0], found.start(), line))
        line += found[0].count("\n")
    return tokens


class Walk:
    """Inserts hooks into a program."""

    def __init__(self, source, coroutines):
        self.source, self.coroutines, self.function = source, coroutines, ""
        self.frame = ""  # the name of the frame in the function, if that is a coroutine
        self.tokens = tokens_of(source)
        self.insertions = []  # (position, order, text)
        self.lines = set()
        self.functions = {}  # the name of a function: its first and its last line
        self.parameters = Parameters(self)

    def text(self, i):
        return self.tokens[i].text if i < len(self.tokens) else ""

    def insert(self, at, text):
        self.insertions.append((at, len(self.insertions), text))

    def hook(self, i, end=";"):
        line = self.tokens[i].line
        self.lines.add(line)
        return f"play_body_({self.frame}, {line}){end} " if self.frame else f"play_line_({line}){end} "

    def matching(self, i):
        """The index after the bracket that closes the one at I."""
        depth = 0
        while i < len(self.tokens):
            depth += (self.text(i) in "([{") - (self.text(i) in ")]}")
            i += 1
            if not depth:
                return i
        raise ValueError("a bracket is not closed")

    def semicolon(self, i):
        while self.text(i) != ";":
            i = self.matching(i) if self.text(i) in "([{" else i + 1
        return i + 1

    def run(self):
        i = 0
        while i < len(self.tokens):
            if self.text(i) == "{":
                if i and self.text(i - 1) == ")":
                    name = self.name_of_function(i - 1)
                    end = self.matching(i)
                    self.functions[name] = (self.tokens[i].line, self.tokens[end - 1].line)
                    self.function = name
                    self.parameters.tasks(i, end)
                    self.block(i)
                    i = end
                    continue
                i = self.matching(i)
                continue
            i += 1
        for at, _, text in sorted(self.insertions, reverse=True):
            self.source = self.source[:at] + text + self.source[at:]
        return self.source

    def name_of_function(self, closing):
        depth, i = 0, closing
        while True:
            depth += (self.text(i) == ")") - (self.text(i) == "(")
            if not depth:
                break
            i -= 1
        coroutine = self.text(i - 1) == "PT_ASYNC"  # (name, frame)
        self.frame = self.text(i + 3) if coroutine else ""
        return self.text(i + 1) if coroutine else self.text(i - 1)

    def announce(self, i, end):
        """Announce the frames and objects that a function declares, if they outlive it: those of main, and static ones.
        A frame on the stack becomes zero first, so that its bytes are the same everywhere."""
        text = without_comments(self.source[self.tokens[i].at:self.tokens[end - 1].at])
        local = re.fullmatch(r"volatile int (\w+)", text)
        if local:
            self.insert(self.tokens[end - 1].end, " play_object_((struct play_object_){" f'"{local[1]}", '
                        f"'V', (const void *)&{local[1]}, \"int\", '?'}});")
        lasting = self.text(i) == "static"
        declared = DECLARATION.match(text)
        if not declared or not (lasting or self.function == "main"):
            return
        for name in declarators(declared["names"]):
            one = re.fullmatch(r"(\w+)(\[\w+\])?", name)
            row = one and object_row(one[1], one[2], declared["type"], self.coroutines, self.parameters.sizes)
            if row:
                zero = "" if lasting or "=" in text else f" __builtin_memset(&{one[1]}, 0, sizeof {one[1]});"
                self.insert(self.tokens[end - 1].end, f"{zero} play_object_((struct play_object_){{{row}}});")

    def block(self, i):
        end = self.matching(i) - 1
        i += 1
        while i < end:
            i = self.statement(i, True)
        return end + 1

    def body(self, i):
        """The statement after a condition: with braces of its own, or without."""
        if self.text(i) == "{":
            return self.block(i)
        if self.text(i) == ";":
            return i + 1
        self.insert(self.tokens[i].at, "{ ")
        self.insert(self.tokens[i].at, "" if self.text(i) == "while" else self.hook(i))
        end = self.statement(i, False)
        self.insert(self.tokens[end - 1].end, " }")
        return end

    def condition(self, i):
        self.insert(self.tokens[i].end, self.hook(i, ","))
        return self.matching(i)

    def statement(self, i, hooked):
        word = self.text(i)
        if word == "{":
            return self.block(i)
        if word == ";":
            return i + 1
        if word == "if":
            if hooked:
                self.insert(self.tokens[i].at, self.hook(i))
            return self.branches(self.matching(i + 1))
        if word == "while":
            return self.body(self.condition(i + 1))
        if word == "for":
            return self.loop(i, hooked)
        if word == "switch":
            if hooked:
                self.insert(self.tokens[i].at, self.hook(i))
            return self.body(self.matching(i + 1))
        if word == "do":
            end = self.body(i + 1)
            return self.condition(end + 1) + 1
        if word == "case" or (self.text(i + 1) == ":" and self.tokens[i].kind == "word"):
            while self.text(i) != ":":
                i += 1
            return i + 1
        if word == "PT_FINALLY":
            return i + 1
        if self.tokens[i].kind == "word" and self.text(i + 1) == "(" and word not in DECLARES:
            behind = self.matching(i + 1)
            if self.text(behind) == "{" or self.tokens[behind].kind == "word" and self.text(behind) != "else":
                if hooked:
                    self.insert(self.tokens[i].at, self.hook(i))
                self.parameters.statement(i, behind)
                return self.body(behind)
        end = self.semicolon(i)
        if hooked and word != "PT_BARE_END" and not self.declares(i, end):
            self.insert(self.tokens[i].at, self.hook(i))
        self.announce(i, end)
        self.parameters.statement(i, end)
        return end

    def branches(self, i):
        i = self.body(i)
        if self.text(i) != "else":
            return i
        if self.text(i + 1) == "if":
            return self.branches(self.condition(i + 2))
        return self.body(i + 1)

    def loop(self, i, hooked):
        if hooked:
            self.insert(self.tokens[i].at, self.hook(i))
        self.parameters.loop(i)
        end = self.matching(i + 1)
        first = self.semicolon(i + 2)
        second = self.semicolon(first)
        if second < end - 1:
            self.insert(self.tokens[second].at, self.hook(i, ","))
        return self.body(end)

    def declares(self, i, end):
        """Whether a statement only declares: nothing happens there."""
        words = [token.text for token in self.tokens[i:end]]
        if words[0] == "static" or words[0] in DECLARES:
            return True
        declares = words[0] in TYPES or self.tokens[i].kind == self.tokens[i + 1].kind == "word"
        return declares and words[0] != "return" and words[0] != "goto" and "=" not in words


def own_order(source):
    """Whether a program chooses the order of its tasks itself."""
    return "pt_sim_open" in source or "struct pt_observer" in source


def head_of(chapter):
    """What is in a struct pt."""
    if not chapter:
        return "function, caller, label, status; in this page a line, too"
    parts = ((3, "function"), (7, "caller"), (2, "label"), (6, "status, result"), (9, "cleaning, shielded"))
    return ", ".join(words for first, words in parts if chapter >= first)


def recorder(source, file, chapter):
    """What stands after the program: its recorder, and the tables of that."""
    if not chapter or chapter >= 4:
        name = "miniature" if chapter else "record"
        return (f'#define PLAY_OWN_ORDER {int(own_order(source))}\n#define PLAY_FILE "{file}"\n'
                f'#include "{name}.h"\n')
    label = "((const struct pt *)(frame))->label" if chapter > 1 else "0"  # in chapter 1 a frame has none yet
    return f'#define PLAY_LABEL(frame) {label}\n#include "plain.h"\n'


def instrumented(source, name, chapter=0):
    """The program with hooks, and what the page shows of it. CHAPTER: of the book; 0: a program on pt."""
    plain = without_comments(source)
    walk = Walk(source, coroutines_of(plain))
    text = walk.run()
    last = max(found.end() for found in re.finditer(r"^#include.*\n", text, re.M))
    line = text[:last].count("\n") + 1
    text = f'#line 1 "{name}"\n{text[:last]}#include "play.h"\n#line {line} "{name}"\n{text[last:]}'
    text += "\n#line 1 \"tables\"\n" + tables(source, chapter, walk.parameters.sizes) + recorder(plain, name, chapter)
    orders = (chapter >= 4 if chapter else not own_order(plain)) and "pt_loop_" in plain
    return text, {"lines": sorted(walk.lines), "parameters": walk.parameters.found, "functions": walk.functions,
                  "coroutines": walk.coroutines, "orders": orders, "ownOrder": own_order(plain),
                  "head": head_of(chapter)}
