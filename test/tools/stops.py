# stops.py - Still on threads that follow a script instead of a system: no thread, no time
# SPDX-License-Identifier: MIT
#
#     python3 stops.py TEST
import os
import sys

sys.path.insert(0, os.environ["TOOLS"])
from pt_inspect import still  # noqa: E402

STOPPED, ENDED, GONE = 0x80137F, 0x0, None  # statuses of waitpid; None: it says nothing


class Thread:
    """ASKED, HEARD and READ: the fault of SEIZE, of INTERRUPT and of GETREGSET. STATE: as /proc has it. STATUS: what
    waitpid says, LATER seconds after the thread was asked."""

    def __init__(self, state="S", status=STOPPED, later=0.0, asked=None, heard=None, read=None):
        self.state, self.status, self.later = state, status, later
        self.held = self.detached = self.gone = False
        self.faults = {still.SEIZE: asked, still.INTERRUPT: heard, still.GETREGSET: read, still.DETACH: None}


class System:
    """What still.py asks the system for."""

    def __init__(self, *threads):
        self.threads, self.now = dict(enumerate(threads, 1)), 0.0
        still.os = still.time = self
        still.ptrace = self.ptrace
        still.Still.state = lambda _, thread: self.threads[thread].state

    def __getattr__(self, name):
        return getattr(os, name)

    def listdir(self, _):
        return [str(number) for number, thread in self.threads.items() if not thread.gone]

    def ptrace(self, request, number, _address=0, data=0):
        thread = self.threads[number]
        held = PermissionError() if request == still.SEIZE and thread.held else None
        fault = thread.faults[request] or held
        if fault:
            raise fault
        if request == still.SEIZE:
            thread.held, thread.asked_at = True, self.now
        elif request == still.DETACH:
            thread.held, thread.detached = False, True

    def waitpid(self, number, _):
        thread = self.threads[number]
        assert thread.held, "it waits for a thread that is not held"
        if thread.status is GONE or self.now < thread.asked_at + thread.later:
            return 0, 0
        thread.held, thread.gone = thread.status == STOPPED, thread.status == ENDED
        return number, thread.status

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        assert self.now < 10, "it waits on and on"

    def held(self):
        return [number for number, thread in self.threads.items() if thread.held]


def stop(*threads):
    """(the system, what was raised or None, the threads whose registers are known)"""
    system, process = System(*threads), still.Still(7)
    try:
        with process:
            assert not any(thread.detached for thread in threads)
    except OSError as fault:
        return system, type(fault), sorted(process.registers)
    return system, None, sorted(process.registers)


def the_parent_of_a_vfork_lets_the_others_go():
    system, fault, _ = stop(Thread(), Thread(state="D", status=GONE), Thread())
    assert fault is TimeoutError and system.held() == [2] and 1 < system.now < 1.1, (fault, system.held(), system.now)


def a_thread_that_is_long_in_the_system_stops():
    system, fault, known = stop(Thread(state="D", later=0.9), Thread(later=3))
    assert (fault, known, system.held()) == (None, [1, 2], [])


def a_thread_that_ends_is_no_other_users():
    gone, dead = Thread(state="Z", asked=PermissionError()), Thread(state="X", asked=ProcessLookupError())
    system, fault, known = stop(Thread(), gone, dead)
    assert (fault, known, system.held()) == (None, [1], [])


def threads_that_were_asked_go_on_where_a_later_one_refuses():
    system, fault, _ = stop(Thread(), Thread(), Thread(asked=PermissionError()))
    assert fault is PermissionError and system.held() == [], (fault, system.held())


def a_thread_that_ends_when_it_was_asked_is_waited_for():
    system, fault, known = stop(Thread(), Thread(status=ENDED, heard=ProcessLookupError()))
    assert (fault, known, system.held()) == (None, [1], [])


def a_first_thread_that_ends_when_it_was_asked_is_not_waited_for():
    system, fault, known = stop(Thread(state="Z", status=GONE), Thread())
    assert (fault, known, system.held()) == (None, [2], [1])  # by the system only: it has ended


def a_thread_that_is_killed_takes_only_its_registers_along():
    system, fault, known = stop(Thread(), Thread(read=ProcessLookupError()))
    assert (fault, known, system.held()) == (None, [1], [])


globals()[sys.argv[1]]()
