# pt_inspect - see into a program that uses pt: its loops, its tasks, and what each waits for
# SPDX-License-Identifier: MIT
#
#     debugger.py   what a debugger must offer: memory, types, symbols, stacks; nothing of pt
#     gdb_side.py   gdb offers it
#     unwinder.py   gdb: the callers that await a running body, in `bt`; stacks that were left
#     memory.py     reads memory, each page once
#     structs.py    reads a field of a struct by its path
#     dwarf.py      the source line of each label, from the debug information
#       ---
#     tables.py     constants of pt's headers
#     lists.py      walks lists, and finds damaged ones
#     tasks.py      loops, tasks, frames
#     census.py     finds the loops, and the tasks of each
#     waits.py      what a task waits for: the object, its owner, the other side
#     native.py     the C stack of a native task
#     own_memory.py pt's own memory, which keeps no task alive
#     stuck.py      tasks that wait for each other, and tasks that nothing can wake
#       ---
#     report.py     all of this as plain data
#     text.py       the report for people
#       ---
#     commands.py   gdb: info pt-tasks, pt-bt, ...
#     peers.py      the peers of descriptors, from the system
#     living.py     a thread of a process whose first one has ended
#     still.py      a process stands still
#     core_file.py  the head of a core file
#     snapshot.py   a copy of a process, as a core file, so that it goes on
#     build.py      gdb: whether the program that was given is the one that runs
#     session.py    gdb: carries out pt-ps
#     options.py    the options of pt-ps
#     output.py     what is said on the standard streams, whatever these are
#       ---
#     trace/        pt-trace
#     bounds/       pt-bounds
#     size/         pt-size
#     worlds/       pt-sim
#
# A part uses only those above it. Only gdb_side.py, unwinder.py and the last group import gdb.
