#!/usr/bin/env python3
# zephyr.py - what Zephyr's build would make of the module's Kconfig, for each program that twister would build
# SPDX-License-Identifier: MIT
"""zephyr.py MODULE DIRECTORY - write the macros CONFIG_... for C to a header in DIRECTORY

One header for each scenario of a sample.yaml or testcase.yaml, SCENARIO.h, and one for each feature that is on alone,
only-FEATURE.h, or off while all others are on, not-FEATURE.h. Prints a line for each scenario: its name, its folder."""

import pathlib
import sys
import tempfile

import kconfiglib
import yaml

# What the module's options depend on, and its programs set, that Zephyr itself defines.
ZEPHYR = """
config ZTEST
	bool "the test framework"
config SYS_CLOCK_TICKS_PER_SEC
	int
	default 10000
source "{module}/zephyr/Kconfig"
"""


def header(module, lines, file):
    """the macros, if a prj.conf has these lines; an option that does not exist, or cannot be set, is an error"""
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory, "Kconfig")
        top.write_text(ZEPHYR.format(module=module))
        settings = pathlib.Path(directory, "prj.conf")
        settings.write_text("\n".join(lines) + "\n")
        config = kconfiglib.Kconfig(str(top), warn_to_stderr=False)
        config.warn_assign_undef = True
        config.load_config(str(settings))
        if config.warnings:
            sys.exit(f"{file}: {config.warnings}")
        for line in lines:
            name, _, value = line.removeprefix("CONFIG_").partition("=")
            if config.syms[name].str_value != value.strip('"'):
                sys.exit(f"{file}: {line} has no effect")
        config.write_autoconf(str(file))
    return config


def main():
    module, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    for file in sorted(module.glob("*/*/*.yaml")):
        plan = yaml.safe_load(file.read_text())
        lines = (file.parent / "prj.conf").read_text().split()
        for scenario, settings in plan["tests"].items():
            header(module, lines + settings.get("extra_configs", []), directory / f"{scenario}.h")
            print(scenario, file.parent)
    config = header(module, ["CONFIG_PT=y"], directory / "default.h")
    features = [name for name, symbol in config.syms.items()
                if symbol.type == kconfiglib.BOOL and name not in {"PT", "PT_ALL", "ZTEST"} and not symbol.choice]
    for name in features:
        header(module, ["CONFIG_PT=y", f"CONFIG_{name}=y"], directory / f"only-{name}.h")
        # what another feature selects cannot be off
        try:
            header(module, ["CONFIG_PT=y", "CONFIG_PT_ALL=y", f"CONFIG_{name}=n"], directory / f"not-{name}.h")
        except SystemExit:
            pass
    header(module, ["CONFIG_PT=y", "CONFIG_PT_ALL=y", "CONFIG_PT_TIMERS_NONE=y"], directory / "no-timers.h")


main()
