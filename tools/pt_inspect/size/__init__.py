# size - pt-size: where the flash and the RAM of a program are, from its symbols and debug information
# SPDX-License-Identifier: MIT
#
#     program.py      the linked program: its sections in memory, its symbols
#     lines.py        the table of lines: which file and line each instruction comes from
#     entries.py      the debug information: variables, types, sizes of frames
#     owners.py       of each byte: who it belongs to
#     report.py       the sums as plain data, and as a table
#     options.py      the options of pt-size
#
# A part uses only those above it.
