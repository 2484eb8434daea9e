# bounds - pt-bounds: the most stack and time that a program for a small part can use, from its instructions
# SPDX-License-Identifier: MIT
#
#     binary.py       the program: symbols, words, instructions, lines, by the binutils of its processor
#     state.py        what is known at an instruction: the depth of the stack, registers
#     cortex_m.py     what an instruction of a Cortex-M does to it, and its interrupts
#     rv32.py         the same of a 32-bit RISC-V
#     avr.py          the same of an 8-bit AVR
#     flow.py         one function: its own depth, its calls and how deep each stands
#     signatures.py   the types of functions, and of pointers by their names, from the debug information
#     notes.py        what the source says: /* pt-bounds: ... */
#     targets.py      which functions a call through a pointer can reach
#     deepest.py      the deepest way through the calls; recursion
#     longest.py      the longest way through the instructions; loops and their bounds
#     report.py       all of it as plain data, and as a table
#     picture.py      the stack as a picture
#     options.py      the options of pt-bounds
#
# A part uses only those above it.
