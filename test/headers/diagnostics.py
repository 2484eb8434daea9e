"""diagnostics - a program with pt has no warning that other projects switch on, and keeps its own
SPDX-License-Identifier: MIT

Some warnings are about pt's way to work; doc/messages.md lists them, with reasons.
"""
import pathlib
import re

from common import INCLUDE, ROOT, installed_headers, run

BOTH = "all extra pedantic conversion sign-conversion shadow undef cast-qual cast-align switch-enum switch-default " \
    "format=2 float-equal write-strings null-dereference double-promotion vla pointer-arith".split()
C = "strict-prototypes missing-prototypes old-style-definition nested-externs declaration-after-statement " \
    "bad-function-cast".split()
CXX = "old-style-cast zero-as-null-pointer-constant extra-semi non-virtual-dtor overloaded-virtual".split()
GCC = "duplicated-branches duplicated-cond logical-op".split()
COMPILERS = {
    "gcc": ["gcc", "-std=gnu11", BOTH + C + GCC + ["jump-misses-init", "redundant-decls"]],
    "clang": ["clang", "-std=gnu11", BOTH + C],
    "g++": ["g++", "-std=gnu++17", BOTH + CXX + GCC + ["useless-cast"]], "clang++": ["clang++", "-std=gnu++17", BOTH + CXX],
}
FACES = {"c": ["pt", "posix", "sim", "threads", "virtual", "host", "fiber", "native"], "c++": ["pt", "posix", "fiber", "native"]}


def after(face, compiler, language):
    """What is wrong with the warning about a parameter that is not used: only the program's own function has it."""
    text = f"#include <pt/{face}.h>\nint twice(int once);\nint twice(int once) {{ return 0; }}\n"
    said = run([compiler, "-x", language, "-Wall", "-Wextra", "-D_GNU_SOURCE", "-fsyntax-only", "-I", INCLUDE, "-"], text)[0]
    found = [line for line in said.splitlines() if "warning:" in line]
    return "" if len(found) == 1 and "<stdin>" in found[0] and "once" in found[0] else f"{face}.h: {said or 'no warning'}\n"


def alone(feature):
    """What gcc says of a header that is included alone, with everything off but one feature.

    Not of those that need more, nor of the queues: timers.h and ready.h choose among them.
    """
    for header in installed_headers():
        room, file = header.split("/")[-2:]
        if room not in ("queue", "host", "net") and not file.startswith(("host", "native", "sim.h", "threads")):
            yield run(["gcc", "-x", "c", "-std=gnu99", "-Wall", "-Wextra", "-DPT_ALL=0", f"-D{feature}=1", "-fsyntax-only", "-I",
                       INCLUDE, "-"], f"#include <{header}>\n")[0]


def without():
    """What gcc says of the headers if one feature is off, each of config.h that can be off alone."""
    config = (pathlib.Path(INCLUDE) / "pt/base/config.h").read_text()
    for feature in re.findall(r"defined\((PT_\w+)\) && -", config):
        if feature != "PT_CENSUS": # others need it
            yield run(["gcc", "-x", "c", "-std=gnu99", "-Wall", "-Wextra", f"-D{feature}=0", "-fsyntax-only", "-I",
                       INCLUDE, "-"],
                      "#include <pt/posix.h>\n#include <pt/inspect.h>\n")[0]


def refusal(face, feature):
    """What is wrong with the message about a feature that a face needs: there is one, and nothing else."""
    said = run(["gcc", "-x", "c", "-Wall", "-Wextra", f"-D{feature}=0", "-fsyntax-only", "-I", INCLUDE, "-"],
               f"#include <pt/{face}.h>\n")[0]
    found = [line for line in said.splitlines() if " error: " in line or " warning: " in line]
    return "" if len(found) == 1 and f"{face}.h needs {feature}" in found[0] else f"{face}.h: {said or 'no error'}\n"


def declared_twice(face):
    """What gcc says of names that the headers of a face declare again, where they are not a system's."""
    return run(["gcc", "-x", "c", "-std=gnu99", "-Wredundant-decls", "-D_GNU_SOURCE", "-fsyntax-only", "-I", INCLUDE,
                "-"],
               f"#include <pt/{face}.h>\n")[0]


def debugged(face, compiler, language):
    """What a compiler says of a face with PT_DEBUG."""
    return run([compiler, "-x", language, "-Wall", "-Wextra", "-D_GNU_SOURCE", "-DPT_DEBUG=1", "-fsyntax-only", "-I", INCLUDE,
                "-"], f"#include <pt/{face}.h>\n")[0]


def tests():
    """(name, what a compiler says)."""
    program = str(ROOT / "test/misuse/good_every_macro.c")
    for name, (compiler, standard, warnings) in COMPILERS.items():
        language = "c++" if "++" in name else "c"
        yield f"the_macros_have_no_warning_of_other_projects_by_{name}", run(
            [compiler, "-x", language, standard, "-O2", *(f"-W{warning}" for warning in warnings), "-isystem", INCLUDE,
             "-S", "-o", "/dev/null", program])[0]
        yield f"the_headers_switch_no_warning_off_for_the_program_by_{name}", "".join(
            after(face, compiler, language) for face in FACES[language])
        yield f"the_headers_have_no_warning_with_PT_DEBUG_by_{name}", "".join(
            debugged(face, compiler, language) for face in FACES[language])
    yield "the_headers_declare_each_name_once", "".join(declared_twice(face) for face in FACES["c"])
    for feature in ("PT_TRACE", "PT_CHANNELS"):
        yield f"each_header_compiles_alone_with_nothing_but_{feature}", "".join(alone(feature))
    yield "the_headers_compile_with_each_feature_off", "".join(without())
    yield "a_face_that_lacks_a_feature_says_only_that", "".join(
        refusal(*pair) for pair in (("threads", "PT_PORT"), ("sim", "PT_PORT"), ("sim", "PT_INSPECT")))
