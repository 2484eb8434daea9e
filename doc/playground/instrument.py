# instrument.py - a program for the playground: its source with a hook before each statement, and tables of its structs
# SPDX-License-Identifier: MIT
"""instrumented(source, name) returns the program's text with hooks, and what the page needs to know of it.

The programs are laid out by clang-format, and this reads no other C: a tokenizer and a walk over statements. No line
moves, so that a line of the trace is a line of the source."""

import re

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
# How a type is recognized, its letter in record.h, the member that the recorder reads, and the word on the page.
OBJECTS = [(re.compile(pattern), kind, member, word) for pattern, kind, member, word in (
    (r"PT_CHANNEL\(", "C", ".channel", "channel"), (r"PT_QUEUE\(", "Q", ".queue", "queue"),
    (r"PT_BROADCAST\(", "B", ".sent", "broadcast"), (r"PT_POOL\(", "P", ".pool", "pool"),
    (r"struct pt_event$", "E", "", "event"), (r"struct pt_lock$", "L", "", "lock"),
    (r"struct pt_semaphore$", "S", "", "semaphore"), (r"struct pt_condition$", "N", "", "condition"),
    (r"struct pt_flags$", "F", "", "flags"), (r"struct pt_barrier$", "R", "", "barrier"),
    (r"struct pt_rwlock$", "W", "", "read-write lock"))]


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
        self.tokens = tokens_of(source)
        self.insertions = []  # (position, order, text)
        self.lines = set()
        self.parameters = []  # {"line", "value", "text"}
        self.functions = {}  # the name of a function: its first and its last line

    def text(self, i):
        return self.tokens[i].text if i < len(self.tokens) else ""

    def insert(self, at, text):
        self.insertions.append((at, len(self.insertions), text))

    def hook(self, i, end=";"):
        self.lines.add(self.tokens[i].line)
        return f"play_line_({self.tokens[i].line}){end} "

    def matching(self, i):
        """The index behind the bracket that closes the one at I."""
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
        return self.text(i + 1) if self.text(i - 1) == "PT_ASYNC" else self.text(i - 1)

    def announce(self, i, end):
        """Announce the frames and objects that a function declares, if they outlive it: those of main, and static ones.
        A frame on the stack becomes zero first, so that its bytes are the same everywhere."""
        text = without_comments(self.source[self.tokens[i].at:self.tokens[end - 1].at])
        local = re.fullmatch(r"volatile int (\w+)", text)
        if local:
            self.insert(self.tokens[end - 1].end, f' play_object_("{local[1]}", \'V\', (const void *)&{local[1]}, "int", '
                        "'?', 0, 0, 0);")
        lasting = self.text(i) == "static"
        declared = DECLARATION.match(text)
        if not declared or not (lasting or self.function == "main"):
            return
        for name in declarators(declared["names"]):
            one = re.fullmatch(r"(\w+)(\[\w+\])?", name)
            row = one and object_row(one[1], one[2], declared["type"], self.coroutines)
            if row:
                zero = "" if lasting or "=" in text else f" __builtin_memset(&{one[1]}, 0, sizeof {one[1]});"
                self.insert(self.tokens[end - 1].end, f"{zero} play_object_({row});")

    def block(self, i):
        end = self.matching(i) - 1
        i += 1
        while i < end:
            i = self.statement(i, True)
        return end + 1

    def body(self, i):
        """The statement behind a condition: with braces of its own, or without."""
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
                self.numbers(i, behind)
                return self.body(behind)
        end = self.semicolon(i)
        if hooked and word != "PT_BARE_END" and not self.declares(i, end):
            self.insert(self.tokens[i].at, self.hook(i))
        self.announce(i, end)
        self.numbers(i, end)
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

    def numbers(self, i, end):
        """The numbers that the reader may change: delays, and values of fields at a start."""
        macro = self.text(i)
        if macro not in ("PT_START", "PT_SPAWN", "PT_SPAWN_IN", "PT_WAIT", "PT_WAIT_COMPLETE", "PT_TRY"):
            return
        for at in range(i + 2, end):
            token, before = self.tokens[at], self.tokens[at - 1]
            if token.kind != "number" or not re.fullmatch(r"[1-9]\d{0,5}", token.text):
                continue
            unit = self.text(at - 2) if before.text == "(" else ""
            field = self.text(at - 2) if before.text == "=" else ""
            if unit in ("PT_SEC", "PT_MS") and self.text(at - 3) == "=":
                field = self.text(at - 4)
            if self.text(at + 1) not in ",)" or not (field or unit in ("PT_SEC", "PT_MS", "MINUTES", "HOURS")):
                continue
            number = len(self.parameters)
            if number == 64:
                return
            unit = {"PT_SEC": " s", "PT_MS": " ms", "MINUTES": " min", "HOURS": " h"}.get(unit, "")
            self.parameters.append({"line": token.line, "value": int(token.text), "unit": unit,
                                    "name": field or "wait"})
            self.insert(token.at, f"play_parameter_({number}, ")
            self.insert(token.end, ")")


