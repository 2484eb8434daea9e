# plain.py - the test of a server and its clients, for programs without a test of their own
# SPDX-License-Identifier: MIT

HEAD = """\
/* test.c - the test that pt-sim makes of a server and its clients: copy it, and change what is to be so */
#include "world.h"

#include <signal.h>

void world_test(struct world *world)
{
"""
BEGIN = """\

    world_start(%(server)s);
    world_run(world, WORLD_MS);
%(starts)s    world_disturb(world, 8, 10 * WORLD_S);
"""
CLIENT = """\
    world_check(world, world_run_to_end(%(name)s, 3600 * WORLD_S), "%(name)s ends within an hour");
    world_check(world, world_status(%(name)s) == 0, "%(name)s ends with status 0");
"""
END = """\
    world_run(world, 20 * WORLD_S);
    world_signal(%(server)s, SIGTERM);
    world_check(world, world_run_to_end(%(server)s, 60 * WORLD_S), "%(server)s ends within a minute of a SIGTERM");
    world_check(world, world_status(%(server)s) == 0 || world_status(%(server)s) == 128 + SIGTERM,
                "%(server)s ends in order");
}
"""


# What a variable of the test cannot be called, and the file of a program can.
TAKEN = set("world main unix linux auto break case char const continue default do double else enum extern float for"
            " goto if inline int long register return short signed sizeof static struct switch typedef union unsigned"
            " void volatile while".split())  # fmt: skip


def identifier(name):
    """A name that a variable of the test can have."""
    return "_" + name if name[0].isdigit() or name in TAKEN else name


def text(programs):
    """PROGRAMS: (name, words) of the server, then of its clients."""
    names, lines = [], []
    for name, words in programs:
        machine = name = identifier("".join(letter if letter.isalnum() else "_" for letter in name))
        while machine in names:
            machine = "%s%d" % (name, 1 + sum(other.startswith(name) for other in names))
        names.append(machine)
        quoted = words.replace("\\", "\\\\").replace('"', '\\"')
        lines.append('    struct world_machine *%s =\n        world_add(world, "%s", "%s.so", "%s");\n'
                     % (machine, machine, programs[len(names) - 1][0], quoted))  # fmt: skip
    starts = "".join("    world_start(%s);\n" % name for name in names[1:])
    clients = "".join(CLIENT % {"name": name} for name in names[1:])
    return HEAD + "".join(lines) + BEGIN % {"server": names[0], "starts": starts} + clients + END % {"server": names[0]}
