"""systems - the headers for systems whose compilers are not here: Windows without mingw, and macOS
SPDX-License-Identifier: MIT

clang compiles for them without their C libraries: the folder libc declares what the headers use of one. In C++ a
libstdc++ would be needed for exceptions on stacks.
"""
import os
import shutil

from common import INCLUDE, ROOT, run

SYSTEMS = {"windows_by_clang": "x86_64-pc-windows-msvc", "macos_on_arm": "arm64-apple-macosx",
           "macos_on_x86": "x86_64-apple-macosx"}
FACES = {"c": ["pt", "fiber", "native", "sim", "virtual", "inspect"], "c++": ["pt", "sim", "virtual", "inspect"]}
LIBC = str(ROOT / "test/headers/libc")


def tests():
    """(name, what is wrong or "", or None if it cannot be tested here)."""
    for name, target in SYSTEMS.items():
        if not shutil.which("clang"):
            yield f"the_headers_compile_for_{name}", None
            continue
        clang = ["clang", f"--target={target}", "-nostdlibinc", "-isystem", LIBC, "-Wall", "-Wextra", "-Wpedantic",
                 "-I", INCLUDE]
        yield (f"the_headers_compile_for_{name}",
               "".join(run([*clang, "-x", language, "-fsyntax-only", "-"], f"#include <pt/{face}.h>\n")[0]
                       for language, faces in FACES.items() for face in faces))
        yield (f"a_switch_of_stacks_is_compiled_for_{name}",
               run([*clang, "-x", "c", "-O2", "-c", "-o", os.devnull, "-"],
                   "#include <pt/fiber.h>\nvoid leave(struct pt_context *from, struct pt_context *to);\n"
                   "void leave(struct pt_context *from, struct pt_context *to) { pt_context_switch(from, to); }\n")[0])
