"""arguments - each public macro evaluates each argument once, or PT_DEBUG stops at one with a side effect
SPDX-License-Identifier: MIT

The macros are read from the headers; the file `uses` has a use of each, and a macro without one is a failure. In a
program for each argument, that argument is another object each time that it is evaluated. With PT_DEBUG it must be
evaluated once, or the program stops with the message about it; without PT_DEBUG once, unless PT_DEBUG stops.
"""
import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

from common import INCLUDE, ROOT, run

sys.path.insert(0, str(ROOT / "scripts"))
import apidoc
from apitext import split

HERE = pathlib.Path(__file__).resolve().parent
USE = re.compile(r"(\w+) (?:= (.*)|(body|block|plain|gone|native|host) (.*?)(?: \| (.*))?)$")
MESSAGE = "an argument has a side effect, and is evaluated several times"
COMPILERS = {"c": ["gcc", "-std=gnu99"], "c++": ["g++", "-x", "c++", "-std=gnu++11"]}
BARE = {"PT_BARE": ("bare_labels[$]", "0", "0"), "PT_BARE_YIELD": ("*label", "$", "0"), "PT_BARE_END": ("*label", "0", "$")}


class Use:
    """A line of the file: a use of a macro, with an argument that is tested in each of its forms."""

    def __init__(self, line):
        found = USE.match(line)
        if not found:
            sys.exit(f"uses: {line}")
        self.name, self.reason, self.context, self.text, self.partner = found.groups()

    def arguments(self):
        """The arguments of the macro in the use."""
        start = re.search(rf"\b{self.name}\(", self.text).end()
        depth, end = 1, start
        while depth:
            depth += {"(": 1, ")": -1}.get(self.text[end], 0)
            end += 1
        return split(self.text[start:end - 1])

    def forms(self):
        """The use with a side effect in one argument after the other."""
        text = self.text
        if self.name in BARE:
            label, between, last = BARE[self.name]
            text = f"PT_BARE({label}) {{ PT_BARE_YIELD({between}); }} PT_BARE_END({last})"
        for i, place in enumerate(re.finditer(r"\$", text)):
            yield i, (text[:place.start()] + "(n++)" + text[place.end():]).replace("$", "0")


def public_macros():
    """The macros of include/pt with arguments that programs use: (name, parameters, header)."""
    headers, _ = apidoc.load()
    for header in (header for header in headers if header.room not in apidoc.BESIDE):
        for item in (item for group in header.groups for item in group.items if item.kind == "macro"):
            found = re.match(r"(\w+)\((.*)\)$", item.text)
            if found and found.group(2):
                yield found.group(1), split(found.group(2)), header


def refused(name, header):
    """Whether each use of a macro is a compile error."""
    return re.search(rf"#define {name}\(.*\)\s*(\\\n)?\s*PT_NO_SUCH_", (pathlib.Path(INCLUDE) / "pt" / header.path).read_text())


def wrong_uses(uses):
    known = {}
    for name, parameters, header in public_macros():
        known[name] = parameters
        use = uses.get(name)
        if not use and not refused(name, header):
            yield f"{name} ({header.path}) has no use in test/headers/uses"
        elif use and use.text and name not in BARE:
            arguments = use.arguments()
            if len(arguments) < len(parameters):
                yield f"{name}: the use has {len(arguments)} arguments, not {len(parameters)}"
            for text in arguments:
                if "PT_CASE_" not in text and text.count("$") + text.count("~") != 1:
                    yield f"{name}: the argument {text} is neither tested ($) nor a name (~)"
    for name in uses:
        if name not in known:
            yield f"{name}: the headers have no such macro"


