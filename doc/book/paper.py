# paper.py - the whole book as one page, to print: its chapters, the pages for others, its questions and words
# SPDX-License-Identifier: MIT
"""The page is made of the pages that are there. What is folded on them is open on paper, but for the changes of pt.h,
and for whole files, which the folders have; solutions stand at the end. A link within the book leads to its place on
paper; other ones, to the playground and the slides, are words."""

import re

FOLDED = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.S)
LEFT_OUT = ("What has changed in pt.h", "The whole file")
SOLUTIONS = ("A solution", "Answers", "Both answers")
SOLVED = re.compile(r'<section class="sheet" id="solutions">.*?</section>\n|'
                    r'<(?:p class="unfolded"|li)><a href="#solutions">.*?</(?:p|li)>\n?', re.S)
ID, LINK = re.compile(r'\bid="([^"]+)"'), re.compile(r'<a ([^>]*?)href="([^"]*)"([^>]*)>(.*?)</a>', re.S)


def sheet(stem, page, stems, solutions):
    """A page as a section; its solutions go into a list."""
    text = re.search(r'<main id="text">\n(.*)</main>', page, re.S)[1]
    text = re.sub(r'<nav class="pages".*?</nav>|<div class="live">.*?</div>\n', "", text, flags=re.S)
    title = re.search(r"<h1[^>]*>(.*?)</h1>", text, re.S)[1]

    def unfold(found):
        name, body = found[1].strip(), found[2]
        if name.startswith(LEFT_OUT):
            return ""
        if name.startswith(SOLUTIONS):
            solutions.append(f'<h2>{title}</h2>\n{body.replace("id=", "data-id=")}')
            return '<p class="unfolded"><a href="#solutions">Solutions</a> stand at the end.</p>\n'
        return f'<p class="unfolded">{name}</p>{body}'

    def link(found):
        before, address, after, words = found.groups()
        if address == "#solutions":
            return found[0]
        file, _, place = address.partition("#")
        target = file.removesuffix(".html") if file else stem
        if target not in stems or not (file.endswith(".html") or not file):
            return words
        return f'<a {before}href="#{f"{target}-{place}" if place else target}"{after}>{words}</a>'

    text = FOLDED.sub(unfold, text)
    text = LINK.sub(link, ID.sub(rf'id="{stem}-\1"', text))
    return f'<section class="sheet" id="{stem}">\n{text}</section>\n', title


def without_solutions(page):
    return SOLVED.sub("", page)


def paper(pages, version):
    """HTML of the whole book; PAGES: from the stem of each page to its HTML, in order."""
    solutions, sheets, titles = [], [], []
    for stem, page in pages.items():
        text, title = sheet(stem, page, pages, solutions)
        sheets.append(text)
        titles.append(f'<li><a href="#{stem}">{title}</a></li>\n')
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Build async/await in C</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="style.css">
</head>
<body class="paper">
<main>
<section class="cover">
<p class="title">Build async/await in C</p>
<p>From a function that forgets to a loop that serves ten thousand clients</p>
<p>pt {version}</p>
</section>
<section class="sheet">
<h1>Contents</h1>
<ul class="plain">
{"".join(titles)}<li><a href="#solutions">Solutions</a></li>
</ul>
</section>
{"".join(sheets)}<section class="sheet" id="solutions">
<h1>Solutions</h1>
{"".join(solutions)}</section>
</main>
</body>
</html>
"""
