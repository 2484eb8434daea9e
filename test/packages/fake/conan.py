#!/usr/bin/env python3
# conan.py - the parts of Conan 2 that the recipe calls: build a package by it, and print what it tells its users
# SPDX-License-Identifier: MIT
"""usage: conan.py RECIPE TARBALL WORK JOBS    the package is in WORK/package

What it cannot show: profiles, the files that Conan writes for other build systems."""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import types
from importlib.util import module_from_spec, spec_from_file_location

recipe, tarball, work = (pathlib.Path(word).resolve() for word in sys.argv[1:4])


class ConanFile:
    source_folder, package_folder = str(work / "source"), str(work / "package")
    settings = None


class Toolchain:
    def __init__(self, conanfile):
        self.cache_variables = {}
        self.conanfile = conanfile

    def generate(self):
        self.conanfile.chosen = self.cache_variables


class CMake:
    def __init__(self, conanfile):
        self.chosen = conanfile.chosen

    def configure(self):
        subprocess.run(["cmake", "-S", work / "source", "-B", work / "build", "-DCMAKE_INSTALL_LIBDIR=lib",
                        *(f"-D{name}={value}" for name, value in self.chosen.items())], check=True)

    def build(self):
        subprocess.run(["cmake", "--build", work / "build", "-j", sys.argv[4]], check=True)

    def install(self):
        subprocess.run(["cmake", "--install", work / "build", "--prefix", work / "package"], check=True)


def get(conanfile, url, sha256, strip_root):
    if hashlib.sha256(tarball.read_bytes()).hexdigest() != sha256 or not url.endswith("/" + tarball.name):
        sys.exit(f"the recipe has another sha256, or another name, than the tarball: {sha256} {url}")
    with tarfile.open(tarball) as archive:
        archive.extractall(work / "unpacked")
    (root,) = (work / "unpacked").iterdir() if strip_root else (work / "unpacked",)
    root.rename(work / "source")


def copy(conanfile, pattern, source, target):
    pathlib.Path(target).mkdir(parents=True)
    for path in pathlib.Path(source).glob(pattern):
        shutil.copy(path, target)


class Info:
    """cpp_info, or a component of it."""
    def __init__(self):
        self.properties, self.components, self.libs, self.requires, self.system_libs = {}, Parts(), [], [], []

    def set_property(self, name, value):
        self.properties[name] = value


class Parts(dict):
    def __missing__(self, name):
        self[name] = Info()
        return self[name]


def module(name, **names):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(names)


module("conan", ConanFile=ConanFile)
module("conan.errors", ConanInvalidConfiguration=type("ConanInvalidConfiguration", (Exception,), {}))
module("conan.tools")
module("conan.tools.cmake", CMake=CMake, CMakeToolchain=Toolchain, cmake_layout=lambda conanfile, src_folder: None)
module("conan.tools.files", copy=copy, get=get, rmdir=lambda conanfile, path: shutil.rmtree(path, ignore_errors=True))

shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
spec = spec_from_file_location("conanfile", recipe / "conanfile.py")
sys.dont_write_bytecode = True
loaded = module_from_spec(spec)
spec.loader.exec_module(loaded)
one = loaded.PtConan()
one.settings = types.SimpleNamespace(os="Linux")
lines = re.findall(r'^ {4}(\w+): "(.*)"$', (recipe / "conandata.yml").read_text(), re.M)
one.conan_data = {"sources": {one.version: dict(lines)}}
one.cpp_info = Info()
for step in ("validate", "layout", "source", "generate", "build", "package", "package_info"):
    getattr(one, step)()
for name, part in one.cpp_info.components.items():
    for library in part.libs:
        if not list((work / "package/lib").glob(f"lib{library}.*")):
            sys.exit(f"component {name}: no library {library} in the package")
    print(json.dumps([name, part.properties, part.libs, part.system_libs]))
