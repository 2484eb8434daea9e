"""diagnostics - a program with pt as system headers has no warning that other projects switch on
SPDX-License-Identifier: MIT

Some warnings are about pt's way to work; doc/messages.md lists them, with reasons.
"""
from common import INCLUDE, ROOT, run

BOTH = "all extra pedantic conversion sign-conversion shadow undef cast-qual cast-align switch-enum switch-default " \
    "format=2 float-equal write-strings null-dereference double-promotion vla pointer-arith".split()
C = "strict-prototypes missing-prototypes old-style-definition nested-externs declaration-after-statement " \
    "bad-function-cast".split()
CXX = "old-style-cast zero-as-null-pointer-constant extra-semi non-virtual-dtor overloaded-virtual".split()
GCC = "duplicated-cond logical-op".split()
COMPILERS = {
    "gcc": ["gcc", "-std=gnu11", BOTH + C + GCC + ["jump-misses-init"]], "clang": ["clang", "-std=gnu11", BOTH + C],
    "g++": ["g++", "-std=gnu++17", BOTH + CXX + GCC + ["useless-cast"]], "clang++": ["clang++", "-std=gnu++17", BOTH + CXX],
}


def tests():
    """(name, what a compiler says)."""
    program = str(ROOT / "test/misuse/good_every_macro.c")
    for name, (compiler, standard, warnings) in COMPILERS.items():
        language = "c++" if "++" in name else "c"
        yield f"the_macros_have_no_warning_of_other_projects_by_{name}", run(
            [compiler, "-x", language, standard, "-O2", *(f"-W{warning}" for warning in warnings), "-isystem", INCLUDE,
             "-S", "-o", "/dev/null", program])[0]
