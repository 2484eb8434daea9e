"""apidoc - what the headers of include/pt, http and tls say about their public names; for scripts/reference
SPDX-License-Identifier: MIT

A header is read from the top to its line "implementation", or to its end. A comment belongs to the declarations
and macros that follow it without an empty line: together they are a Group. A name is public as for check-names.
"""
import pathlib
import re

from apitext import comment_lines, paragraphs, public, sentence, split, without_comments, wrapped

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = ROOT / "include/pt"
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()
ROOMS = dict(re.findall(r"^  (\w+)/ +(.*)$", ARCHITECTURE, re.M))  # in the order of their floors: what is in each
del ROOMS["classic"]  # the API of another library
BESIDE = {"http": "HTTP/1.1 over llhttp: libpt-http", "tls": "TLS over OpenSSL 3: libpt-tls"}
BESIDE = {name: text for name, text in BESIDE.items() if (ROOT / name).is_dir()}  # a copy can be without them
ROOMS.update(BESIDE)
FACES = "pt inspect posix virtual sim threads fiber native host".split()
ATTRIBUTES = re.compile(r"\b(?:PT_API|PT_ALWAYS|PT_COLD|PT_EXPORT|PT_NOINLINE|PT_SHARED|PT_SHORT)\s+")
END_OF_API = re.compile(r"^/\* --- implementation -+ \*/$", re.M)
RULER = re.compile(r"^/\* --- (.+?) -+ \*/$", re.S)


class Item:
    """A declaration or macro: its public names, how it is written, and the conditions that it needs."""

    def __init__(self, kind, names, text, conditions=()):
        self.kind, self.names, self.text, self.conditions = kind, names, text, list(conditions)

    def merge(self, other):
        """OTHER defines the same under another condition: neither the condition nor the value holds always."""
        self.conditions = [c for c in self.conditions if c in other.conditions]
        if self.kind == "macro" and self.text != other.text:
            self.text = re.sub(r"^#define (\w+) .*", r"\1", self.text)


class Group:
    """A comment and its items. HEADS: how each is used; SUMMARY, MORE: what the comment says."""

    def __init__(self, comment, section):
        self.section, self.items, self.summary = section, [], ""
        self.usages = {}
        lines = comment_lines(comment) if comment else []
        if lines and re.match(r"(pt|PT)_\w+", lines[0]) and " - " in lines[0]:
            usage, self.summary = lines.pop(0).split(" - ", 1)
            self.usages = {re.match(r"\w*", part).group(): part for part in split(usage)}
            while lines and (self.summary.endswith(",") or re.match(r"[a-z]+\b(?!->)", lines[0])):
                self.summary += " " + lines.pop(0) # it does not end with its line
        self.more = list(paragraphs(lines))
        self.note = bool(lines) # a comment by itself, until something follows it without an empty line

    def names(self):
        return [name for item in self.items for name in item.names]

    def parts(self):
        """What the comment says, as paragraphs()."""
        more = self.more
        if not self.summary:
            return more
        text = sentence(self.summary)
        if more and more[0][0] == "text":
            return [("text", f"{text} {more[0][1]}")] + more[1:]
        return [("text", text)] + more

    def heads(self):
        """The text of each item; of a macro, its use as the comment shows it."""
        for item in self.items:
            usage = self.usages.get(item.names[0], "")
            yield usage if item.kind == "macro" and re.search(r"\W", usage) else item.text

    def conditions(self):
        """What all items need."""
        return [c for c in self.items[0].conditions if all(c in item.conditions for item in self.items)]


