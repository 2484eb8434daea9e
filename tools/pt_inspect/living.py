# living.py - a process whose first thread has ended
# SPDX-License-Identifier: MIT

import os


def thread_of(pid):
    """The number by which /proc shows the memory of a process: of its first thread, or of another one if that has ended
    (a main that calls pthread_exit). PID if all have ended."""
    try:
        threads = sorted(os.listdir("/proc/%s/task" % pid), key=int)
    except OSError:
        threads = []
    return next((thread for thread in [pid, *threads] if has_program(thread)), pid)


def has_program(thread):
    try:
        os.readlink("/proc/%s/exe" % thread)
        return True
    except PermissionError:
        return True
    except OSError:
        return False
