# picture.py - a story as a space-time diagram, and as a page that opens from a file
# SPDX-License-Identifier: MIT
#
# Each machine is a line downward; the later an event, the lower: each has a row, however long it took.

import html

ROW, TOP, LEFT, LANE = 18, 50, 140, 130
MOST = 2000  # events: the last ones
OFF = ("crashes", "ends with", "is paused")
ON = ("starts", "is resumed")
STYLE = """text { font: 12px sans-serif } .time { fill: #666 } .machine { font-weight: bold } .lane { stroke: #2f7d32;
stroke-width: 2 } .off { stroke: #c9d6e4; stroke-dasharray: 3 3 } .message { stroke: #1c5d99; marker-end: url(#arrow) }
.lost { stroke: #c62828; stroke-dasharray: 4 3; marker-end: url(#cross) } .fault, .failed { fill: #c62828 }"""
MARKERS = """<defs><marker id="arrow" orient="auto" markerWidth="9" markerHeight="8" refX="9" refY="4"><path
d="M0,0 L9,4 L0,8 z" fill="#1c5d99"/></marker><marker id="cross" markerWidth="9" markerHeight="9" refX="4" refY="4">
<path d="M0,0 L8,8 M8,0 L0,8" stroke="#c62828" stroke-width="2"/></marker></defs>"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="%(width)d" height="%(height)d" role="img">
<style>%(style)s</style>
%(markers)s
%(body)s
</svg>
"""
PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>%(title)s</title>
<style>body { font: 15px sans-serif; margin: 2em } pre { background: #f4f6f8; padding: 1em; overflow-x: auto }</style>
<h1>%(title)s</h1>
<p><strong>%(failure)s</strong></p>
<p>Again, with a debugger that stops there:</p>
<pre>%(again)s</pre>
%(picture)s
</html>
"""


class Picture:
    def __init__(self, story):
        self.story = story
        self.events = story.events[-MOST:]
        self.lanes = {number: LEFT + LANE * place for place, number in enumerate(sorted(story.machines))}
        places = list(enumerate(self.events))
        times = sorted([(event.time, 1, number) for number, event in places]
                       + [(event.sent, 0, number) for number, event in places if event.sender])  # fmt: skip
        self.rows = {}  # of (whether it arrives, number of the event): its height
        row = TOP
        for _, arrives, number in times:
            row += ROW if arrives else 0
            self.rows[arrives, number] = row + (0 if arrives else ROW // 2)
        self.height = row + 3 * ROW
        self.width = LEFT + LANE * len(self.lanes) + 520
        self.parts = []

    def put(self, kind, **attributes):
        text = attributes.pop("text", None)
        words = " ".join('%s="%s"' % (name.rstrip("_").replace("_", "-"), html.escape(str(value)))
                         for name, value in attributes.items())  # fmt: skip
        self.parts.append("<%s %s/>" % (kind, words) if text is None
                          else "<%s %s>%s</%s>" % (kind, words, html.escape(text), kind))  # fmt: skip

    def lane(self, number):
        """The line of a machine: dashed while its program does not run."""
        x, runs, top = self.lanes[number], False, TOP - ROW
        for place, event in enumerate(self.events):
            goes = event.machine == number and (event.text.startswith(ON) or event.text.startswith(OFF))
            if goes:
                y = self.rows[1, place]
                self.put("line", x1=x, x2=x, y1=top, y2=y, class_="lane" if runs else "lane off")
                runs, top = event.text.startswith(ON), y
        self.put("line", x1=x, x2=x, y1=top, y2=self.height - 2 * ROW, class_="lane" if runs else "lane off")
        self.put("text", x=x, y=TOP - 24, text_anchor="middle", class_="machine", text=self.story.machines[number])

    def event(self, place, event):
        x, y = self.lanes[event.machine], self.rows[1, place]
        self.put("text", x=LEFT - 60, y=y + 4, text_anchor="end", class_="time", text="%.6f" % (event.time / 1e6))
        what = "%s %s" % (self.story.machines[event.machine], event.text)
        side = LEFT + LANE * len(self.lanes) - 60
        self.put("text", x=side, y=y + 4, class_="fault" if event.text.startswith("fault") else "text", text=what)
        if not event.sender:
            self.put("circle", cx=x, cy=y, r=4)
            return
        begin = self.lanes[event.sender]
        end = begin + (x - begin) * 3 // 4 if event.lost else x
        self.put("line", x1=begin, y1=self.rows[0, place], x2=end, y2=y, class_="lost" if event.lost else "message")

    def svg(self):
        for number in self.lanes:
            self.lane(number)
        for place, event in enumerate(self.events):
            self.event(place, event)
        if self.story.failure:
            self.put("text", x=LEFT - 60, y=self.height - ROW, class_="failed", text="FAILED: " + self.story.failure)
        body = "\n".join(self.parts)
        return SVG % {"width": self.width, "height": self.height, "style": STYLE, "markers": MARKERS, "body": body}

    def page(self, title, again):
        return PAGE % {"title": html.escape(title), "failure": html.escape(self.story.failure or "It passes."),
                       "again": html.escape(again), "picture": self.svg()}  # fmt: skip