class Header:
    """A header: its summary, description, groups, and the names in it."""

    def __init__(self, path, definitions):
        beside = path.relative_to(ROOT).parts[0] in BESIDE
        self.path = f"{path.parts[-3]}/{path.name}" if beside else str(path.relative_to(CORE))
        self.room, _, self.base = self.path.rpartition("/")
        text = path.read_text()
        head = comment_lines(re.match(r"/\*.*?\*/", text, re.S).group())
        self.summary = head[0].split(" - ", 1)[1]
        self.about = list(paragraphs([line for line in head[1:] if "SPDX-License" not in line]))
        end = END_OF_API.search(text)
        self.text = text[:end.start()] if end else text
        self.definitions = definitions
        self.face = self.path # or the face that includes it: load()
        self.groups = self.adopted(list(self.read()))
        self.conditions = self.shared_conditions()

    def names(self):
        return list(dict.fromkeys(name for group in self.groups for name in group.names()))

    def shared_conditions(self):
        """What every group needs: the page says it once."""
        groups = [group.conditions() for group in self.groups if group.items]
        return [c for c in groups[0] if all(c in conditions for conditions in groups)] if groups else []

    def chunks(self):
        """(kind, text) of each comment, directive, declaration and empty line."""
        lines = iter(self.text[self.text.index("*/") + 2:].split("\n"))
        for line in lines:
            chunk = line
            if line.startswith("/*"):
                while "*/" not in chunk:
                    chunk += "\n" + next(lines)
                yield "comment", chunk
            elif line.startswith("#"):
                while chunk.endswith("\\"):
                    chunk += "\n" + next(lines)
                yield "directive", chunk
            elif line.strip() in ("", "}", "PT_END", 'extern "C" {') or line.startswith("PT_QUIET_"):
                yield "gap", ""
            else:
                while not self.complete(chunk):
                    chunk += "\n" + next(lines)
                yield "code", chunk

    @staticmethod
    def complete(chunk):
        code = without_comments(re.sub(r"^#.*$", "", chunk, flags=re.M)).strip()
        depth = sum(code.count(opening) for opening in "({") - sum(code.count(closing) for closing in ")}")
        return depth == 0 and (code[-1] in ";}" or bool(re.match(r"PT_\w+_\(", code)))

    def read(self):
        """The groups. A name that is defined twice, under #if and #else, counts once and needs neither."""
        section, conditions, known = "", [], {}
        group = Group("", section)
        for kind, chunk in self.chunks():
            if kind == "gap":
                yield group
                group = Group("", section)
            elif kind == "comment" and RULER.match(chunk):
                section = RULER.match(chunk).group(1)
                group = Group("", section)
            elif kind == "comment" and "clang-format" not in chunk:
                yield group
                group = Group(chunk, section)
            elif kind == "directive" and self.condition(chunk, conditions):
                continue
            elif kind in ("directive", "code"):
                group.note = False
                for item in self.items(chunk, [c for c in conditions if c]):
                    if item.kind == "renaming" or item.names[0] not in known:
                        if item.kind != "renaming":
                            known[item.names[0]] = item
                        group.items.append(item)
                    elif item.kind == "resumable":
                        known[item.names[0]].text += "\n\n" + item.text
                    else:
                        known[item.names[0]].merge(item)
        yield group

    def adopted(self, groups):
        """The groups with items. An item without a comment goes to the comment that begins with its name, or takes
        its text from a table in a comment, or from the comment in its line."""
        owners = {name: group for group in groups for name in group.usages}
        rows = dict(re.findall(r"^ \*  +((?:pt|PT)_\w+|struct pt_\w+) {2,}(.+)$", self.text, re.M))
        aside = dict(re.findall(r"^#define (\w+) .*/\* (.*) \*/$", self.text, re.M))
        told = "\n".join(text for kind, text in self.about if kind == "text")
        for group in groups:
            if group.summary or group.more:
                continue
            for item in list(group.items):
                name = item.names[0]
                if name in owners:
                    group.items.remove(item)
                    owners[name].items.append(item)
                elif name in rows or name in aside:
                    group.summary = rows.get(name) or aside[name]
                elif re.search(rf"\b{name}\b", told):
                    group.more = [part for part in self.about if re.search(rf"\b{name}\b", part[1])]
        return [group for group in groups if group.items or group.note]

    def condition(self, chunk, conditions):
        """Whether CHUNK is an #if or the like; keep the list of CONDITIONS, in words or empty."""
        word = re.match(r"#\s*(\w+)", chunk).group(1)
        if word in ("if", "ifdef", "ifndef"):
            conditions.append(self.words(re.sub(r"\\\n", "", chunk[3:])) if word == "if" else "")
        elif word in ("else", "elif"):
            conditions[-1] = ""
        elif word == "endif":
            conditions.pop()
        return word != "define"

    def words(self, condition):
        """A condition on knobs in words, or nothing if it asks about the compiler."""
        condition = without_comments(condition).strip()
        call = re.fullmatch(r"PT_(AND|OR)_\((.*)\)", condition)
        if call:
            condition = {"AND": "&&", "OR": "||"}[call.group(1)].join(split(call.group(2)))
        for symbol, word in ("||", " or "), ("&&", " and "):
            if symbol in condition:
                found = [self.words(part) for part in condition.split(symbol)]
                other = {" or ": " and ", " and ": " or "}[word]
                return word.join(f"({part})" if other in part else part for part in found) if all(found) else ""
        if condition in self.definitions and condition != "PT_HAS_TIMERS_":
            return self.words(self.definitions[condition])
        condition = condition.replace("PT_HAS_TIMERS_", "PT_TIMERS")
        return condition if re.fullmatch(r"PT_[A-Z_]*[A-Z]( [=!<>]+ \w+)?", condition) else ""

    def items(self, chunk, conditions):
        """The items of a macro or a declaration, if it has public names."""
        needs = re.match(r"PT_IF_\(", chunk)
        if needs:
            knob, *rest = split(chunk[needs.end():].rstrip()[:-1])
            yield from self.items(", ".join(rest), conditions + [c for c in [self.words(knob)] if c])
            return
        macro = re.match(r"#define (\w+)(\([^)]*\))?(.*)", chunk, re.S)
        if macro:
            renames = macro.group(1).islower() and not macro.group(2) # a function or struct, in some programs
            if public(macro.group(1)) and not re.fullmatch(r"PT_\w+_H", macro.group(1)):
                yield Item("renaming" if renames else "macro", [macro.group(1)], self.macro_head(*macro.groups()), conditions)
            return
        code = ATTRIBUTES.sub("", chunk).strip()
        if code == chunk and not re.match(r"typedef|struct|enum|static const", code):
            return
        resumable = re.match(r"PT_DECLARE\((\w+)\);", code)
        if resumable:
            yield Item("resumable", [resumable.group(1)], code, conditions)
        else:
            yield from self.declaration(code, conditions)

    def macro_head(self, name, parameters, body):
        """NAME(parameters), or a plain value: NAME 1."""
        value = re.sub(r"/\*.*?\*/", "", body.replace("\\\n", ""), flags=re.S).strip()
        if re.match(r"PT_(AND|OR)_", value):
            value = self.words(value).replace(" and ", " && ").replace(" or ", " || ")
        private = re.search(r"_\b|__|[{#]", value)
        return name + parameters if parameters else f"#define {name} {value}" if value and not private else name

    def declaration(self, code, conditions):
        plain = without_comments(code)
        brace = re.match(r"(typedef )?(struct|enum|union)\s*(\w*)\s*\{", plain)
        if brace:
            if brace.group(2) == "enum":
                code = self.expanded(code)
            names = [brace.group(3)] + re.findall(r"\}\s*(\w+);$", plain)
            if brace.group(2) == "enum":
                body = without_comments(code).split("{", 1)[1].rsplit("}", 1)[0]
                names += [re.match(r"\w*", part).group() for part in split(body)]
            kind, text = brace.group(2), code
        elif plain.startswith("typedef"):
            names = re.findall(r"(\w+)\s*(?:\)\s*)?(?:\([^()]*\))?;$", plain)
            kind, text = "typedef", code
        elif plain.startswith("static const"):
            names = re.findall(r"^static const (?:struct )?\w+ (\w+)", plain)
            kind, text = "variable", re.sub(r"static (.*?)(?: PT_MAYBE_UNUSED)? =.*", r"\1;", code, flags=re.S)
        else:
            names = re.findall(r"\b(pt_\w+)\(", plain.split("{")[0])[:1]
            kind, text = "function", re.split(r"\s*(?:\{|;$)", code, maxsplit=1)[0] + ";"
            text = wrapped(re.sub(r"^PT_\w+_ ", "", re.sub(r"\n\s+", " ", text)))
        names = [name for name in dict.fromkeys(names) if public(name)]
        if names:
            yield Item(kind, names, text, conditions)

    def expanded(self, code):
        """An enum whose enumerators come from a table of include/pt, with these written out."""
        use = re.search(r"#define (\w+)\(([^)]*)\) (.*),\n\s*(\w+)\(\1\)\n#undef \1\n", code)
        if not use:
            return code
        rows = []
        for row in re.findall(r"X\((.*)\)", self.definitions[use.group(4)]):
            values = dict(zip(split(use.group(2)), split(row)))
            name = re.sub(r"\w+", lambda word: values.get(word.group(), word.group()), use.group(3))
            text = values["text"].strip('"')
            rows.append((f"    {name.replace('##', '')},", text))
        width = max(len(name) for name, _ in rows)
        lines = (f"{name:{width}} /* {text} */\n" for name, text in rows)
        return code[:use.start()] + "".join(lines) + code[use.end():]


