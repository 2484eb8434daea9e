# canon.py - what the page must show for a trace: the contents of its picture, without addresses and sizes
# SPDX-License-Identifier: MIT
import json


def shown(value):
    return "{" + ", ".join(value) + "}" if isinstance(value, list) else value


def frame(one, at):
    line = f"{'at' if at else 'continues at'} line {one['line']}"
    return {"fn": one["fn"], "label": f"label {one['label']}", "line": line if one["line"] else "",
            "status": one["status"], "fields": [[field["n"], shown(field["v"])] for field in one.get("fields", [])]}


def doing(task):
    words = [task["doing"]]
    if "until" in task:
        words.append(f"until {task['until']}")
    words += [word for word in ("paused", "canceled") if task.get(word)]
    return ", ".join(words)


def task(one, at):
    return {"id": one["id"], "doing": doing(one), "parent": one.get("parent", 0),
            "frames": [frame(inner, at and not i) for i, inner in enumerate(one["frames"])]}


def loop(one):
    left = one["left"]
    return {"now": one.get("now", ""), "current": one["current"], "turn": one["ready"][:left],
            "later": one["ready"][left:], "timers": [[number, at] for number, at, _ in one.get("timers", [])]}


def thing(one):
    return {"name": one["name"], "kind": one["kind"], "sides": one["sides"], "items": one.get("items", []),
            "facts": [[name, "no task" if value == "NULL" else value] for name, value in one["facts"]]}


def state(step, output):
    """What the page shows at a step of the trace."""
    return {"line": step["line"], "loops": [loop(one) for one in step["loops"]],
            "tasks": [task(one, step["k"] == "line" and one["id"] == its["current"])
                      for its in step["loops"] for one in its["tasks"]],
            "alone": [frame(one, one["line"] == step["line"]) for one in step["alone"]],
            "objects": [thing(one) for one in step["objects"]],
            "ended": [[number, status] for number, _, status in step["ended"]], "output": output or " "}


def states(path):
    """All states of a trace, with the kinds of their steps, and the output."""
    found, output, last = [], "", {"loops": [], "objects": [], "alone": [], "ended": []}
    with open(path) as file:
        for record in map(json.loads, file):
            if record["k"] == "out":
                output += record["text"]
            elif record["k"] != "stop":
                last = record
                found.append((record["k"], state(record, output)))
    found.append(("finish", state({**last, "k": "finish", "line": 0}, output)))
    return found, output
