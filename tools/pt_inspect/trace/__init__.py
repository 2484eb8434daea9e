# trace - pt-trace: what the tasks of a trace did
# SPDX-License-Identifier: MIT
#
#     file.py      the events of a file, and their times
#     places.py    the functions and lines of their addresses
#     story.py     what each task did, from when to when
#     table.py     that as a table
#     timeline.py  that as JSON and as a picture
#     options.py   the options of pt-trace
#     ring.py      gdb: the ring of a program, as a file
#
# A part uses only those above it, and the tools beside this folder.
