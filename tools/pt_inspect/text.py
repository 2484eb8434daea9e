# text.py - a report for people, in the form of pt_dump with what it does not know
# SPDX-License-Identifier: MIT

import os

INDENT = "    "
NO_LOOP = """no loop was found. Has the program's own file debug information (-g), not only libpt?
Is it the program that ran, of the same build? If so, name the loop: --loop EXPRESSION"""


def lines(report):
    """The lines of a report."""
    for complaint in report["complaints"]:
        yield "warning: " + complaint
    if not report["loops"]:
        yield NO_LOOP
    for loop in report["loops"]:
        yield from loop_lines(loop)


def loop_lines(loop):
    yield title(loop)
    for task in loop["tasks"]:
        yield from task_lines(task)
    yield from missing(loop)


def missing(loop):
    if not loop["complete"]:
        yield INDENT + "The program does not list its tasks (PT_INSPECT): others may be missing."


def count_lines(report, counts):
    """Instead of the tree: how many tasks are where. COUNTS: of report.py."""
    for complaint in report["complaints"]:
        yield "warning: " + complaint
    for loop, rows in counts:
        yield title(loop)
        for row in rows:
            yield INDENT + count_line(row)
        yield from missing(loop)


def count_line(row):
    at = call_place(row["call"]) if row.get("call") else row["frame"] and place(row["frame"])
    return "%6d %s: %s%s" % (row["count"], row["name"], row["doing"], ", at " + at if at else "")


def title(loop):
    count = len(loop["tasks"]) if loop["live"] is None else loop["live"]
    stuck = ", of which %d stuck, or suspected to be" % loop["stuck"] if "stuck" in loop else ""
    return "loop %s: %d task%s%s" % (loop["name"] or loop["loop"], count, "" if count == 1 else "s", stuck)


def task_lines(task):
    depth = task["depth"] + 1
    yield INDENT * depth + task_line(task)
    relation = "since" if task["state"] == "RUNNING" else "at"
    for frame in task["frames"]:
        yield "%s%s %s" % (INDENT * (depth + 1), relation, place(frame))
        relation = "at"
        for name, value in frame.get("fields", ()):
            yield "%s%s = %s" % (INDENT * (depth + 2), name, value.replace("\n", "\n" + INDENT * (depth + 2)))
    for call in task.get("stack", ()):
        yield "%sin %s" % (INDENT * (depth + 1), call_place(call))


def task_line(task):
    text = "%s: %s" % (task["name"], task["doing"])
    waits = task.get("waits")
    if waits:
        text += object_text(waits)
    if "sleeps_until" in task:
        text += ", " + distance(task, "sleeps_until")
    if "limit" in task:
        text += ", timeout in " + distance(task, "limit")
    text += waited(task)
    if task.get("paused"):
        text += ", is paused"
    if task.get("canceled"):
        text += ", is canceled"
    return text


def distance(task, key):
    """How far away a deadline is: in ticks, where their length is not known."""
    if key + "_ms" in task:
        return "%d ms" % task[key + "_ms"]
    return "%d ticks" % task[key + "_ticks"]


def waited(task):
    """How long it has waited, if that is known and not next to nothing."""
    if "since_ms" in task:
        return ", for %d ms so far" % task["since_ms"] if task["since_ms"] else ""
    return ", for %d ticks so far" % task["since_ticks"] if task.get("since_ticks") else ""


def object_text(object):
    """What is known of an object, in parentheses; or nothing."""
    if object.get("cases"):
        return " (%s)" % "; ".join(case_text(case) for case in object["cases"])
    facts = list(facts_of(object))
    name = object["name"] or ("" if object.get("fd") is not None else object.get("address"))
    text = ", ".join(([name] if name else []) + facts)
    return " (%s)" % text if text else ""


def case_text(case):
    if case["kind"] in ("TIME", "OFF"):
        return "a time" if case["kind"] == "TIME" else "off"
    kind = (case["kind"] or "waits").lower()
    return "%s%s" % (kind, object_text(case))


def facts_of(object):
    if object.get("owner"):
        yield "held by %s" % object["owner"]["name"]
    if object.get("readers"):
        yield "%d read" % object["readers"]
    if "senders" in object:
        other = "receivers" if object["kind"] == "SEND" else "senders"
        yield "%s waits" % count(object[other], other[:-1])
    if "capacity" in object:
        yield "%d of %d places taken" % (object["count"], object["capacity"])
    elif object["type"] == "pt_semaphore":
        yield count(object["count"], "unit")
    if "parties" in object:
        yield "%d of %d came" % (object["waiting"], object["parties"])
    if "used" in object:
        yield "%d used" % object["used"]
    if "members" in object:
        yield count(object["members"], "task")
    if object.get("fd") is not None:
        yield "descriptor %d%s" % (object["fd"], ", for " + object["for"] if object.get("for") else "")
    if object.get("peer"):
        yield object["peer"]


def count(number, what):
    return "%s %s%s" % (number or "no", what, "" if number < 2 else "s")


def place(frame):
    """Where a frame is."""
    where = {"start": "its start", "finally": "its PT_FINALLY", "done": "its end"}.get(frame["place"])
    if frame["line"]:
        return "%s (%s:%d)" % (frame["function"], os.path.basename(frame["file"]), frame["line"])
    where = where or "suspension %d" % frame["label"]
    return "%s (%s)" % (frame["function"], where) if frame["function"] else where


def call_place(call):
    name, file, line = call
    return "%s (%s:%d)" % (name, os.path.basename(file), line) if file else name
