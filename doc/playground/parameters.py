# parameters.py - the numbers of a program that the reader of the page can change
# SPDX-License-Identifier: MIT
"""Parameters(walk) finds them in the tokens of a program, and inserts play_parameter_(NUMBER, WRITTEN) for each.

A capacity and an array of tasks have their memory from the compiler. Their declarations get more of it, so that the
number can grow; the recorder (recorder/values.h) says how much of it is in use. Nothing inside a frame gets larger."""

import re

MOST = 64  # in one program: recorder/play.h
MORE = 3  # tasks beyond those of the program
CAPACITIES = {"PT_QUEUE": "places in {}", "PT_POOL": "tasks in {}", "PT_BROADCAST": "values that {} keeps"}
UNITS = {"PT_SEC": " s", "PT_MS": " ms", "MINUTES": " min", "HOURS": " h"}
FACTORS = {"60": " min", "3600": " h"}  # PT_SEC(60 * 5)
STARTS = {"PT_START", "PT_SPAWN", "PT_SPAWN_IN", "PT_SPAWN_FROM", "PT_START_FROM", "PT_SPAWN_WHEN_FREE", "PT_WAIT",
          "PT_WAIT_COMPLETE", "PT_TRY"}


class Parameters:
    def __init__(self, walk):
        self.walk, self.tokens, self.found = walk, walk.tokens, []
        self.sizes = {}  # of an object, an array or a constant: its parameter, and the number that is written
        self.declarations()

    # --- what all have in common ---

    def text(self, i):
        return self.walk.text(i)

    def is_number(self, i, most=6):
        return self.tokens[i].kind == "number" and re.fullmatch(rf"[1-9]\d{{0,{most - 1}}}", self.text(i))

    def add(self, line, value, group, name, most, **more):
        """Another parameter; returns its number."""
        self.found.append({"line": line, "value": value, "group": group, "name": name, "least": 1, "most": most,
                           "unit": "", **more})
        return len(self.found) - 1

    def add_at(self, i, *what, **more):
        column = self.tokens[i].at - (self.walk.source.rfind("\n", 0, self.tokens[i].at) + 1)
        return self.add(self.tokens[i].line, int(self.text(i)), *what, column=column, **more)

    def read(self, i, number):
        """The program reads the token I from a parameter."""
        self.walk.insert(self.tokens[i].at, f"play_parameter_({number}, ")
        self.walk.insert(self.tokens[i].end, ")")

    def arrays(self, i):
        """How many arrays have the size that stands at token I. What goes through one of them cannot be more."""
        return sum(self.text(k - 1) == "[" and token.text == self.text(i) and self.text(k + 1) == "]" and
                   self.tokens[k - 2].kind == "word" and self.text(k + 2) in (";", ",", "=")
                   for k, token in enumerate(self.tokens))

    def full(self):
        return len(self.found) == MOST

    # --- capacities, and how many tasks: declarations ---

    def declarations(self):
        for i, token in enumerate(self.tokens):
            if token.text in CAPACITIES and self.text(i - 1) == "static":
                self.capacity(i)
            elif token.text == "enum" and self.text(i + 1) == "{" and self.text(i + 3) == "=" and \
                    self.is_number(i + 4) and self.text(i + 5) == "}":
                self.constant(self.text(i + 2), int(self.text(i + 4)), self.tokens[i + 4].at)
        for found in re.finditer(r"^#define (\w+) ([1-9]\d*)$", self.walk.source, re.M):
            self.constant(found[1], int(found[2]), found.start(2))

    def capacity(self, i):
        """PT_QUEUE(type, n) and the like."""
        end = self.walk.matching(i + 1)
        if not self.is_number(end - 2) or self.text(end - 3) != ",":
            return
        written, name = int(self.text(end - 2)), self.text(end)
        more = {"values": [1, 2, 4, 8, 16]} if self.text(i) == "PT_BROADCAST" else {}  # powers of two
        most = 16 if more else max(8, 2 * written)
        number = self.add_at(end - 2, "Capacities", CAPACITIES[self.text(i)].format(name), most, **more)
        self.walk.insert(self.tokens[end - 2].end, f" + {most - written}")
        self.sizes[name] = (number, written)

    def constant(self, word, written, at):
        """A constant that is the size of an array of tasks: how many there are."""
        places = [i for i, token in enumerate(self.tokens) if token.text == word and self.text(i + 1) != "="]
        arrays = [i for i in places if self.text(i - 1) == "[" and self.text(i + 1) == "]"]
        rooms = arrays + [i for i in places if self.text(i - 2) == "PT_SELECTION"]
        tasks = [self.text(i - 4) for i in arrays if self.text(i - 6) == "PT_TASK"]
        if not tasks:
            return
        names = {self.text(i - 2) for i in arrays}
        indexes = [int(self.text(i + 2)) for i, token in enumerate(self.tokens)
                   if token.text in names and self.text(i + 1) == "[" and self.text(i + 2).isdigit()]
        before = self.walk.source[:at]
        number = self.add(before.count("\n") + 1, written, "Tasks", f"{tasks[0]}s", written + MORE,
                          column=len(before) - before.rfind("\n") - 1, least=max([0, *indexes]) + 1)
        self.sizes[word] = (number, written)
        for i in rooms:
            self.walk.insert(self.tokens[i].end, f" + {MORE}")
            if self.text(i + 2) == "=" and self.tokens[i + 4].kind == "text":
                end = self.walk.matching(i + 3) - 1
                self.walk.insert(self.tokens[end].at, "".join(f', "{written + 1 + k}th"' for k in range(MORE)))
        for i in places:
            if i not in rooms:
                self.read(i, number)

    def tasks(self, first, last):
        """PT_TASK(name) array[n] in a function whose loops start all of them: the tokens FIRST to LAST."""
        for i in range(first, last):
            if self.text(i) == "PT_TASK" and self.text(i + 5) == "[" and self.is_number(i + 6):
                self.task_array(i + 4, i + 6, first, last)

    def task_array(self, name, size, first, last):
        bounds = []
        for i in range(first, last):
            if self.text(i) == "for":
                bounds += self.bound_of(i, self.text(name), self.text(size))
        if not bounds or self.full() or self.arrays(size) > 1:
            return
        written = int(self.text(size))
        number = self.add_at(size, "Tasks", f"{self.text(name - 2)}s", written + MORE)
        self.walk.insert(self.tokens[size].end, f" + {MORE}")
        self.sizes[self.text(name)] = (number, written)
        for i in bounds:
            self.read(i, number)

    def bound_of(self, i, array, size):
        """The bound of the loop at I, if it goes through the array and through no other."""
        behind = self.walk.matching(i + 1)
        end = self.walk.matching(behind) if self.text(behind) == "{" else self.walk.semicolon(behind)
        first = self.walk.semicolon(i + 2)
        index, sign, bound = first, first + 1, first + 2
        used = {self.text(k - 1) for k in range(behind, end)
                if self.text(k) == "[" and self.text(k + 1) == self.text(index)}
        return [bound] if self.text(sign) == "<" and self.text(bound) == size and used == {array} else []

    # --- statements ---

    def statement(self, i, end):
        """Delays, values of fields at a start, and the numbers of an object's init."""
        macro = self.text(i)
        words = [self.text(k) for k in range(i, end)]
        whose = next((words[k + 2].strip('"') for k in range(len(words) - 2)
                      if words[k:k + 2] == ["name", "="] and words[k + 2][0] == '"'), "")
        if macro in STARTS:
            for at in range(i + 2, end):
                if not self.full() and self.is_number(at) and self.text(at + 1) in ",)":
                    self.value(at, whose)
        elif macro in ("pt_semaphore_init", "pt_barrier_init", "latch_init"):
            numbers = [at for at in range(i + 2, end) if self.is_number(at)]
            if numbers and len({self.text(at) for at in numbers}) == 1 and not self.full():
                word = "count of {}" if macro == "pt_semaphore_init" else "tasks that {} waits for"
                number = self.add_at(numbers[0], "Capacities", word.format(self.text(i + 3)), 16)
                for at in numbers:
                    self.read(at, number)

    def value(self, at, whose):
        """A number in PT_START(..., .field = 5), PT_WAIT(PT_MS(5)), PT_WAIT(PT_SEC(60 * 5)). WHOSE: the task's name."""
        before, unit = at - 1, ""
        if self.text(before) == "*" and self.text(at - 3) == "(" and self.text(at - 4) == "PT_SEC":
            unit, before = FACTORS.get(self.text(at - 2), ""), at - 3
        elif self.text(before) == "(":
            unit = UNITS.get(self.text(at - 2), "")
        if unit:
            before -= 2
        field = self.text(before - 1) if self.text(before) == "=" else ""
        if not field and not unit:
            return
        value, word = int(self.text(at)), f"{field or 'wait'}{f' of {whose.strip()}' if whose else ''}"
        most = value if self.arrays(at) and not unit else max(20, 4 * value)
        number = self.add_at(at, "Delays" if unit else "Values", word, most, unit=unit, least=0 if unit else 1)
        self.read(at, number)

    def loop(self, i):
        """The bound of a loop of a coroutine: for (self->n = 1; self->n <= 6; self->n++)."""
        end = self.walk.matching(i + 1)
        first = self.walk.semicolon(i + 2)
        words = [self.text(k) for k in range(first, first + 6)]
        if words[:2] != ["self", "->"] or words[3] not in ("<", "<=") or words[5] != ";" or self.full():
            return
        bound = first + 4
        last = self.walk.matching(end) if self.text(end) == "{" else self.walk.semicolon(end)
        indexes = any(self.text(k) == "[" and self.text(k + 3) == words[2] for k in range(end, last))
        if not self.is_number(bound) or indexes:
            return
        word = f"{words[2]}, " + ("up to" if words[3] == "<=" else "below")
        value = int(self.text(bound))
        number = self.add_at(bound, "Rounds", word, max(12, 2 * value))
        for k in range(i, end):
            if self.text(k) == self.text(bound):
                self.read(k, number)
