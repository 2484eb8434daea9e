# picture.py - the stack as a picture: a bar for each task, function by function, and one for all with interrupts
# SPDX-License-Identifier: MIT

import html

LEFT, WIDTH, ROW, BAR, TOP = 150, 720, 34, 22, 40
COLORS = ("#1c5d99", "#4a86b8")  # functions, in turn
ABOVE, SAVED, HANDLER = "#c9d6e4", "#c9a227", "#c62828"
STYLE = "text { font: 12px sans-serif } .in { fill: #fff } .note { fill: #666 }"
LETTER = 7  # about its width
RECT = '<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s" stroke="#fff"><title>%s</title></rect>'
SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img">
<style>%s</style>
%s
</svg>
"""


def rows(data):
    """[(name, [(bytes, color, text)])], the deepest task first."""
    for one in data["tasks"]:
        above = one["in_all"] - one["bytes"]
        yield one["task"], [(above, ABOVE, "%d above it" % above), *way(one["way"])]
    parts = [*way(data["main"]["way"])]
    for one in nested(data["interrupts"]):
        parts += [(data["pushes"], SAVED, "saved %d" % data["pushes"]), (one["bytes"], HANDLER, label(one))]
    rest = data["stack"] - sum(size for size, _, _ in parts)
    yield "in all", parts + [(rest, SAVED, "aligned %d" % rest)]


def way(steps):
    for i, step in enumerate(steps):
        yield step["bytes"], COLORS[i % 2], "%s %d" % (step["function"], step["bytes"])


def nested(interrupts):
    """The deepest interrupt of each priority; each whose priority is not said."""
    levels = {}
    for i, one in enumerate(interrupts):
        level = one["priority"] if one["priority"] is not None else "free %d" % i
        if level not in levels or one["bytes"] > levels[level]["bytes"]:
            levels[level] = one
    return levels.values()


def label(one):
    return "%s %d" % (one["handler"], one["bytes"])


def svg(data):
    bars = list(rows(data))
    scale, body = WIDTH / max(data["stack"], 1), []
    for i, (name, parts) in enumerate(bars):
        y, x = TOP + ROW * i, LEFT
        body.append(text(LEFT - 8, y + 15, name, "end"))
        for size, color, words in parts:
            if size:
                width = size * scale
                short = words if len(words) * LETTER < width else ""
                body.append(RECT % (x, y, width, BAR, color, html.escape(words)))
                body += [text(x + 4, y + 15, short, kind="note" if color == ABOVE else "in")] if short else []
                x += width
        body.append(text(x + 6, y + 15, "%d" % sum(size for size, _, _ in parts)))
    title = text(LEFT, 20, "%s: at most %d bytes of stack" % (data["program"], data["stack"]))
    size = LEFT + WIDTH + 60, TOP + ROW * len(bars) + 10
    return SVG % (*size, STYLE, "\n".join([title, *body]))


def text(x, y, words, anchor="start", kind=""):
    return '<text x="%.1f" y="%d" text-anchor="%s" class="%s">%s</text>' % (x, y, anchor, kind, html.escape(words))
