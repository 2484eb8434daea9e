# story.py - what happened in a run, and as a table
# SPDX-License-Identifier: MIT

import re

from ..memory import harmless


class Event:
    def __init__(self, row):
        self.time, self.machine, self.sender, self.sent = map(int, row[:4])
        self.text = harmless("\t".join(row[4:]).replace("\t", " "))
        self.lost = self.text.startswith("misses ")


class Story:
    """From the lines that world_tell and main.c write."""

    def __init__(self, text):
        self.machines, self.events, self.loads, self.faults, self.failure = {}, [], [], [], ""
        for line in text.split("\n"):
            row = line.split("\t")
            if row[0] == "machine":
                self.machines[int(row[1])] = row[2]
            elif row[0] == "load":
                self.loads.append(int(row[1]))
            elif row[0] == "failed":
                self.failure = harmless(row[1])
            elif len(row) >= 5:
                self.add(Event(row))

    def add(self, event):
        self.events.append(event)
        fault = re.match(r"fault (\d+):", event.text)
        if fault:
            self.faults.append(int(fault.group(1)))

    def last_words(self):
        """The last line that was printed by a machine that the failure names, or by any; empty if none was."""
        printed = [event for event in self.events if event.text.startswith("prints: ")]
        lines = [(self.machines[event.machine], event.text) for event in printed]
        named = [line for line in lines if line[0] in self.failure.split()]
        return " ".join((named or lines or [()])[-1])

    def table(self):
        """A line for each event: when, where, what; of a message also when it was sent."""
        wide = max(map(len, self.machines.values()), default=0)
        for event in self.events:
            line = "%16.6f ms  %-*s  %s" % (event.time / 1e6, wide, self.machines[event.machine], event.text)
            yield line + (" (sent at %.6f ms)" % (event.sent / 1e6) if event.sender else "")
        if self.failure:
            yield "FAILED: " + self.failure
