# options.py - the options of pt-size
# SPDX-License-Identifier: MIT

from ..options import Parser

USAGE = "pt-size [options] PROGRAM.elf"
TEXT = """\
Prints where the flash and the RAM of a program are: in pt by room, in the program by file, and of each body. All parts
together are what size says: text + data, and data + bss. The program is linked with -g, which changes no code.
"""


def parse(arguments):
    options = Parser("pt-size", USAGE, TEXT)
    add = options.add_argument
    add("program", metavar="PROGRAM.elf", help="a linked program with debug information")
    add("--beside", metavar="OTHER.elf", help="print what it has more: than an empty board, or than with other knobs")
    add("--files", action="store_true", help="print also pt's files, and the lines of the program that name pt")
    add("--json", action="store_true", help="print JSON")
    return options.parse_args(arguments)
