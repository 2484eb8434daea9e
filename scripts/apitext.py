"""apitext - texts of C headers and their comments; for scripts/apidoc.py
SPDX-License-Identifier: MIT
"""
import re

COLUMNS = 100 # of a line in a header


def public(name):
    return bool(re.match(r"(pt|PT)(_|$)", name)) and not re.search(r"_\d*$", name)


def without_comments(text):
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', " ", text, flags=re.S)


def split(text, separator=","):
    """The parts of TEXT between separators that are in no parentheses, braces or string."""
    parts, depth = [""], 0
    for piece in re.findall(r'"(?:\\.|[^"\\])*"|.', text, re.S):
        depth += (piece in "({[") - (piece in ")}]")
        if piece == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts]


def comment_lines(comment):
    """The lines of a comment, without its frame."""
    lines = re.sub(r"\s*\*/$", "", comment[2:]).split("\n")
    return [lines[0].strip()] + [re.sub(r"^ *\*? ?", "", line, count=1).rstrip() for line in lines[1:]]


def ends_early(line, after):
    """Whether a line of a comment ends a paragraph: a sentence is over, and the next word would have fitted."""
    room = COLUMNS - len(" * ") - len(line) - len(" ")
    return line.endswith((".", ":")) and after[:1].isupper() and len(after.split()[0]) + len(" */") <= room


def paragraphs(lines):
    """("text", sentences) and ("code", lines): indented lines are code."""
    found = []
    for before, line in zip([""] + lines, lines + [""]):
        kind = "code" if line.startswith("   ") else "text" if line else None
        if kind == "text" and ends_early(before, line):
            found.append(("gap", []))
        if kind is None:
            if found and found[-1][0] == "code":
                found[-1][1].append("")
            else:
                found.append(("gap", []))
        elif found and found[-1][0] == kind:
            found[-1][1].append(line)
        else:
            found.append((kind, [line]))
    for kind, part in found:
        while part and not part[-1]:
            part.pop()
        if kind == "text":
            yield kind, " ".join(part)
        elif kind == "code":
            margin = min(len(line) - len(line.lstrip()) for line in part if line)
            yield kind, "\n".join(line[margin:] for line in part)


def wrapped(prototype):
    """A prototype in lines for a page of 80 columns, broken between its parameters."""
    if len(prototype) < 76 or not prototype.endswith(");"):
        return prototype
    head, _, parameters = prototype.partition("(")
    lines = [head + "("]
    for number, parameter in enumerate(split(parameters[:-2])):
        comma = ", " if number else ""
        if number and len(lines[-1] + comma + parameter) > 72:
            lines[-1] += ","
            lines.append("    ")
            comma = ""
        lines[-1] += comma + parameter
    return "\n".join(lines) + ");"


def sentence(text):
    """A summary as a sentence: a capital letter, unless it begins with a name, and a full stop."""
    if re.match(r"[a-z]+\b(?![_.(])", text):
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".:!?" else text + "."
