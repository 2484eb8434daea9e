#!/usr/bin/env python3
# validate.py - check that each manifest has what its ecosystem requires
# SPDX-License-Identifier: MIT
"""validate.py DIRECTORY VERSION - the manifests of what scripts/packages has made there

The rules are those of the specifications, and of linters that are not available here: Arduino's library
specification 1.5 and arduino-lint, PlatformIO's library.json, Zephyr's module.yml, Kconfig
and twister, ESP-IDF's idf_component.yml, Open-CMSIS-Pack's PACK.xsd.
Each manifest is a test; "ok", or "FAIL" and what is wrong, a line each."""

import configparser
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

import kconfiglib
import yaml

CATEGORIES = ["Display", "Communication", "Signal Input/Output", "Sensors", "Device Control", "Timing",
              "Data Storage", "Data Processing", "Other"]


class Wrong(Exception):
    """An error in a manifest."""


def expect(holds, what):
    if not holds:
        raise Wrong(what)


def has(manifest, *fields):
    for field in fields:
        expect(manifest.get(field), f"no {field}")


def is_url(text):
    return re.fullmatch(r"https?://[^\s@]+\.[^\s@]+", text)


def words(package, known):
    """keywords.txt: a name and its kind on a line, with a tab between them; each name is in a header"""
    kinds = {"KEYWORD1", "KEYWORD2", "KEYWORD3", "LITERAL1"}
    for line in (package / "keywords.txt").read_text().splitlines():
        word, _, kind = line.partition("\t")
        expect(kind in kinds, f"keywords.txt: {line}")
        expect(re.search(rf"\b{word}\b", known), f"keywords.txt: no {word}")


def sketches(package):
    """the examples: each has a file of its folder's name, and includes a header that Arduino finds"""
    for sketch in (package / "examples").iterdir():
        expect(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}", sketch.name), f"{sketch.name}: its name")
        file = sketch / f"{sketch.name}.ino"
        expect(file.is_file(), f"{sketch.name}: no sketch of that name")
        first = re.search(r'#include [<"]([^>"]+)[>"]', file.read_text()).group(1)
        expect((package / "src" / first).parent == package / "src", f"{sketch.name}: {first} is not found")
        expect((package / "src" / first).is_file(), f"{sketch.name}: no src/{first}")