def declarators(text):
    """The names that a declaration declares, with `*` before and `[..]` behind: ("*next", "items[3]")."""
    depth, names, name = 0, [], ""
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            names.append(name)
            name = ""
        else:
            name += character
    return [re.sub(r"\s*=.*", "", one, flags=re.S).strip() for one in names + [name]]


DECLARATION = re.compile(r"""^\s*(?:static\s+)?
    (?P<type>(?:const\s+)?(?:PT_[A-Z]+\((?:[^()]|\([^()]*\))*\)|(?:struct|enum|union)\s+\w+
    |unsigned(?:\s+(?:char|int|long|short))?\b|\w+\b))
    \s*(?P<names>[*\w].*)$""", re.X | re.S)


def without_comments(source):
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda found: "\n" * found[0].count("\n"), source, flags=re.S)


def fields_of(source, struct):
    """The fields of a struct: (type, name, pointer, array)."""
    found = re.search(rf"^struct {struct} {{\n(.*?)^}};", source, re.M | re.S)
    fields = []
    for line in (found[1] if found else "").split(";"):
        declared = DECLARATION.match(line)
        if not declared or "{" in line or re.search(r"\(\s*\*", line):
            continue
        for name in declarators(declared["names"]):
            one = re.fullmatch(r"(\**)\s*(?:const\s+)?(\w+)\s*(\[.*\])?", name, re.S)
            if one and one[2] != "pt":
                fields.append((" ".join(declared["type"].split()), one[2], one[1], one[3] or ""))
    return fields


def field_rows(source, coroutines, struct, prefix="", miniature=False):
    """A row for each field of a struct; those of a small struct in it stand there too."""
    rows = []
    outer = prefix.partition(".")[0] if prefix else struct
    inside = prefix.partition(".")[2]
    for kind_of, name, pointer, array in fields_of(source, struct):
        inner = re.fullmatch(r"struct (\w+)", kind_of)
        if inner and not pointer and not array and inner[1] not in coroutines and fields_of(source, inner[1]):
            rows += field_rows(source, coroutines, inner[1], f"{outer}.{inside}{name}.", miniature)
        else:
            rows.append(field_row(outer, (kind_of, inside + name, pointer, array), coroutines, miniature))
    return rows


def field_row(struct, field, coroutines, miniature):
    kind_of, name, pointer, array = field
    place = f"((struct {struct} *)0)->{name}"
    size = f"sizeof({place})"
    count = f"{size} / sizeof({place}[0])" if array else "1"
    one = f"{place}[0]" if array else place
    frame = re.fullmatch(r"struct (\w+)", kind_of)
    if array.count("[") > 1:
        kind, count = "'?'", "1"
    elif kind_of.endswith("char") and array and not pointer:
        kind, count = "'a'", "1"
    elif pointer and not (kind_of.endswith("char") and pointer == "*"):
        kind = "'p'"
    elif kind_of == "pt_time" and not miniature:
        kind = "'t'"
    elif frame and frame[1] in coroutines and not miniature:
        kind = "'F'"
    elif kind_of.startswith("PT_TASK(") and not miniature:
        kind = "'T'"
    elif kind_of.startswith(("struct", "union", "PT_")) and not pointer:
        kind, count = "'?'", "1"
    else:
        kind = f"PLAY_KIND_({one})"
    return f'    {{"{name}", offsetof(struct {struct}, {name}), {size}, {count}, {kind}, "{kind_of}"}},\n'


