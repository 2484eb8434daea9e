# worlds - pt-sim: runs programs as machines of a world, under many seeds; the simulator is world/
# SPDX-License-Identifier: MIT
#
#     plain.py     the test of a server and its clients, for programs without a test of their own
#     build.py     the test, with the simulator and the programs, as one program
#     runs.py      that program under seeds; the smallest run that still fails
#     story.py     what happened in a run, and as a table
#     picture.py   that as a space-time diagram, and as a page
#     options.py   the options of pt-sim
#
# A part uses only those above it, and the tools beside this folder.
