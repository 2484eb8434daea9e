# shellcheck shell=sh disable=SC2154
# zephyr.sh - configure, compile and run the module for Zephyr with stubs of Zephyr's headers; part of run
# SPDX-License-Identifier: MIT
#
# Zephyr itself cannot be installed here. fake/zephyr declares what the module uses of it; fake/kernel.c is a Zephyr of
# one thread, in virtual time; fake/meter.c lets the sample's interrupt come at any step.
module=$made/zephyr
settings=$PT_OUT/settings
zephyr_flags="-Wall -Wextra -Werror -Wno-unused-parameter -DPT_CONFIG_H=\"pt_zephyr_config.h\" -I$here/fake -I$module/include
    -I$module"

# with SETTINGS COMPILER... - compile with the options of Kconfig in that header
with() {
    header=$settings/$1.h
    shift
    # shellcheck disable=SC2086
    "$@" -imacros "$header" $zephyr_flags
}

configures() { "$python" "$here/zephyr.py" "$module" "$settings" >"$PT_OUT/scenarios" || rm "$PT_OUT/scenarios"; }
configured_all() { [ -s "$PT_OUT/scenarios" ]; }

# compiles COMPILER... - whether the port, the sample and the tests compile for a part
compiles() {
    for file in zephyr/pt_zephyr.c samples/meter/src/main.c tests/port/src/main.c; do
        with pt.port.all "$@" -std=c99 -Os -ffreestanding -Wconversion -Wshadow -Wno-missing-prototypes \
            -c "$module/$file" -o "$PT_OUT/module.o" || return
    done
}

# every_set - whether the headers compile with every set of options that zephyr.py has written
every_set() {
    # shellcheck disable=SC2086
    ls "$settings"/*.h | xargs -P "${JOBS:-1}" -I FILE \
        "${CC:-cc}" -imacros FILE $zephyr_flags -std=c99 -O0 -fsyntax-only "$module/zephyr/pt_zephyr.c"
}

# features - the knobs of config.h that are features
features() {
    # besides a profile, how a waker is posted, and a number
    sed -n '/^\/\* --- features/,/^\/\* --- resumable/s/^#ifndef \(PT_[A-Z_]*\)$/\1/p' "$module/include/pt/base/config.h" |
        grep -vxE 'PT_ALL|PT_WAKERS|PT_TURN_STEPS'
    echo PT_REMOTE
}

# knobs_arrive SETTINGS VALUE [KNOB...] - whether each feature has the value, but those, which are on
knobs_arrive() {
    header=$1 value=$2
    shift 2
    echo '#include <pt/pt.h>' >"$PT_OUT/knobs.c"
    for knob in $(features); do
        case " $* " in *" $knob "*) expected=1 ;; *) expected=$value ;; esac
        printf '#if %s != %s\n#error "%s is not %s"\n#endif\n' "$knob" "$expected" "$knob" "$expected"
    done >>"$PT_OUT/knobs.c"
    [ "$(features | wc -l)" -ge 15 ] && with "$header" "${CC:-cc}" -fsyntax-only "$PT_OUT/knobs.c"
}
all_knobs_arrive() { knobs_arrive pt.port.all 1 && knobs_arrive default 0 PT_AWAIT PT_REMOTE PT_CENSUS PT_PORT; }

# scenarios - run the tests with the knobs of each scenario
scenarios() {
    grep '^pt\.' "$PT_OUT/scenarios" >"$PT_OUT/tests" || return
    while read -r scenario folder; do
        with "$scenario" "${CC:-cc}" -std=gnu11 -O1 "$here/fake/kernel.c" "$module/zephyr/pt_zephyr.c" \
            "$folder/src/main.c" -o "$PT_OUT/scenario" && "$here/../kit/watchdog" "$PT_OUT/scenario" || return
    done <"$PT_OUT/tests"
}

# meter - run the sample with the knobs of each scenario, and an interrupt at each step
meter() {
    for scenario in sample.pt.meter sample.pt.meter.all; do
        with "$scenario" "${CC:-cc}" -std=gnu99 -O1 "$here/fake/meter.c" -o "$PT_OUT/meter" &&
            "$here/../kit/watchdog" "$PT_OUT/meter" || return
    done
}

# in_cpp - whether the headers are clean in C++
in_cpp() {
    echo '#include <pt_zephyr.h>' >"$PT_OUT/port.cc"
    with default "${CXX:-c++}" -std=c++11 -fsyntax-only "$PT_OUT/port.cc"
}

# shown - whether doc/zephyr.md shows the sample as it is
shown() {
    # shellcheck disable=SC2016
    sed -n '/^```c$/,/^```$/{/^```/!p}' "$here/../../doc/zephyr.md" >"$PT_OUT/page.c"
    sed -n '/^#include <pt_zephyr/,$p' "$module/samples/meter/src/main.c" | diff "$PT_OUT/page.c" -
}

zephyr_tests() {
    if [ -z "$python" ]; then
        skip 'the module for Zephyr: no python3 with yaml and kconfiglib'
        return
    fi
    configures >"$PT_OUT/log" 2>&1 # the other tests need it, too
    ok zephyr_configures_every_scenario configured_all
    ok zephyr_compiles_with_every_feature_alone_and_every_one_missing every_set
    ok every_feature_is_an_option_of_zephyr_and_off_unless_it_is_set all_knobs_arrive
    for compiler in 'arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb' 'riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32'; do
        name=the_module_for_zephyr_compiles_by_${compiler%%-*}
        # shellcheck disable=SC2086
        ! have "${compiler%% *}" "$name" || ok "$name" compiles $compiler
    done
    ok the_port_for_zephyr_is_clean_in_cpp in_cpp
    ok the_tests_for_zephyr_pass_with_the_knobs_of_each_scenario scenarios
    ok a_post_at_any_step_wakes_the_loop_within_zephyr meter
    ok the_page_about_zephyr_shows_the_sample shown
}