def object_row(name, array, kind_of, coroutines):
    """What describes an object at which tasks wait, or a frame; None if it is neither. ARRAY: `[N]`, or nothing."""
    place = f"{name}[0]" if array else name
    many = f"sizeof {name} / sizeof {name}[0], sizeof {name}[0]" if array else "0, 0"
    for pattern, kind, member, word in OBJECTS:
        if pattern.match(kind_of):
            item = f"PLAY_KIND_({place}.items[0]), sizeof {place}.items[0]" if kind == "Q" else "'?', 0"
            return f'"{name}", \'{kind}\', &{place}{member}, "{word}", {item}, {many}'
    found = re.match(r"(?:PT_TASK\((\w+)\)|struct (\w+))$", kind_of)
    if found and (found[1] or found[2]) in coroutines:
        member = ".frame" if found[1] else ""
        return f'"{name}", \'X\', &{place}{member}, "{found[1] or found[2]}", \'?\', 0, {many}'
    return None


def file_objects(source, coroutines):
    """Rows for the objects that are declared outside of functions."""
    rows = []
    for found in re.finditer(r"^static (?:PT_[A-Z]+\(|struct )[^;]*(?=;)", source, re.M):
        declared = DECLARATION.match(found[0])
        for name in declarators(declared["names"]) if declared else []:
            one = re.fullmatch(r"(\w+)(\[\w+\])?", name)
            row = one and object_row(one[1], one[2], declared["type"], coroutines)
            if row:
                rows.append(f"    {{{row}}},\n")
    return rows


def coroutines_of(source):
    found = re.findall(r"^(?:static )?PT_ASYNC\((\w+),", source, re.M)
    return found or re.findall(r"^struct (\w+) {", source, re.M)  # chapter 1 has no macros yet


def tables(source, miniature):
    source = without_comments(source)
    coroutines = coroutines_of(source)
    text = '#include "tables.h"\n'
    types = ""
    for name in coroutines:
        rows = field_rows(source, coroutines, name, "", miniature)
        text += f"static const struct play_field_ play_fields_{name}_[] = {{\n{''.join(rows)}    {{NULL, 0, 0, 0, 0, NULL}}}};\n"
        function = "" if miniature else f"PT_FN({name}), "
        types += f'    {{"{name}", {function}sizeof(struct {name}), {len(rows)}, play_fields_{name}_}},\n'
    objects = "".join(file_objects(source, coroutines))
    none = "NULL, 0, 0, NULL" if miniature else "NULL, NULL, 0, 0, NULL"
    return (f"{text}static const struct play_type_ play_types_[] = {{\n{types}    {{{none}}}}};\n"
            f"static const struct play_object_ play_table_[] = {{\n{objects}"
            "    {NULL, 0, NULL, NULL, 0, 0, 0, 0}};\n"
            f"#define PLAY_OWN_ORDER {int(own_order(source))}\n")


def own_order(source):
    """Whether a program chooses the order of its tasks itself."""
    return "pt_sim_open" in source or "pick = " in source


def instrumented(source, name, miniature=False):
    """The program with hooks, and what the page shows of it."""
    plain = without_comments(source)
    walk = Walk(source, coroutines_of(plain))
    text = walk.run()
    last = max(found.end() for found in re.finditer(r"^#include.*\n", text, re.M))
    line = text[:last].count("\n") + 1
    kind = "" if miniature else "#define PLAY_PT 1\n"
    text = f'#line 1 "{name}"\n{text[:last]}{kind}#include "play.h"\n#line {line} "{name}"\n{text[last:]}'
    text += "\n#line 1 \"tables\"\n" + tables(source, miniature)
    if miniature:
        # In chapter 1 a frame has no label yet.
        text += f"#define PLAY_LABEL(frame) {'((const struct pt *)(frame))->label' if 'pt.h' in source else '0'}\n"
    text += f'#include "{"plain" if miniature else "record"}.h"\n'
    orders = not miniature and not own_order(plain) and "pt_loop_" in plain
    return text, {"lines": sorted(walk.lines), "parameters": walk.parameters, "functions": walk.functions,
                  "orders": orders}
