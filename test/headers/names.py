"""names - the headers compile where a program has macros of other people's headers
SPDX-License-Identifier: MIT

All headers, behind the standard headers that they use, are compiled with these words as macros that no program can use:

    the words of the file `words`, which other people's headers define
    the words of attributes, without the underscores that make them the compiler's
    every name in capitals that has no PT_, except those of the standard headers

and beside headers that are installed here.
"""
import pathlib
import re
import shutil

from common import INCLUDE, compile_text, installed_headers

HERE = pathlib.Path(__file__).resolve().parent
PART = ["-ffreestanding", "-DPT_CRITICAL_ENTER()=0", "-DPT_CRITICAL_LEAVE(state)=(void)state", "-DPT_ALL=1",
        "-DPT_PORT=1", "-DPT_INSPECT=1", "-DPT_TRACE=1", "-DPT_REMOTE=1"]
COMPILERS = {
    "gcc": ["gcc", "-std=gnu99", "-D_GNU_SOURCE"], "clang": ["clang", "-std=gnu99", "-D_GNU_SOURCE"],
    "g++": ["g++", "-x", "c++", "-std=gnu++11"], "clang++": ["clang++", "-x", "c++", "-std=gnu++11"],
    "avr-gcc": ["avr-gcc", "-mmcu=atmega328p", "-std=c99", *PART],
    "avr-g++": ["avr-g++", "-mmcu=atmega328p", "-x", "c++", "-std=c++11", *PART],
    "arm-none-eabi-gcc": ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-std=c99", *PART],
}
WINDOWS = {"c": ["x86_64-w64-mingw32-gcc", "-std=gnu99"],
           "c++": ["x86_64-w64-mingw32-g++", "-x", "c++", "-std=gnu++11"]}
ARDUINO = pathlib.Path("/usr/share/arduino/hardware/arduino/avr")
UNIX = "complex tgmath curses strings termios sys/param sys/sysmacros sys/queue net/if X11/Xos X11/Xlib".split()
PROGRAM = """
struct blink { struct pt pt; int times; };
PT_ASYNC(blink, self)
{
    for (; self->times > 0; self->times--)
        PT_WAIT(PT_MS(500));
}
PT_END
"""


def without_texts(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def words():
    """The words of the file that are macros, as they are defined; and those that pt keeps."""
    macros, kept = [], []
    for line in (HERE / "words").read_text().splitlines():
        if line and not line.startswith("#"):
            word, whose = line.split(None, 1)
            (kept if "; kept: " in whose else macros).append(word)
    return macros, kept


def made_of_the_headers():
    """Words of attributes and names in capitals, from all headers."""
    macros, standard = set(), set()
    for path in pathlib.Path(INCLUDE).rglob("*.h"):
        if path.name == "windows.h":
            continue
        text = without_texts(path.read_text())
        text = re.sub(r"^\s*#\s*(if|elif|ifdef|ifndef|include|error|undef|pragma)\b.*", "", text, flags=re.M)
        for attributes in re.findall(r"__attribute__\s*\(\(([a-z_]+(?:, [a-z_]+)*)", text):
            macros |= {word.strip("_") for word in attributes.split(", ")}
        macros |= set(re.findall(r"(?<![\w#])[A-Z][A-Z0-9_]*[A-Z0-9](?!\w)", text))
        standard |= set(re.findall(r"\b(?:AF|CLOCK|INT\d+|LC|SIG|SIZE|UINT\w*|VALGRIND)_?\w*\b|\bNULL\b|\bFILE\b", text))
    return sorted(word for word in macros - standard if not word.startswith("PT_"))


def poisoned(headers, used):
    macros, _ = words()
    lines = [f"#include <{name}>" for name in used]
    for word in dict.fromkeys(macros + made_of_the_headers()):
        name = word.replace("()", "")
        lines += [f"#undef {name}", f"#define {word.replace('()', '(...)')} @ {name} is a macro"]
    return "\n".join(lines + [f"#include <{name}>" for name in headers]) + "\n"


def tests():
    """(name, what is wrong or "", or None if it cannot be tested here)."""
    used = "stdbool.h stddef.h stdint.h".split()
    hosted = used + ("poll.h pthread.h signal.h stdio.h stdlib.h string.h sys/socket.h sys/types.h sys/uio.h time.h "
                     "ucontext.h unistd.h").split()
    for name, command in COMPILERS.items():
        part = "-ffreestanding" in command
        headers = ["pt/pt.h"] if part else installed_headers("++" in name) + ["pt/classic/adapter.h"]
        for which, some in (("", headers), ("classic_", ["pt/classic/pt.h", "pt/classic/pt-sem.h"])):
            title = f"the_{which}headers_compile_where_other_headers_have_macros_by_{name}"
            cpp = ["cxxabi.h"] if "++" in name and not part else []
            text = poisoned(some, cpp + (used if part else hosted)) + ("" if which else PROGRAM)
            yield title, compile_text(command, text) if shutil.which(command[0]) else None
    _, kept = words()
    text = "".join(without_texts(path.read_text()) for path in pathlib.Path(INCLUDE).rglob("*.h"))
    yield "a_word_that_is_kept_is_a_name_in_the_headers", "".join(
        f"{word} is no longer kept\n" for word in kept if not re.search(rf"\b{word}\b", text))
    for language, command in WINDOWS.items():
        for order in ("before", "after"):
            here, there = "#include <windows.h>\n", "#include <pt/pt.h>\n#include <pt/virtual.h>\n#include <pt/native.h>\n"
            text = (here + there if order == "before" else there + here) + PROGRAM
            yield (f"a_program_for_windows_has_windows_h_{order}_the_headers_in_{language}",
                   compile_text(command, text) if shutil.which(command[0]) else None)
    sketch = ["avr-g++", "-mmcu=atmega328p", "-x", "c++", "-std=gnu++11", "-DF_CPU=16000000", "-DARDUINO=10819", "-w",
              f"-I{ARDUINO}/cores/arduino", f"-I{ARDUINO}/variants/standard"]
    yield "a_sketch_has_the_macros_of_arduino_h_before_the_headers", compile_text(
        sketch, "#include <Arduino.h>\n#include <pt/pt.h>\n" + PROGRAM) if ARDUINO.exists() and shutil.which(sketch[0]) else None
    for name in ("gcc", "g++"):
        command = [*COMPILERS[name], "-D_GNU_SOURCE"]
        there = [header for header in UNIX if not compile_text(command, f"#include <{header}.h>\n")]
        yield f"a_program_has_the_macros_of_other_headers_of_unix_before_the_headers_by_{name}", compile_text(
            command, "".join(f"#include <{header}.h>\n" for header in there + [h[:-2] for h in installed_headers(name == "g++")]) + PROGRAM)
