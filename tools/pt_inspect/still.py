# still.py - stops a process for a moment, by ptrace; gdb, which reads symbols while it attaches, is not needed
# SPDX-License-Identifier: MIT

import ctypes
import os
import struct
import time

DETACH, SEIZE, INTERRUPT, GETREGSET = 17, 0x4206, 0x4207, 0x4204  # of ptrace(2)
PRSTATUS = 1  # the general registers
WALL = 0x40000000  # waitpid waits for any thread
REGISTERS_MAX = 4096  # bytes

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.restype = ctypes.c_long


def ptrace(request, thread, address=0, data=0):
    numbers = ctypes.c_long(request), ctypes.c_long(thread), ctypes.c_void_p(address), ctypes.c_void_p(data)
    if LIBC.ptrace(*numbers) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


class Still:
    """All threads of a process stand still while this is open. REGISTERS: {thread: its registers, as a core has them}."""

    def __init__(self, pid):
        self.pid, self.asked, self.signals, self.registers = pid, [], {}, {}

    def __enter__(self):
        try:
            while self.stop_more():  # a thread that was not stopped yet can start another one
                pass
            for thread in self.signals:
                self.read_registers(thread)
        except BaseException:
            self.__exit__()
            raise
        return self

    def stop_more(self):
        """Stop the threads that run; False if there were none."""
        for thread in sorted(int(name) for name in os.listdir("/proc/%s/task" % self.pid)):
            if thread not in self.signals:
                self.ask(thread)
        return self.hear()

    def ask(self, thread):
        try:
            ptrace(SEIZE, thread)
            self.asked.append(thread)
            ptrace(INTERRUPT, thread)
        except ProcessLookupError:
            pass  # it has ended meanwhile
        except PermissionError:
            if self.state(thread) not in "ZX":  # else it ends
                raise

    def hear(self):
        """Wait until all that were asked have stopped; False if there were none."""
        found = bool(self.asked)
        while self.asked:
            thread = self.asked.pop()
            status = self.wait(thread)
            if os.WIFSTOPPED(status):  # else it has ended
                self.signals[thread] = 0 if status >> 16 else os.WSTOPSIG(status)
        return found

    def wait(self, thread):
        """Its status, once it has stopped or ended. In the system it can stop only when it gets out: the parent of a vfork
        not before its child has begun a program, and the others must not stand still so long."""
        since = time.monotonic()
        while True:
            state = self.state(thread)
            found, status = os.waitpid(thread, WALL | os.WNOHANG)
            if found or state in "ZX":  # of a first thread that has ended the system says nothing while others live
                return status
            if state != "D":
                since = time.monotonic()
            elif time.monotonic() - since > 1:
                raise TimeoutError("thread %d does not stop: it waits in the system, for a child's exec or a disk" % thread)
            time.sleep(0.0002)

    def state(self, thread):
        """R, S, D and so on, as proc(5) has it; X if it is gone."""
        try:
            with open("/proc/%s/task/%d/stat" % (self.pid, thread), "rb") as stat:
                return stat.read().rpartition(b") ")[2][:1].decode()
        except (FileNotFoundError, ProcessLookupError):
            return "X"

    def read_registers(self, thread):
        room = ctypes.create_string_buffer(REGISTERS_MAX)
        vector = struct.pack("@PN", ctypes.addressof(room), REGISTERS_MAX)
        vector = ctypes.create_string_buffer(vector, len(vector))
        try:
            ptrace(GETREGSET, thread, PRSTATUS, ctypes.addressof(vector))
            self.registers[thread] = room.raw[: struct.unpack("@PN", vector.raw)[1]]
        except ProcessLookupError:
            pass  # it was killed

    def __exit__(self, *_):
        """Let it go on, with the signal that was about to come. A thread that does not stop goes on when this program ends."""
        try:
            self.hear()
        except (ChildProcessError, TimeoutError):
            pass
        for thread, signal in self.signals.items():
            try:
                ptrace(DETACH, thread, data=signal)
            except ProcessLookupError:
                pass  # it was killed
        self.signals = {}
