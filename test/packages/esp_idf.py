#!/usr/bin/env python3
# esp_idf.py - what ESP-IDF would make of the component's Kconfig: sdkconfig.h, for a project and for each option
# SPDX-License-Identifier: MIT
"""esp_idf.py COMPONENT TEMPLATE DIRECTORY - write DIRECTORY/NAME/sdkconfig.h

NAME: template, with the lines of the template's sdkconfig.defaults; default; only-FEATURE, which is on alone. An option
that does not exist, or cannot be set, is an error."""

import pathlib
import sys
import tempfile

import kconfiglib


def header(component, lines, target):
    with tempfile.NamedTemporaryFile("w", suffix=".defaults") as settings:
        settings.write("\n".join(lines) + "\n")
        settings.flush()
        config = kconfiglib.Kconfig(str(component / "Kconfig"), warn_to_stderr=False)
        config.warn_assign_undef = True
        config.load_config(settings.name)
    if config.warnings:
        sys.exit(f"{target}: {config.warnings}")
    for line in lines:
        name, _, value = line.removeprefix("CONFIG_").partition("=")
        if config.syms[name].str_value != value:
            sys.exit(f"{target}: {line} has no effect")
    target.mkdir(parents=True)
    config.write_autoconf(str(target / "sdkconfig.h"))
    return config


def main():
    component, template, directory = map(pathlib.Path, sys.argv[1:])
    defaults = (template / "sdkconfig.defaults").read_text().splitlines()
    header(component, [line for line in defaults if line.startswith("CONFIG_")], directory / "template")
    config = header(component, [], directory / "default")
    for name, symbol in config.syms.items():
        if symbol.type == kconfiglib.BOOL and not symbol.choice and not symbol.is_constant:
            header(component, [f"CONFIG_{name}=y"], directory / f"only-{name}")


main()
