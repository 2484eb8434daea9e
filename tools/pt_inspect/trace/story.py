# story.py - from the events of a trace to what each task did, from when to when
# SPDX-License-Identifier: MIT

from ..tables import WHY
from .places import suspension

RUN, READY, WAIT = "run", "ready", "wait"
MORE = 0x80
BY = {0: "from outside", 1: "by a task", 2: "by a post"}


class Span:
    """A task was in STATE from START to END. WHY: what it waited for. FROM, TO: the places of a run."""

    __slots__ = ("state", "start", "end", "why", "place", "to", "calls")

    def __init__(self, state, start, why=None, place=None):
        self.state, self.start, self.end, self.why, self.place = state, start, None, why, place
        self.to = None
        self.calls = []  # of a run: (start, end, function), those that it awaited

    @property
    def length(self):
        return self.end - self.start


class Task:
    """A task from its spawn to its end. A later task at the same address is another one."""

    def __init__(self, address, number):
        self.address, self.number = address, number
        self.name = None
        self.spans = []  # those that ended
        self.now = None  # the Span that lasts
        self.place = None  # where it was suspended
        self.status = None
        self.spawner = None

    def goes(self, state, time, why=None):
        """It is in another state; None: nothing is known of it."""
        if self.now is not None:
            self.now.end = time
            self.spans.append(self.now)
        self.now = state and Span(state, time, why, self.place)

    @property
    def title(self):
        return self.name or "%#x" % self.address


class Wake:
    """At TIME the task WAKER (None: something else, HOW) made WOKEN ready."""

    __slots__ = ("time", "waker", "woken", "how")

    def __init__(self, time, waker, woken, how):
        self.time, self.waker, self.woken, self.how = time, waker, woken, how


def reason(what):
    """Of a SUSPEND: None if the task stays ready."""
    what &= ~MORE
    if what == 0:
        return None
    if what < 3:
        return ("sleeps", "is parked")[what - 1]
    return WHY[what - 3][1] if what - 3 < len(WHY) else "waits (%d)" % what


class Story:
    def __init__(self, trace, places):
        self.trace, self.places = trace, places
        self.tasks = []
        self.alive = {}  # address: Task
        self.wakes = []
        self.polls = []  # (start, end)
        self.posts = []  # (time, remote, how many)
        self.running = None
        self.time = 0
        self.idle = None
        for event in trace.events:
            if event.time is not None:
                self.time = max(self.time, event.time)
                self.end_poll()
            getattr(self, "on_" + event.kind.lower())(event)
        self.finish()

    # --- tasks

    def task(self, address):
        if address not in self.alive:
            self.alive[address] = Task(address, len(self.tasks) + 1)
            self.tasks.append(self.alive[address])
        return self.alive[address]

    def stop(self):
        """The step that runs is over, and no SUSPEND has its reason."""
        if self.running:
            self.end_run(None)
            self.running.goes(None, self.time)
            self.running = None

    def end_run(self, place):
        run = self.running.now
        if run and run.state == RUN:
            run.to = place
            for call in run.calls:
                if call[1] is None:
                    call[1] = self.time

    def finish(self):
        self.end_poll()
        for task in self.alive.values():
            task.goes(None, self.time)
            task.name = self.trace.alive.get(task.address) or task.name  # it can have another one since its spawn
        for task in self.tasks:
            if not task.name and task.spans:
                named = [span.place for span in task.spans if span.place]
                task.name = named[0].split(" (")[0] if named else None

    def end_poll(self):
        if self.idle is not None:
            self.polls.append((self.idle, self.time))
            self.idle = None

    # --- events

    def on_spawn(self, event):
        self.alive.pop(event.object, None)
        task = self.task(event.object)
        task.name = "".join(event.texts) or None
        task.spawner = self.running if event.what == 1 else None
        self.woken(event, task, "spawned " + BY.get(event.what, ""))

    def on_wake(self, event):
        self.woken(event, self.task(event.object), BY.get(event.what, ""))

    def on_timer(self, event):
        self.woken(event, self.task(event.object), "by its timer")

    def woken(self, event, task, how):
        waker = self.running if event.kind != "TIMER" and event.what == 1 else None
        if task is not self.running:
            task.goes(READY, self.time)
        self.wakes.append(Wake(self.time, waker, task, how))

    def on_resume(self, event):
        self.stop()
        self.running = self.task(event.object)
        self.running.goes(RUN, self.time)
        if event.place and not self.running.place:  # its last SUSPEND is lost
            self.running.now.place = suspension(event.place)

    def on_suspend(self, event):
        if not self.running:
            return  # the ring has lost the RESUME
        task, place = self.running, self.places.place(event.object, event.place)
        self.end_run(place)
        task.place = place
        why = reason(event.what)
        task.goes(WAIT if why else READY, self.time, why)
        self.running = None

    def on_block(self, event):
        """It was ready, or has returned to a function that a cancel ends; it waits, without a step."""
        task = self.task(event.object)
        if self.running is task:
            self.end_run(None)
            self.running = None
        task.goes(WAIT, self.time, reason(event.what) or "is paused")

    def on_await(self, event):
        if self.running and self.running.now:
            self.running.now.calls.append([self.time, None, self.places.function(event.object)])

    def on_return(self, event):
        if self.running and self.running.now:
            waiting = [call for call in self.running.now.calls if call[1] is None]
            if waiting:
                waiting[-1][1] = self.time

    def on_end(self, event):
        task = self.task(event.object)
        if self.running is task:
            self.end_run("its end")
            self.running = None
        task.goes(None, self.time)
        task.name = "".join(event.texts) or task.name
        task.status = event.what - 256 if event.what > 127 else event.what
        del self.alive[event.object]

    def on_post(self, event):
        self.posts.append((self.time, event.object, event.place))

    def on_poll(self, event):
        self.stop()
        self.idle = self.time

    def on_lost(self, event):
        self.running = self.idle = None
        for task in self.alive.values():
            task.now = task.place = None
