"""linkage - a C++ program can include each face in extern "C", as it includes headers of C
SPDX-License-Identifier: MIT
"""
import pathlib
import shutil

from common import INCLUDE, compile_text


def tests():
    """(name, what is wrong or "", or None if it cannot be tested here)."""
    for compiler in ("g++", "clang++"):
        for face in sorted(set(pathlib.Path(INCLUDE, "pt").glob("*.h")) - {pathlib.Path(INCLUDE, "pt/windows.h")}):
            command = [compiler, "-x", "c++", "-std=c++11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
            text = f'extern "C" {{\n#include <pt/{face.name}>\n}}\n'
            yield (f"{face.stem}_h_can_be_included_in_extern_c_by_{compiler.replace('+', 'x')}",
                   compile_text(command, text) if shutil.which(compiler) else None)
