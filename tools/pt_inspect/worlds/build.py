# build.py - the test, with the simulator and the programs, as one program
# SPDX-License-Identifier: MIT

import glob
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from . import plain

SOURCES = (".c", ".S")
DECLARED = "-Werror=implicit-function-declaration"  # a misspelt function would look like one of the system


class Refused(Exception):
    """A program that cannot be built; the text says why."""


def run(*words, **environment):
    """Run a command; it prints what the command prints, its warnings."""
    try:
        done = subprocess.run(words, env=dict(os.environ, **environment), text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
    except OSError as fault:
        raise Refused("%s cannot be run: %s" % (words[0], fault.strerror))
    sys.stderr.write(done.stdout if not done.returncode else "")
    if done.returncode:
        raise Refused("%s\n%s" % (" ".join(words), done.stdout.rstrip()))


def output_of(*words):
    return subprocess.run(words, text=True, errors="replace", stdout=subprocess.PIPE).stdout


def setting(name, otherwise):
    """The words of a variable of the environment."""
    try:
        return shlex.split(os.environ.get(name, otherwise))
    except ValueError as fault:
        raise Refused("%s: %s" % (name, fault))


def parts_of(rule):
    """The files that a rule of make names, as compilers write it."""
    with open(rule, errors="replace") as file:
        words = file.read().replace("\\\n", " ").split(": ", 1)[1]
    return [part.replace("\\ ", " ") for part in re.split(r"(?<!\\)\s+", words.strip())]


class Builder:
    """ROOT has world/ and lib/, INCLUDE has pt/, ARCHIVE is libpt or None; all that is made goes to FOLDER."""

    def __init__(self, root, include, folder, archive=None, debug=False):
        self.root, self.include, self.folder, self.archive = root, include, folder, archive
        self.strip = "-g" if debug else "-Wl,--strip-debug"  # gdb wants what makes a copy large
        self.compiler = setting("CC", "cc") or ["cc"]
        self.flags = setting("CFLAGS", "-O1 -g")

    def once(self, product, words, parts=None, **environment):
        """Run a command that makes PRODUCT of PARTS, unless that would make the same. Without PARTS it is compiled,
        and the compiler names them."""
        rule = product + ".d"

        def state(files):
            return repr([words, environment] + [(file, os.stat(file).st_mtime_ns) for file in files])

        try:
            with open(product + ".of") as file:
                if file.read() == state(parts or parts_of(rule)) and os.path.exists(product):
                    return product
        except OSError:
            pass
        if os.path.exists(product + ".of"):
            os.remove(product + ".of")  # so an interrupt leaves nothing that looks whole
        run(*words, *([] if parts else ["-MMD", "-MF", rule]), **environment)
        with open(product + ".of", "w") as file:
            file.write(state(parts or parts_of(rule)))
        return product

    def compile(self, source, product, *flags):
        strict = ["-Werror=implicit-function-declaration"] if source.endswith(".c") else []
        return self.once(product, [*self.compiler, *strict, *flags, "-I" + self.include, "-c", source, "-o", product])

    def compile_all(self, sources, folder, *flags):
        """Their objects."""
        os.makedirs("%s/%s" % (self.folder, folder), exist_ok=True)
        objects = ["%s/%s/%s.o" % (self.folder, folder, os.path.basename(source)) for source in sources]
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            return list(workers.map(lambda source, product: self.compile(source, product, *flags), sources, objects))

    def library(self):
        if self.archive and not os.path.isfile(self.archive):
            raise Refused("%s: there is no such file" % self.archive)
        if self.archive:
            return self.archive
        sources = sorted(path for path in glob.glob(self.root + "/lib/**/*", recursive=True) if path.endswith(SOURCES))
        archive = self.folder + "/libpt.a"
        if not os.path.exists(archive):
            print("pt-sim: compiles libpt into %s, once; --libpt %s spares that elsewhere" % (self.folder, archive),
                  file=sys.stderr)  # fmt: skip
        objects = self.compile_all(sources, "libpt", "-std=gnu99", "-O1", "-g", "-fPIC", "-pthread")
        return self.once(archive, ["ar", "rc", archive, *objects], objects)

    def program(self, parts, name):
        """NAME.so, of sources, objects and archives."""
        objects = []
        for number, part in enumerate(parts):
            if part.endswith(SOURCES):
                part = self.compile(part, "%s/%s-%d.o" % (self.folder, name, number), *self.flags, DECLARED, "-fPIC")
            objects.append(part)
        objects.append(self.library())
        product = "%s/%s.so" % (self.folder, name)
        words = ["sh", self.root + "/world/link", product, *objects]
        makers = [self.root + "/world/" + file for file in ("link", "pure", "calls.h")]
        self.once(product, words, objects + makers, WORLD_STRIP=self.strip)

    def test(self, source):
        """The program `test`, of a test in C."""
        mine = self.compile(source, self.folder + "/test.o", *self.flags, DECLARED, "-I" + self.root + "/world")
        if not re.search("^[0-9a-f]+ T world_test$", output_of("nm", mine), re.M):
            raise Refused("%s: it has no world_test; world.h says what that is" % source)
        simulator = self.compile_all(sorted(glob.glob(self.root + "/world/*.c")), "world", "-std=gnu11", "-O2", "-g")
        product = self.folder + "/test"
        self.once(product, [*self.compiler, mine, *simulator, "-rdynamic", "-ldl", "-o", product], [mine, *simulator])


def check(program, parts, words):
    """Refuse what cannot be a program."""
    for part in parts:
        if not os.path.isfile(part):
            why = "this is no file" if os.path.exists(part) else "there is no such file"
            raise Refused("%s: %s%s" % (part, why, "; a space ends the name of a file" if " " in program else ""))
    if not words.isprintable():
        raise Refused("%r: an argument has a tab, a new line or another control character" % words)
    for load in re.findall(r"\{[^}]*\}?", words):
        if not re.fullmatch(r"\{0*[1-9][0-9]{0,8}\}", load):
            raise Refused("%s: a load is a number from 1 to 999999999 in braces" % load)


def build(builder, programs, also, test):
    """PROGRAMS: `FILE[+FILE...] WORDS`; ALSO: `FILE[+FILE...]`; TEST: the file of a test, or None for the plain one."""
    if not sys.platform.startswith("linux"):
        raise Refused("the simulator works on Linux")
    os.makedirs(builder.folder, exist_ok=True)
    named, parts_by_name = [], {}
    for program in also + programs:
        files, _, words = program.partition(" ")
        parts = files.split("+")
        check(program, parts, words)
        name = os.path.splitext(os.path.basename(parts[0]))[0]
        if parts_by_name.setdefault(name, parts) != parts:
            raise Refused("%s and %s: two programs have one name" % (parts_by_name[name][0], parts[0]))
        builder.program(parts, name)
        named.append((name, words))
    builder.test(test or plain_test(builder.folder, named[len(also) :]))


def plain_test(folder, programs):
    """The file of the plain test, which is written if it is another one."""
    path, text = folder + "/test.c", plain.text(programs)
    if not os.path.exists(path) or pathlib.Path(path).read_text() != text:
        pathlib.Path(path).write_text(text)
    return path
