# runs.py - the test under seeds; the smallest run that still fails
# SPDX-License-Identifier: MIT

import re
import subprocess
from collections import namedtuple

from .build import Refused
from .story import Story


# Of a run: its faults (None: all), by how often half they begin sooner, and are shorter, the most of a load (None: all
# of it).
Limits = namedtuple("Limits", "faults sooner shorter most", defaults=(None, 0, 0, None))


def ending(status):
    """How a process has ended, by its status as Python has it."""
    return "was ended by signal %d" % -status if status < 0 else "ended with status %d" % status


def reason(text):
    """What fails, without times and counts: a smaller run fails by the same."""
    return re.sub(r"[0-9.]+", "N", text)


MISUSED = 2  # the status of a run whose machines cannot be


class Test:
    """The program `test` of a folder."""

    def __init__(self, folder):
        self.folder = folder

    def words(self, seed, limits):
        """The arguments of one run."""
        found = ["--seed", str(seed)]
        found += [] if limits.faults is None else ["--faults", ",".join(map(str, limits.faults)) or "none"]
        found += ["--sooner", str(limits.sooner)] if limits.sooner else []
        found += ["--shorter", str(limits.shorter)] if limits.shorter else []
        return found + ([] if limits.most is None else ["--most", str(limits.most)])

    def call(self, *words):
        done = subprocess.run(["./test", *words], cwd=self.folder, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
        if done.returncode == MISUSED:
            raise Refused(done.stderr.strip())
        return done

    def seeds(self, seeds, jobs, every):
        """Run seeds, until one fails or all: failures as (seed, text), tallies, and how many ran."""
        words = ["--seeds", seeds, "--jobs", str(jobs)] + (["--all"] if every else [])
        done = self.call(*words)
        if done.returncode not in (0, 1):
            raise Refused("the simulator %s: %s" % (ending(done.returncode), done.stderr.strip()))
        rows = [line.split("\t") for line in done.stdout.split("\n")]
        failed = sorted((int(row[1]), row[2]) for row in rows if row[0] == "failed")
        tallies = [(row[1], int(row[2]), int(row[3])) for row in rows if row[0] == "tried"]
        return failed, tallies, sum(int(row[1]) for row in rows if row[0] == "seeds")

    def one(self, seed, limits):
        """The story of one run."""
        done = self.call(*self.words(seed, limits), "--story", "story")
        with open(self.folder + "/story", errors="replace", newline="\n") as file:
            story = Story(file.read())
        if done.returncode and not story.failure:
            story.failure = "the run " + ending(done.returncode)
        return story

    def repeats(self, seed):
        """Whether two processes have the same trace; both differ in their addresses."""
        runs = [self.call("--seed", str(seed)) for _ in range(2)]
        return runs[0].stdout == runs[1].stdout and runs[0].returncode == runs[1].returncode


class Shrink:
    """From a seed that fails: the faults, their times and spans and the load that still fail, for the same reason."""

    def __init__(self, test, seed):
        self.test, self.seed, self.runs = test, seed, 0
        self.story = test.one(seed, Limits())
        self.why = reason(self.story.failure)
        self.limits = Limits(self.story.faults, 0, 0, max(self.story.loads, default=None))

    def fails(self, **changes):
        limits = self.limits._replace(**changes)
        self.runs += 1
        story = self.test.one(self.seed, limits)
        if reason(story.failure) != self.why:
            return False
        self.story, self.limits = story, limits
        return True

    def fewer_faults(self):
        """Leave out halves, then quarters, and so on down to single faults, until none can go."""
        size = len(self.limits.faults)
        while size:
            faults = self.limits.faults
            if not any(self.fails(faults=faults[:at] + faults[at + size :]) for at in range(0, len(faults), size)):
                size //= 2
            size = min(size, len(self.limits.faults))

    def halve(self, what, most):
        """Halve all times, or all spans, as often as that fails."""
        while self.limits.faults and (count := getattr(self.limits, what)) < most and self.fails(**{what: count + 1}):
            pass

    def less_load(self):
        """The least power of two that fails; then between that and half of it."""
        if self.limits.most is None:
            return
        least = 1
        while least < self.limits.most and not self.fails(most=least):
            least *= 2
        above = least // 2  # passes
        while above + 1 < self.limits.most:
            middle = (above + self.limits.most) // 2
            if not self.fails(most=middle):
                above = middle

    def run(self):
        before = None
        while before != self.limits:
            before = self.limits
            self.fewer_faults()
            self.halve("sooner", 40)
            self.halve("shorter", 13)  # from eight seconds to a millisecond
            self.less_load()
        return self
