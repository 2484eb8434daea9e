# course.py - what the book has for a class: the quiz, and the archives for students and for teachers
# SPDX-License-Identifier: MIT
"""quiz(text) makes HTML of class/quiz.txt; write_archives(out, exam) writes the two archives of a book in OUT.

The quiz: `## TITLE` begins a chapter, `? TEXT` a question, with its code in ``` below. `- TEXT | WHY` is a wrong
answer, `+ TEXT | WHY` the right one."""

import html
import pathlib
import re
import zipfile

import paper

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SOLUTION = re.compile(r"<details[^>]*>\s*<summary[^>]*>\s*(?:A solution|Both answers)\s*</summary>.*?</details>", re.S)
ARCHIVES = re.compile(r'<span class="archives">.*?</span>', re.S)  # an archive does not contain itself
NOTES = re.compile(r'<aside class="notes".*?</aside>', re.S)
COMPILER = "compiler.js"  # 27 MB: for the page in the web
# What belongs to the book in its folder.
PARTS = ("*.html", "*.css", "*.js", "*.svg", "LICENSE.txt", "figures/*", "slides/*", "before/*.*", "from/*.*",
         "[01][0-9]/*.h", *(f"[01][0-9]/{name}.c" for name in ("program", "exercise", "solution")))
ABSENT = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Not in this archive</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="icon.svg">
<link rel="stylesheet" href="style.css"></head>
<body class="wide"><main><h1>Not in this archive</h1><p>This page is in the archive for teachers.
<a href="index.html">The book</a></p></main></body></html>
"""
READMES = {
    "student": "Build async/await in C: open index.html in a browser. The folders 01 to 13 have the programs and\n"
               "exercises of the chapters; before/ and from/ have one program in several languages and systems.\n"
               "The solutions of the exercises are in the archive for teachers.\n",
    "teacher": "Build async/await in C, for a teacher: open for-teachers.html in a browser; it has the plans.\n"
               "exam.html has questions with answers; grade grades exercises; slides/ has slides with notes.\n"
               "Give pt-book-student.zip, which is here, to your students: it has no solutions, notes or exam.\n",
}


def inline(text):
    """HTML of a line with `code` and *emphasis*."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(f"<code>{html.escape(part[1:-1])}</code>" if part.startswith("`") else
                   re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html.escape(part)) for part in parts)


def questions(text):
    """The chapters of a quiz: (title, [(question, code, [(right, answer, why)])])."""
    chapters = []
    for block in re.split(r"^## ", text, flags=re.M)[1:]:
        title, _, rest = block.partition("\n")
        asked = []
        for one in re.split(r"^\? ", rest, flags=re.M)[1:]:
            words, code, answers = re.fullmatch(r"(.*?)\n(?:```c\n(.*?)```\n)?((?:[+-] .*?)+)\s*", one, re.S).groups()
            found = [(mark == "+", *" ".join(its.split()).split(" | ")) for mark, its in
                     re.findall(r"^([+-]) (.*?)(?=^[+-] |\Z)", answers, re.M | re.S)]
            asked.append((" ".join(words.split()), code or "", found))
        chapters.append((title, asked))
    return chapters


def quiz(text):
    out, number = [], 0
    for title, asked in questions(text):
        out.append(f'<section class="quiz"><h2>{inline(title)}</h2>')
        for words, code, answers in asked:
            number += 1
            listing = f'<pre class="c"><code>{html.escape(code)}</code></pre>' if code else ""
            options = "".join(
                f'<li><label><input type="radio" name="q{number}" value="{int(right)}"> {inline(answer)}</label> '
                f'<span class="why">{inline(why)}</span></li>' for right, answer, why in answers)
            out.append(f"<fieldset><legend>{inline(words)}</legend>{listing}<ul>{options}</ul></fieldset>")
        out.append('<p class="score" role="status"></p></section>')
    page = "".join(out) + '<script src="quiz.js"></script>'
    return f"```{{=html}}\n{page}\n```\n"  # pandoc would look for Markdown in it


def licence():
    return (HERE / "LICENSE.md").read_text() + "\n" + (ROOT / "LICENSE").read_text()


def for_students(name, data):
    """A file of the book as the students' archive has it; None: not at all."""
    if name.endswith("solution.c") or pathlib.PurePath(name).name in ("grade", "guard.c"):
        return None
    if name == "for-teachers.html":
        return ABSENT.encode()
    if name == "print.html":
        return paper.without_solutions(data.decode()).encode()
    if name.endswith(".html"):
        return NOTES.sub("", SOLUTION.sub("", data.decode())).encode()
    return data


def write_archives(out, exam):
    """pt-book-student.zip and pt-book-teacher.zip; EXAM: the page that only the second one has."""
    paths = [path for pattern in PARTS for path in out.glob(pattern) if path.name not in (COMPILER, "README.txt")]
    book = {str(path.relative_to(out)): path.read_bytes() for path in paths if path.is_file()}
    book = {name: ARCHIVES.sub("", data.decode()).encode() if name.endswith(".html") else data
            for name, data in book.items()}
    teacher = {**book, "exam.html": ARCHIVES.sub("", exam).encode()}
    teacher.update({name: (HERE / name).read_bytes() for name in ("grade", "guard.c")})
    student = {name: for_students(name, data) for name, data in book.items()}
    for kind, files in (("student", student), ("teacher", teacher)):
        files["README.txt"] = READMES[kind].encode()
        target = out / f"pt-book-{kind}.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in sorted(files.items()):
                if data is None:
                    continue
                entry = zipfile.ZipInfo(f"pt-book/{name}", (2026, 1, 1, 0, 0, 0))
                entry.external_attr = (0o755 if name == "grade" else 0o644) << 16
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
        teacher[target.name] = target.read_bytes()  # the students' archive, for that of the teachers
