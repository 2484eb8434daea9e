# tables.py - constants of pt's headers; test/tools/run compares them
# SPDX-License-Identifier: MIT

READY_AHEAD = 32  # PT_READY_AHEAD_ of queue/ready_ring.h
CHUNK, FRONT = 8, 48  # PT_CHUNK_ and PT_FRONT_MOST_ of queue/buckets.h

# coroutine/state.h
PERMIT = 0x01
READY = 0x02
ALIVE = 0x03
HELD = 0x08
QUEUED = 0x10
PAUSED = 0x20
SLEEPING = 0x40
HAS_OPS = 0x80
GIVEN, CANCELED, OWNED, MEMBER = 0x01, 0x04, 0x20, 0x40  # of the flags

# coroutine/frame.h
CLEANING_BASE = 0x80  # of a frame with a task_name
SCOPE_LATE = 0x01
SCOPE_TIMED = 0x04
SCOPE_GROUP = 0x08
SCOPE_ENTERED = 1  # a state
GROUP_ALL = 0  # PT_GROUP_ALL, of scope/group.h

# loop/complete.h
CASE_IN_QUEUE, CASE_IN_LIST, CASE_IN_TIME = 0, 1, 2

# PT_WHY_HOST_ and PT_WHY_TABLE of coroutine/park.h
HOST = 0x1E
WHY = (
    ("JOIN", "joins a task"),
    ("POOL", "waits for room in a pool"),
    ("GROUP", "waits for its group"),
    ("EVENT", "waits for an event"),
    ("FLAGS", "waits for flags"),
    ("LOCK", "waits for a lock"),
    ("SEMAPHORE", "waits for a semaphore"),
    ("CONDITION", "waits for a condition"),
    ("BARRIER", "waits at a barrier"),
    ("SEND", "sends to a channel"),
    ("RECEIVE", "receives from a channel"),
    ("PUSH", "pushes to a full queue"),
    ("POP", "pops from an empty queue"),
    ("BROADCAST", "waits for a broadcast"),
    ("SELECT", "selects"),
    ("IO", "waits for a descriptor"),
    ("SHARED", "waits for a lock to read"),
    ("FOREIGN", "waits for foreign code"),
)

# PT_TASK_STATE_TABLE of inspect/inspect.h
STATES = {
    "IDLE": "was never spawned",
    "DONE": "is done",
    "RUNNING": "runs",
    "READY": "is ready",
    "SLEEPING": "sleeps",
    "PARKED": "is parked",
    "WAITING": "waits in a queue",
    "HELD": "is paused; otherwise ready",
}

# Wait queues and wait lists: (struct, field, what a task in it waits for).
QUEUES = (
    ("pt_task", "joiners", "JOIN"),
    ("pt_pool", "waiters", "POOL"),
    ("pt_group", "waiters", "GROUP"),
    ("pt_event", "waiters", "EVENT"),
    ("pt_flags", "waiters", "FLAGS"),
    ("pt_lock", "waiters", "LOCK"),
    ("pt_rwlock", "readers", "SHARED"),
    ("pt_rwlock", "writers", "LOCK"),
    ("pt_semaphore", "waiters", "SEMAPHORE"),
    ("pt_condition", "waiters", "CONDITION"),
    ("pt_barrier", "waiters", "BARRIER"),
    ("pt_channel_", "senders", "SEND"),
    ("pt_channel_", "receivers", "RECEIVE"),
    ("pt_mailbox", "waiters", "RECEIVE"),
    ("pt_queue_", "pushers", "PUSH"),
    ("pt_queue_", "poppers", "POP"),
    ("pt_ring_", "waiters", "POP"),
    ("pt_broadcast_", "waiters", "BROADCAST"),
    ("pt_io", "readers", "IO"),
    ("pt_io", "writers", "IO"),
    ("pt_io", "hangups", "IO"),
    ("pt_foreign", "waiters", "FOREIGN"),
)

# Cases of a select, by the function that tries them: (what the task waits for, type of the target).
CASES = {
    "pt_case_send_take_": ("SEND", "pt_channel_"),
    "pt_case_recv_take_": ("RECEIVE", "pt_channel_"),
    "pt_case_push_take_": ("PUSH", "pt_queue_"),
    "pt_case_pop_take_": ("POP", "pt_queue_"),
    "pt_case_ring_take_": ("POP", "pt_ring_"),
    "pt_case_mail_take_": ("RECEIVE", "pt_mailbox"),
    "pt_case_flags_take_": ("FLAGS", "pt_flags"),
    "pt_case_broadcast_take_": ("BROADCAST", "pt_broadcast_"),
    "pt_case_event_take_": ("EVENT", "pt_event"),
    "pt_case_acquire_take_": ("SEMAPHORE", "pt_semaphore"),
    "pt_case_lock_take_": ("LOCK", "pt_lock"),
    "pt_case_join_take_": ("JOIN", "pt_task"),
    "take_hangup": ("IO", "pt_io"),
    "take_readable": ("IO", "pt_io"),
    "take_writable": ("IO", "pt_io"),
}

# Members that the macros for a type add around the struct: nobody writes them.
INNER = (".channel", ".queue", ".pool", ".sent", ".ring")
