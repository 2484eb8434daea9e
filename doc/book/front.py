# front.py - the moving picture of the front page: a program of the book, as it ran
# SPDX-License-Identifier: MIT
"""The source is that of the program, and each step is a line of what it prints, which the tests compare with a run. So
the picture shows nothing that did not happen. It moves by CSS alone, and stands still for those who ask for that."""

import html
import re
import subprocess

RUN, JUMP, REST = 1.0, 0.9, 3.5  # seconds: a step of a task, the clock's way to the next deadline, the end
LEFT, SCALE, TOP, LANE = 76, 0.094, 44, 52  # of the picture, which has 400 units
COLUMNS = 44  # so that the source fits on a phone


def steps_of(output):
    """What a program printed: (time in ms, task, what it says)."""
    return [(int(time), task, says) for time, task, says in re.findall(r"^ *(\d+) ms  (\w+) (.*)$", output, re.M)]


class Film:
    """Steps on a time line of their own: when each begins, and what is seen when."""

    def __init__(self, steps):
        self.steps, self.begins, self.rules = steps, [], []
        now, second = 0, 0.5
        for time, _, _ in steps:
            second += JUMP if time != now else 0
            now = time
            self.begins.append(second)
            second += RUN
        self.length = second + REST

    def percent(self, second):
        return f"{100 * second / self.length:.2f}%"

    def rule(self, frames, timing="step-end"):
        """A class whose elements have these frames: pairs of a second and a declaration."""
        name = f"f{len(self.rules)}"
        body = " ".join(f"{self.percent(second)} {{ {what} }}" for second, what in frames)
        self.rules.append(f"@keyframes {name} {{ {body} }}\n"
                          f".{name} {{ animation: {name} {self.length:.1f}s {timing} infinite; }}")
        return name

    def seen(self, *spans):
        """A class for what is seen only in these spans, each from a second to another one."""
        frames = [(0, "opacity: 0")]
        for first, last in spans:
            frames += [(first, "opacity: 1"), (last, "opacity: 0")]
        return self.rule(frames)

    def end(self, step):
        return self.begins[step] + RUN

    def next_of(self, step):
        """The next step of the same task; None after its last one."""
        same = [later for later in range(step + 1, len(self.steps)) if self.steps[later][1] == self.steps[step][1]]
        return same[0] if same else None


def x(time):
    return round(LEFT + time * SCALE, 1)


def code(body, film, tasks, colored):
    """The source, with a mark for each task where its place is."""
    style = f"--style={{BasedOnStyle: LLVM, IndentWidth: 4, ColumnLimit: {COLUMNS}, BreakBeforeBraces: Linux}}"
    body = subprocess.run(["clang-format", style], input=body, capture_output=True, text=True, check=True).stdout
    lines = [line for line in body.splitlines() if line]
    wait = next(number for number, line in enumerate(lines) if "PT_WAIT" in line)
    prints = [number for number, line in enumerate(lines) if "printf" in line]
    places = {}  # (line, task): when
    for step, (_, task, says) in enumerate(film.steps):
        later = film.next_of(step)
        places.setdefault((prints[0] if later else prints[1], task), []).append((film.begins[step], film.end(step)))
        if later:
            places.setdefault((wait, task), []).append((film.end(step), film.begins[later]))
        else:
            places.setdefault((len(lines) - 1, task), []).append((film.end(step), film.length))
    rows = []
    for number, line in enumerate(lines):
        marks = "".join(f'<i class="mark {film.seen(*places[number, task])} task{index}">{task[0]}</i>'
                        for index, task in enumerate(tasks) if (number, task) in places)
        rows.append(f'<span class="row" aria-hidden="true">{marks}</span>{colored(line)}\n')
    return '<pre class="c source" tabindex="0"><code>' + "".join(rows) + "</code></pre>\n"


def picture(film, tasks):
    """The time line: a filled dot for each step, a ring for each deadline that a task waits for."""
    last = max(time for time, _, _ in film.steps)
    bottom = TOP + LANE * len(tasks) - 8
    lines, marks = [], []
    for step, (time, task, says) in enumerate(film.steps):
        index = tasks.index(task)
        y = TOP + index * LANE
        later = film.next_of(step)
        if later:
            end = film.steps[later][0]
            lines.append(f'<path class="sleep task{index}" d="M{x(time)} {y} H{x(end)}"/>')
            ring = film.seen((film.end(step), film.begins[later]))
            marks.append(f'<circle class="ring task{index} {ring}" cx="{x(end)}" cy="{y}" r="13"/>')
        word = says.split()[-1]
        marks.append(f'<g class="{film.seen((film.begins[step], film.length))}">'
                     f'<circle class="dot task{index}" cx="{x(time)}" cy="{y}" r="13"/>'
                     f'<text class="on" x="{x(time)}" y="{y + 5}">{word}</text></g>')
    moves = [(0, f"transform: translateX({x(0)}px)")]
    now = 0
    for step, (time, _, _) in enumerate(film.steps):
        if time != now:
            moves += [(film.begins[step] - JUMP, f"transform: translateX({x(now)}px)"),
                      (film.begins[step], f"transform: translateX({x(time)}px)")]
            now = time
    moves.append((film.length, f"transform: translateX({x(last)}px)"))
    clock = film.rule(moves, "linear")
    ticks = "".join(f'<path class="tick" d="M{x(at)} {bottom} v6"/>'
                    f'<text class="soft mid" x="{x(at)}" y="{bottom + 22}">{at / 1000:.0f} s</text>'
                    for at in range(0, last + 1, 1000))
    names = "".join(f'<text class="who task{index}" x="0" y="{TOP + index * LANE + 5}">{task}</text>'
                    for index, task in enumerate(tasks))
    says = "; ".join(f"at {time} ms {task} {word}" for time, task, word in film.steps)
    return (f'<svg viewBox="0 0 400 {bottom + 28}" role="img" '
            f'aria-label="Two tasks in one loop: {html.escape(says)}">\n' + "".join(lines)
            + f'<rect class="cover {clock}" width="400" height="{bottom - 1}"/>'
            f'<path class="axis" d="M{x(0)} {bottom} H{x(last)}"/>{ticks}{names}'
            f'<path class="clock {clock}" d="M0 12 V{bottom}"/>' + "".join(marks) + "</svg>\n")


def output(film):
    rows = "".join(f'<span class="{film.seen((film.begins[step], film.length))}">{time:4} ms  {task} {says}\n</span>'
                   for step, (time, task, says) in enumerate(film.steps))
    return f'<pre class="said" tabindex="0"><code>{rows}</code></pre>\n'


def moving(body, printed, colored):
    """The picture as HTML with its style. BODY: the source of the tasks' function; COLORED makes HTML of a line."""
    film = Film(steps_of(printed))
    tasks = list(dict.fromkeys(task for _, task, _ in film.steps))
    parts = code(body, film, tasks, colored), picture(film, tasks), output(film)
    rules = "\n".join(film.rules)
    return (f"<style>\n@media screen and (prefers-reduced-motion: no-preference) {{\n{rules}\n}}\n</style>\n"
            '<figure class="moving">\n<label><input type="checkbox" id="still"> Pause</label>\n'
            f'{parts[0]}<div class="time">\n{parts[1]}{parts[2]}</div>\n'
            "<figcaption>One function, two tasks, one stack. A letter beside a line is the place of a task: where it "
            "goes on when its time has come. A ring is a deadline in the heap; the clock jumps to the first one. This "
            "is what the program of chapter 5 printed when it ran.</figcaption>\n</figure>\n")