def arduino(package, version):
    lines = (package / "library.properties").read_text().splitlines()
    manifest = dict(line.split("=", 1) for line in lines)
    needed = {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures",
              "includes"}
    expect(set(manifest) <= needed | {"depends", "dot_a_linkage"}, "an unknown field")
    has(manifest, *needed)
    expect(re.fullmatch(r"(?!arduino)[A-Za-z][A-Za-z0-9_.-]{0,15}", manifest["name"]), "name")
    expect(not manifest["maintainer"].lower().startswith("arduino"), "maintainer")
    expect(re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"]), "version: not semantic")
    expect(manifest["version"] == version, "version")
    expect(manifest["category"] in CATEGORIES, "category")
    expect(is_url(manifest["url"]), "url")
    expect(manifest["sentence"] not in manifest["paragraph"], "the paragraph repeats the sentence")
    expect((package / "src" / f"{manifest['name']}.h").is_file(), "no header of the library's name")
    for name in manifest["includes"].split(","):
        expect((package / "src" / name).is_file(), f"includes: no src/{name}")
    for name in ["README.md", "LICENSE"]:
        expect((package / name).is_file(), f"no {name}")
    expect(not [file for file in package.rglob("*") if file.is_symlink() or file.suffix == ".exe"],
           "a link or a program")
    sketches(package)
    words(package, "".join(header.read_text() for header in package.rglob("*.h")))


def platformio(package, version):
    manifest = json.loads((package / "library.json").read_text())
    needed = {"name", "version", "description", "keywords", "homepage", "repository", "license", "authors", "headers",
              "frameworks", "platforms", "build", "examples"}
    expect(set(manifest) <= needed | {"dependencies", "export"}, "an unknown field")
    has(manifest, *needed)
    expect(re.fullmatch(r"[^:;/,@<>]{1,50}", manifest["name"]), "name")
    expect(manifest["version"] == version, "version")
    expect(is_url(manifest["homepage"]), "homepage")
    expect(len(manifest["description"]) <= 255, "description")
    expect(all(re.fullmatch(r"[a-z0-9+. -]{1,50}", word) for word in manifest["keywords"]), "keywords")
    expect(set(manifest["repository"]) <= {"type", "url", "branch"}, "repository: an unknown field")
    expect(manifest["repository"]["type"] in {"git", "hg", "svn"}, "repository: type")
    expect(is_url(manifest["repository"]["url"]), "repository: url")
    expect(all(author["name"] for author in manifest["authors"]), "an author without a name")
    for field in ["frameworks", "platforms"]:
        expect(re.fullmatch(r"\*|[a-z0-9_-]+", manifest[field]), field)
    include = package / manifest["build"]["includeDir"]
    for header in manifest["headers"]:
        expect((include / header).is_file(), f"{header} is not in includeDir")
    for example in manifest["examples"]:
        expect(set(example) == {"name", "base", "files"}, "example: its fields")
        expect(re.fullmatch(r"[A-Za-z0-9/_-]{1,100}", example["name"]), "example: name")
        for file in example["files"]:
            expect((package / example["base"] / file).is_file(), f"example {example['name']}: no {file}")
        files = {str(file.relative_to(package / example["base"]))
                 for file in (package / example["base"]).rglob("*") if file.is_file()}
        expect(files == set(example["files"]), f"example {example['name']}: a file that is not listed")
        settings = configparser.ConfigParser()
        settings.read(package / example["base"] / "platformio.ini")
        for environment in settings.sections():
            expect(environment.startswith("env:") and settings[environment].get("platform"), "platformio.ini")
            # by its place: a name is looked for in the registry, where it can be another library's
            expect(settings[environment].get("lib_deps") == "pt=symlink://../..", "platformio.ini: lib_deps")
    names = {example["base"] for example in manifest["examples"]}
    expect(names == {f"examples/{folder.name}" for folder in (package / "examples").iterdir()},
           "an example that is not listed")


def plan(file):
    """a sample.yaml or testcase.yaml, by the schema of twister"""
    keys = {"build_only", "depends_on", "extra_args", "extra_configs", "filter", "harness", "harness_config",
            "integration_platforms", "min_flash", "min_ram", "modules", "platform_allow", "platform_exclude", "slow",
            "skip", "tags", "timeout", "type"}
    manifest = yaml.safe_load(file.read_text())
    expect(set(manifest) <= {"sample", "common", "tests"}, f"{file.name}: an unknown key")
    if file.name == "sample.yaml":
        expect(manifest["sample"]["name"] and set(manifest["sample"]) <= {"name", "description"}, "sample: its keys")
    expect(manifest.get("tests"), f"{file.name}: no tests")
    for name, settings in {"common": manifest["common"], **manifest["tests"]}.items():
        expect(re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)*", name), f"{name}: its name")
        expect(set(settings) <= keys, f"{name}: an unknown key")
        for line in settings.get("extra_configs", []):
            expect(re.fullmatch(r"CONFIG_[A-Z0-9_]+=\S+", line), f"{name}: {line}")
        harness = settings.get("harness_config")
        if harness:
            expect(settings["harness"] == "console" and harness["type"] in {"one_line", "multi_line"}, "harness")
            expect(all(re.compile(regex) for regex in harness["regex"]), "harness: regex")
    for needed in ["CMakeLists.txt", "prj.conf", "src/main.c"]:
        expect((file.parent / needed).is_file(), f"{file.parent}: no {needed}")
    lists = (file.parent / "CMakeLists.txt").read_text()
    expect(lists.index("find_package(Zephyr") < lists.index("project("), "project() before Zephyr")


def zephyr(package, version):
    del version  # a module has no version: west's manifest names a revision
    manifest = yaml.safe_load((package / "zephyr/module.yml").read_text())
    expect(set(manifest) <= {"name", "build", "samples", "tests"}, "an unknown key")
    build = manifest["build"]
    expect(set(build) <= {"cmake", "kconfig", "depends"}, "an unknown key of build")
    expect((package / build["cmake"] / "CMakeLists.txt").is_file(), "cmake: no CMakeLists.txt")
    for folder, name in [("samples", "sample.yaml"), ("tests", "testcase.yaml")]:
        expect(manifest[folder] == [folder], folder)
        plans = list((package / folder).glob(f"*/{name}"))
        expect(len(plans) == len(list((package / folder).iterdir())) > 0, f"{folder}: a folder without {name}")
        for file in plans:
            plan(file)
    config = kconfiglib.Kconfig(str(package / build["kconfig"]))
    expect(not config.warnings, f"kconfig: {config.warnings}")
    expect(config.syms["PT"].str_value == "n", "CONFIG_PT is not off by default")
    config.syms["PT"].set_value("y")
    config.syms["PT_CONFIG_H"].set_value("my_pt.h")
    expect('CONFIG_PT_CONFIG_H="my_pt.h"' in config.syms["PT_CONFIG_H"].config_string, "PT_CONFIG_H")
    config.syms["PT"].set_value("n")
    expect(not config.syms["PT_CONFIG_H"].config_string, "PT_CONFIG_H without PT")
    for symbol in config.unique_defined_syms:
        expect(symbol.name == "PT" or symbol.name.startswith("PT_"), f"{symbol.name} belongs to others")


def esp_idf(package, version):
    manifest = yaml.safe_load((package / "idf_component.yml").read_text())
    known = {"version", "description", "url", "repository", "documentation", "license", "tags", "dependencies"}
    expect(set(manifest) <= known, "an unknown key")
    has(manifest, *known)
    expect(manifest["version"] == version, "version")
    for address in ["url", "repository", "documentation"]:
        expect(is_url(manifest[address]), address)
    expect(all(re.fullmatch(r"[a-z0-9_-]{3,32}", tag) for tag in manifest["tags"]), "tags")
    for name in ["README.md", "LICENSE", "CMakeLists.txt"]:
        expect((package / name).is_file(), f"no {name}")
    expect(re.fullmatch(r"[<>=~^]*\d+(\.\d+)*", manifest["dependencies"]["idf"]), "dependencies")


def cmsis(package, version):
    tree = xml.etree.ElementTree.parse(package / "pt.pt.pdsc").getroot()
    expect(tree.tag == "package" and re.fullmatch(r"\d+\.\d+(\.\d+)?", tree.get("schemaVersion")), "package")
    known = {"vendor", "name", "description", "url", "license", "repository", "releases", "keywords", "components"}
    expect({child.tag for child in tree} <= known, "an unknown element")
    expect(tree.find("repository").get("type") in {"git", "svn"}, "repository: type")
    expect(is_url(tree.findtext("repository")), "repository: url")
    for field in ["vendor", "name", "description", "url", "license", "releases"]:
        expect(tree.find(field) is not None and len(tree.findall(field)) == 1, f"no {field}")
    expect(f"{tree.findtext('vendor')}.{tree.findtext('name')}" == "pt.pt", "file's name")
    expect(is_url(tree.findtext("url")), "url")
    expect((package / tree.findtext("license")).is_file(), "license")
    expect(tree.find("releases/release").get("version") == version, "release")
    for component in tree.findall("components/component"):
        expect(component.get("Cclass") and component.get("Cgroup"), "Cclass, Cgroup")
        expect(component.get("Cversion") == version, "Cversion")
        expect(component.findtext("description"), "a component without a description")
        for file in component.findall("files/file"):
            expect(file.get("category") in {"include", "header", "source", "doc"}, "category")
            expect(file.get("attr") in {None, "config", "template"}, "attr")
            expect((file.get("attr") == "config") == (file.get("version") is not None), "a version, of a config file")
            expect((file.get("attr") == "template") == (file.get("select") is not None), "a title, of a template")
            expect((package / file.get("name")).exists(), f"no {file.get('name')}")
            expect((package / file.get("name")).is_dir() == file.get("name").endswith("/"), "a folder ends with /")


def pages(package):
    """README.md: each link leads to a file of the package, as a registry shows the page alone"""
    text = (package / "README.md").read_text()
    for link in re.findall(r"\]\(([^):#]+)\)", text):
        expect((package / link).is_file(), f"README.md: {link}")
    expect("@" not in re.sub(r"[\w.]+@[\w.]+", "", text), "README.md: a word that was not replaced")


def main():
    directory, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    failed = 0
    for check in (arduino, platformio, zephyr, esp_idf, cmsis):
        name = check.__name__.replace("_", "-")
        try:
            check(directory / name, version)
            pages(directory / name)
            print(f"ok the_manifest_for_{name}_is_valid")
        except (Wrong, KeyError, ValueError, OSError, SyntaxError) as wrong:
            print(f"FAIL the_manifest_for_{name}_is_valid: {wrong!r}")
            failed += 1
    sys.exit(failed != 0)


main()