def program(cases):
    """One program for all cases; its argument chooses."""
    lines = [f'#include "{HERE}/objects.h"']
    for number, (use, text) in enumerate(cases):
        name = f"case_{number}"
        text = text.replace("~", "")
        block = " { }" if use.context == "block" else ""
        end = " finished = 1; " if use.context != "gone" else " "
        if use.name in BARE:
            lines += [f"static int {name}(pt_label *label) {{ (void)label; {text}; }}"]
            calls = 1 if use.name == "PT_BARE" else 2
            start = f"(void){name}(&bare_labels[0]); " * calls + "finished = 1;"
        elif use.context == "plain":
            start = f"{text}; finished = 1;"
        elif use.context == "native":
            lines += [f"static pt_status {name}(struct pt_native *self) {{ {text}; finished = 1; return PT_OK; }}"]
            start = ("static PT_TASK(pt_native) task; static char stack[64 << 10]; (void)PT_START(&loop, &task, pt_native, "
                     f".function = {name}, .stack = stack, .bytes = sizeof stack);")
        else:
            gone = " finished = 1; " if use.context == "gone" else ""
            lines += [f"struct {name} {{ struct pt pt; }};",
                      f"static PT_ASYNC({name}, self) {{{gone} {text}{block or ';'}{end}}} PT_END"]
            start = f"static PT_TASK({name}) task; (void)PT_START(&loop, &task, {name});"
        if use.partner:
            lines += [f"struct partner_{number} {{ struct pt pt; }};",
                      f"static PT_ASYNC(partner_{number}, self) {{ PT_YIELD(); {use.partner}; }} PT_END"]
            start += f" static PT_TASK(partner_{number}) other; (void)PT_START(&loop, &other, partner_{number});"
        ready = "ready_on_the_host" if use.context == "host" or "&host" in text else "ready"
        lines += [f"static void start_{number}(void) {{ {ready}(); {start} }}"]
    lines += ["int main(int count, char **words) {", "(void)count;", "switch (atoi(words[1])) {"]
    lines += [f"case {number}: start_{number}(); break;" for number in range(len(cases))]
    lines += ["}", "pt_loop_run(&loop);", "if (!finished) printf(\"unfinished \");", 'printf("%d\\n", n); fflush(stdout);',
              "_Exit(0); }"]
    return "\n".join(lines) + "\n"


def results(directory, language, debug, cases, pool):
    """What each case prints, or what the compiler says."""
    build = pathlib.Path(os.environ["PT_BUILD"])
    source, binary = directory / "uses.c", directory / f"uses-{language}-{debug}"
    source.write_text(program(cases))
    command = [*COMPILERS[language], "-w", "-O0", "-pthread", f"-DPT_DEBUG={debug}", "-I", INCLUDE]
    said, status = run([*command, str(source), "-o", str(binary), f"-L{build}/.libs", "-lpt", f"-Wl,-rpath,{build}/.libs"])
    if status:
        return said
    return list(pool.map(lambda i: run([str(binary), str(i)])[0].strip(), range(len(cases))))


def wrong_results(directory, language, cases, pool):
    """The arguments that are evaluated several times, and PT_DEBUG is silent."""
    said = results(directory, language, 1, cases, pool)
    if isinstance(said, str):
        yield said
        return
    once = [case for case, text in zip(cases, said) if text == "1"]
    yield from (f"{case[1]}: PT_DEBUG is silent: {text}" for case, text in zip(cases, said)
                if text not in ("1", f"stopped: {MESSAGE}"))
    said = results(directory, language, 0, once, pool)
    if isinstance(said, str):
        yield said
        return
    yield from (f"{case[1]}: without PT_DEBUG: {text}" for case, text in zip(once, said) if text != "1")


def tests():
    """(name, what is wrong or "")."""
    lines = [line for line in (HERE / "uses").read_text().splitlines() if line and not line.startswith("#")]
    uses = {use.name: use for use in map(Use, lines)}
    yield "each_public_macro_with_arguments_has_a_use", "\n".join(wrong_uses(uses))
    cases = [(use, text) for use in uses.values() if use.text for _, text in use.forms()]
    with tempfile.TemporaryDirectory() as directory, \
            concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for language in COMPILERS:
            yield (f"an_argument_is_evaluated_once_or_pt_debug_stops_in_{language}",
                   "\n".join(wrong_results(pathlib.Path(directory), language, cases, pool)))
