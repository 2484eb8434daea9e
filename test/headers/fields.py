"""fields - what a macro that takes fields does with those that are not named
SPDX-License-Identifier: MIT

The macros are those of the file `uses` that give a child a field. Each starts it in storage where a task before has
left something, of a random size: all other members are zero, or what their constructors make of them, on both
backends. With PT_KEEP they are as before.
"""
import os
import pathlib
import random
import tempfile

from arguments import HERE, Use, program
from common import INCLUDE, ROOT, run

SUITES = ROOT / "test/suites"
FIELD = "~child, .n = $"
STARTED = {"PT_INIT": "; (void)pt_next(&frames[0].pt)", "PT_PREPARE": "; (void)pt_spawn(&loop, &tasks[0].task)"}
COMPILERS = {"c": ["gcc", "-std=gnu99"], "c++": ["g++", "-x", "c++", "-std=gnu++11"],
             "classes": ["clang++", "-x", "c++", "-std=gnu++11", "-DCLASSES"]}
BACKENDS = {"labels": [], "stacks": [f"-I{SUITES}", "-DPT_BACKEND=<stacks.h>", str(SUITES / "stacks.c")]}


def cases():
    """Each use, without PT_KEEP and with it."""
    for line in (HERE / "uses").read_text().splitlines():
        if FIELD in line:
            use = Use(line)
            for keep in "", "PT_KEEP, ":
                text = use.text.replace(FIELD, f"child, {keep}.n = 7").replace("&opened[$]", "&loop").replace("$", "0")
                yield use, text + STARTED.get(use.name, "")


def wrong(directory, language, backend, debug, seed):
    """The uses after which a member has another value."""
    build = pathlib.Path(os.environ["PT_BUILD"])
    source, binary = directory / "fields.c", directory / f"fields-{language}-{backend}-{debug}"
    rest = random.Random(seed).randrange(1, 600)
    all_cases = list(cases())
    source.write_text(program(all_cases).replace('"%d\\n", n', '"%d of %d\\n", kept, children')
                      .replace("{ ready();", "{ ready(); leave_in_all();")
                      .replace("(void)count;", f"(void)count; srand({seed});"))
    said, status = run([*COMPILERS[language], "-w", f"-O{1 - debug}", "-pthread", f"-DPT_DEBUG={debug}",
                        f"-DREST={rest}", "-I", INCLUDE,
                        str(source), *BACKENDS[backend], "-o", str(binary), f"-L{build}/.libs", "-lpt",
                        f"-Wl,-rpath,{build}/.libs"])
    if status:
        yield said
        return
    for number, (use, text) in enumerate(all_cases):
        left = "PT_KEEP" in text and "NEW" not in use.name.upper()
        expected = rest + 2 * (language == "classes") if left else 0
        said, _ = run([str(binary), str(number)])
        if said != f"{expected} of 1\n":
            yield f"{text}: not {expected} of 1, with -DREST={rest} and srand({seed}): {said}"


HOLDS = """#include "%s/objects.h"
#include <fcntl.h>
struct holder { struct pt pt; struct pt_system *like; struct pt_io io; };
static PT_ASYNC(holder, self) { (void)self; } PT_END
int main(void) {
    static PT_TASK(holder) task;
    static struct pt_io first;
    int ends[2];
    pt_system_open(&host, &loop, NULL);
    task.frame.like = &host;
    if (pipe(ends) || pt_io_open(&task.frame.io, &host, fcntl(ends[0], F_DUPFD, LEAST)) != PT_OK)
        return 1;
    (void)PT_START(&loop, &task, holder, PT_KEEP);
    pt_loop_run(&loop);
    if (TAKEN) {
        first = pt_io_take(&task.frame.io);
        task.frame.io = pt_io_take(&first);
    }
    if (CLOSED)
        pt_io_close(&task.frame.io);
    (void)PT_START(&loop, &task, holder);
    printf("started\\n");
    return 0;
}
"""


def wrong_open(directory):
    """What PT_DEBUG says of an open pt_io in a frame that is started again."""
    build = pathlib.Path(os.environ["PT_BUILD"])
    source, binary = directory / "holds.c", directory / "holds"
    source.write_text(HOLDS % HERE)
    told = ("stopped: a pt_io in its frame is open, and would become zero: close it first, or put PT_KEEP behind the "
            "name\n")
    for closed, taken, least, expected in ((0, 0, 3, told), (0, 0, 300, told), (0, 1, 3, told), (0, 1, 300, told),
                                           (1, 0, 3, "started\n"), (1, 1, 3, "started\n")):
        said, status = run(["gcc", "-std=gnu99", "-w", "-pthread", "-DPT_DEBUG=1", f"-DCLOSED={closed}",
                            f"-DTAKEN={taken}", f"-DLEAST={least}", "-I", INCLUDE,
                            str(source), "-o", str(binary), f"-L{build}/.libs", "-lpt", f"-Wl,-rpath,{build}/.libs"])
        said = said if status else run([str(binary)])[0]
        if said != expected:
            yield f"-DCLOSED={closed} -DTAKEN={taken} -DLEAST={least}: {said}"


def tests():
    """(name, what is wrong or "")."""
    first = int(os.environ.get("FIELDS_SEED", random.SystemRandom().randrange(1, 1 << 30)))
    with tempfile.TemporaryDirectory() as directory:
        yield "a_start_over_an_open_pt_io_is_told", "\n".join(wrong_open(pathlib.Path(directory)))
        for language in COMPILERS:
            for backend in BACKENDS:
                yield (f"fields_that_are_not_named_are_zero_in_{language}_on_{backend}",
                       "\n".join(line for debug in (0, 1)
                                 for line in wrong(pathlib.Path(directory), language, backend, debug, first)))
