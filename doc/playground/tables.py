# tables.py - what the recorder needs of a program: the structs of its frames, and the objects at which tasks meet
# SPDX-License-Identifier: MIT
"""tables(source, chapter, sizes) returns them as C, for recorder/tables.h. CHAPTER: of the book; 0: a program on pt."""

import re

# How a type is recognized, its letter in record.h, the member that the recorder reads, and the word on the page.
OBJECTS = [(re.compile(pattern), kind, member, word) for pattern, kind, member, word in (
    (r"PT_CHANNEL\(", "C", ".channel", "channel"), (r"PT_QUEUE\(", "Q", ".queue", "queue"),
    (r"PT_BROADCAST\(", "B", ".sent", "broadcast"), (r"PT_LATEST\(", "B", ".sent", "latest value"),
    (r"PT_POOL\(", "P", ".pool", "pool"),
    (r"struct pt_event$", "E", "", "event"), (r"struct pt_lock$", "L", "", "lock"),
    (r"struct pt_semaphore$", "S", "", "semaphore"), (r"struct pt_condition$", "N", "", "condition"),
    (r"struct pt_flags$", "F", "", "flags"), (r"struct pt_barrier$", "R", "", "barrier"),
    (r"struct pt_rwlock$", "W", "", "read-write lock"), (r"struct pt_group$", "G", "", "group"),
    (r"struct pt_channel$", "C", "", "channel"))]
BLOCKS = {"struct pt_scope": "'c'", "struct pt_group": "'g'", "struct pt_ticker": "'k'"}  # in a frame


def declarators(text):
    """The names that a declaration declares, with `*` before and `[..]` after it: ("*next", "items[3]")."""
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


def field_rows(source, coroutines, struct, chapter, prefix=""):
    """A row for each field of a struct; those of a small struct in it stand there too."""
    rows = []
    outer = prefix.partition(".")[0] if prefix else struct
    inside = prefix.partition(".")[2]
    for kind_of, name, pointer, array in fields_of(source, struct):
        inner = re.fullmatch(r"struct (\w+)", kind_of)
        if inner and not pointer and not array and inner[1] not in coroutines and fields_of(source, inner[1]):
            rows += field_rows(source, coroutines, inner[1], chapter, f"{outer}.{inside}{name}.")
        else:
            rows.append(field_row(outer, (kind_of, inside + name, pointer, array), coroutines, chapter))
    return rows


def field_row(struct, field, coroutines, chapter):
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
    elif kind_of == "pt_time" and has_tasks(chapter):
        kind = "'t'"
    elif frame and frame[1] in coroutines and has_functions(chapter):
        kind = "'F'"
    elif kind_of.startswith("PT_TASK(") and has_tasks(chapter):
        kind = "'T'"
    elif kind_of in BLOCKS and not chapter and not array:
        kind = BLOCKS[kind_of]
    elif kind_of.startswith(("struct", "union", "PT_")) and not pointer:
        kind, count = "'?'", "1"
    else:
        kind = f"PLAY_KIND_({one})"
    return f'    {{"{name}", offsetof(struct {struct}, {name}), {size}, {count}, {kind}, "{kind_of}"}},\n'


def object_row(name, array, kind_of, coroutines, sizes):
    """What describes an object at which tasks wait, or a frame; None if it is neither. ARRAY: `[N]`, or nothing."""
    place = f"{name}[0]" if array else name
    many = f"sizeof {name} / sizeof {name}[0], sizeof {name}[0]" if array else "0, 0"
    size = sizes.get(name) or sizes.get((array or "").strip("[]"))
    if size:  # play.h counts parameters from 1 here: 0 is none
        many += f", {size[0] + 1}, {size[1]}"
    for pattern, kind, member, word in OBJECTS:
        if pattern.match(kind_of):
            item = f"PLAY_KIND_({place}.items[0]), sizeof {place}.items[0]" if kind == "Q" else "'?', 0"
            return f'"{name}", \'{kind}\', &{place}{member}, "{word}", {item}, {many}'
    found = re.match(r"(?:PT_TASK\((\w+)\)|struct (\w+))$", kind_of)
    if found and (found[1] or found[2]) in coroutines:
        member, before = (".frame", "sizeof(struct pt_task)") if found[1] else ("", "0")
        return f'"{name}", \'X\', &{place}{member}, "{found[1] or found[2]}", \'?\', {before}, {many}'
    return None


def file_objects(source, coroutines, sizes):
    """Rows for the objects that are declared outside of functions."""
    rows = []
    for found in re.finditer(r"^static (?:PT_[A-Z]+\(|struct )[^;]*(?=;)", source, re.M):
        declared = DECLARATION.match(found[0])
        for name in declarators(declared["names"]) if declared else []:
            one = re.fullmatch(r"(\w+)(\[\w+\])?", name)
            row = one and object_row(one[1], one[2], declared["type"], coroutines, sizes)
            if row:
                rows.append(f"    {{{row}}},\n")
    return rows


def coroutines_of(source):
    found = re.findall(r"^(?:static )?PT_ASYNC\((\w+),", source, re.M)
    return found or re.findall(r"^struct (\w+) {", source, re.M)  # chapter 1 has no macros yet


def has_tasks(chapter):
    """Whether a program has tasks: the book's begin in chapter 4."""
    return not chapter or chapter >= 4


def has_functions(chapter):
    """Whether a frame has a pointer to its function."""
    return not chapter or chapter >= 3


def tables(source, chapter, sizes):
    source = without_comments(source)
    coroutines = coroutines_of(source)
    text = '#include "tables.h"\n'
    types = ""
    for name in coroutines:
        rows = field_rows(source, coroutines, name, chapter)
        text += (f"static const struct play_field_ play_fields_{name}_[] = {{\n{''.join(rows)}"
                 "    {NULL, 0, 0, 0, 0, NULL}};\n")
        function = f"PT_FN({name}), " if has_functions(chapter) else ""
        types += f'    {{"{name}", {function}sizeof(struct {name}), {len(rows)}, play_fields_{name}_}},\n'
    objects = "".join(file_objects(source, coroutines, sizes))
    return (f"{text}static const struct play_type_ play_types_[] = {{\n{types}    {{NULL}}}};\n"
            f"static const struct play_object_ play_table_[] = {{\n{objects}    {{NULL}}}};\n")