def definitions():
    """The text of each private condition (PT_HAS_TIMERS_) and each table."""
    found = {}
    for path in CORE.glob("*/*.h"):
        text = path.read_text()
        for name, body in re.findall(r"^#define (PT_HAS_\w+_|PT_TAKES_\w+_) ((?:PT_\w+_\(|PT_).*)$", text, re.M):
            found.setdefault(name, body)
        for name, body in re.findall(r"^#define (PT_\w+_TABLE)\(X\)((?:.*\\\n)*.*)", text, re.M):
            found[name] = body
    return found


def include(path, seen):
    """Append a header and those that it includes to SEEN, as paths below include/pt."""
    name = str(path.resolve().relative_to(CORE))
    if name not in seen:
        seen.append(name)
        for other in re.findall(r'^#include "([^"]+)"', path.read_text(), re.M):
            include(path.parent / other, seen)


def load():
    """The headers with public names, in the order of the rooms and of inclusion; the faces and their summaries."""
    known = definitions()
    strange = {path.parent.name for path in CORE.glob("*/*.h")} - set(ROOMS) - {"classic"}
    assert not strange, f"not a room of ARCHITECTURE.md: {strange}"
    folders = [ROOT / room / "pt" if room in BESIDE else CORE / room for room in ROOMS]
    paths = [path for folder in folders for path in sorted(folder.glob("*.h"))]
    headers = {h.path: h for h in (Header(p, known) for p in paths)}
    faces, seen = {}, []
    for face in (CORE / f"{name}.h" for name in FACES):
        faces[face.name] = re.match(r"/\* \S+ - (.*)", face.read_text()).group(1)
        before = len(seen)
        include(face, seen)
        for path in seen[before:]:
            if path in headers:
                headers[path].face = face.name
    order = [path for path in seen if path in headers] + [path for path in headers if path not in seen]
    real = {item.names[0] for header in headers.values() for group in header.groups for item in group.items
            if item.kind != "renaming"}
    for group in [group for header in headers.values() for group in header.groups]:
        group.items = [item for item in group.items if item.kind != "renaming" or item.names[0] not in real]
    chosen = [headers[path] for path in order if headers[path].names()]
    return sorted(chosen, key=lambda header: list(ROOMS).index(header.room)), faces
