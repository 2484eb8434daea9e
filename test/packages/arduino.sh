# shellcheck shell=sh disable=SC2154,SC2016
# arduino.sh - build sketches with the packaged library by arduino-builder, and run them on an Uno in simavr; part of run
# SPDX-License-Identifier: MIT
desk=$PT_OUT/arduino

# The knobs of a sketch that only waits: everything else is off.
# library PACKAGE - the folder that arduino-builder searches: the package as "pt", and nothing else
library() {
    rm -rf "$desk/libraries"
    mkdir -p "$desk/libraries" "$desk/hardware" "$desk/cache"
    cp /usr/share/arduino-builder/*.txt "$desk/hardware"
    [ -e "$desk/hardware/arduino" ] || ln -s /usr/share/arduino/hardware/arduino "$desk/hardware/arduino"
    cp -R "$1" "$desk/libraries/pt"
}

# sketch DIRECTORY [FLAG...] - whether arduino-builder builds it, without a warning about the library or the sketch
sketch() {
    name=$(basename "$1") directory=$1
    shift
    rm -rf "$desk/build"
    mkdir -p "$desk/build"
    # Debian's core needs a name that its avr-gcc does not define in C++.
    arduino-builder -compile -hardware "$desk/hardware" -tools /usr/bin -libraries "$desk/libraries" \
        -build-path "$desk/build" -build-cache "$desk/cache" -fqbn arduino:avr:uno -warnings all \
        -prefs "compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__ $*" \
        "$directory/$name.ino" >"$desk/log" 2>&1 || { cat "$desk/log"; return 1; }
    mv "$desk/build/$name.ino.elf" "$desk/$name.elf"
    ! grep -e 'libraries/pt/.*\(warning\|error\)' -e "$name\.\(ino\|cpp\):.*warning" "$desk/log"
}

# flash NAME BYTES - whether the sketch NAME takes at most BYTES of flash
flash() {
    avr-size "$desk/$1.elf" | awk -v most="$2" 'NR == 2 { print $1 + $2 " bytes of flash"; exit $1 + $2 > most }'
}

# acts NAME MILLISECONDS PRESSES AWK - whether what the sketch does on an Uno ends with the AWK variable good at 1
acts() {
    # shellcheck disable=SC2086
    "$here/../kit/watchdog" "$PT_OUT/uno" "$desk/$1.elf" "$2" $3 >"$desk/seen" 2>&1 || return
    cat "$desk/seen"
    # about(A, B): within two milliseconds, since a tick of millis() takes 1.024 of them
    awk "function about(a, b) { return a - b <= 2 && b - a <= 2 } $4"' END { exit !good }' "$desk/seen"
}

# blinks NAME - whether the LED is on for 100 ms each half second, a line is printed each second, and the processor
# sleeps in between
blinks() {
    acts "$1" 3100 '' '
        $3 == "on" { on[++n] = $1 }
        $3 == "off" && !about($1 - on[n], 100) { wrong = 1 }
        $2 == "serial" && ($3 != ++lines || !about($1, 1000 * lines + 2)) { wrong = 1 }
        $1 == "slept" { asleep = $2 }
        END { for (i = 2; i <= n; i++) wrong += !about(on[i] - on[i - 1], 500)
              good = !wrong && n == 7 && lines == 3 && asleep >= 95 }'
}

blinks_on_an_uno() { sketch "$examples/Blink" && blinks Blink; }
blink_is_small() { sketch "$examples/Blink" && flash Blink 3000; }

# A press switches the LED after 20 ms without edges, and only once, although it bounces.
button() {
    sketch "$examples/Button" && acts Button 1500 '300 700 1200' '
        $2 == "led" { edges = edges $3 " "; wrong += !about($1, 320 + 400 * (n > 0) + 500 * (n > 1)); n++ }
        $1 == "slept" { good = edges == "on off on " && !wrong && $2 >= 95 }'
}

classic() {
    sketch "$examples/Classic" && acts Classic 1200 '' '
        $2 == "led" { edges = edges $3 " "; wrong += !about($1 % 500, $3 == "on" ? 0 : 100) }
        $2 == "serial" { printed = printed $3 " " }
        END { good = !wrong && edges == "on off on off on off " && printed == "1 2 " }'
}

# beside - a second library has a pt.h too: the builder takes the one with the name of the header
beside() {
    mkdir -p "$desk/libraries/Protothreads"
    echo '#error "another library"' >"$desk/libraries/Protothreads/pt.h"
    sketch "$examples/Classic"
    result=$?
    rm -r "$desk/libraries/Protothreads"
    return $result
}

# knobs - a header of the sketch sets them for its two files
knobs() {
    mkdir -p "$desk/Knobs"
    echo '#define PT_TIME_BITS 16' >"$desk/Knobs/pt_config.h"
    cat >"$desk/Knobs/Knobs.ino" <<'SKETCH'
#include "pt_config.h"
#include <pt_arduino.h>
#include <pt/pt.h>

static_assert(sizeof(pt_time) == 2, "the knobs are read");

struct pt_loop tasks;
void start();

void setup()
{
    pt_loop_init(&tasks, millis());
    start();
}

void loop()
{
    pt_arduino_turn(&tasks);
}
SKETCH
    {
        printf '#include "pt_config.h"\n#include <pt_arduino.h>\n\nextern struct pt_loop tasks;\n'
        sed -n '/^struct blink {/,/^PT_END/p; /^static PT_TASK(blink)/p' "$examples/Blink/Blink.ino"
        printf 'void start()\n{\n    PT_START(&tasks, &led, blink, .pin = 13, .on = PT_MS(100), .off = PT_MS(400));\n}\n'
    } >"$desk/Knobs/blink.cpp"
    sketch "$desk/Knobs" && acts Knobs 700 '' '$2 == "led" { edges = edges $3 " " } END { good = edges == "on off on off " }'
}

# stops_elsewhere [FLAG...] - a core of which nothing is known: it waits a millisecond only if nothing is to be done
stops_elsewhere() {
    "${CXX:-c++}" -std=c++11 -Wall -Wextra -Werror -DPT_PORT=0 -DPT_INSPECT=0 -DPT_TIME_BITS=32 \
        -DPT_READY=PT_READY_LIST -DPT_REMOTE=1 "$@" -I"$here/fake" -I"$here/fake/pico-sdk/include" \
        -I"$made/arduino/src" "$here/fake/core.cc" -o "$PT_OUT/core" &&
        "$here/../kit/watchdog" "$PT_OUT/core"
}

# refuses_a_long_time - a clock of 64 bits would go back when millis() wraps
refuses_a_long_time() {
    ! "${CXX:-c++}" -std=c++11 -DPT_PORT=0 -DPT_TIME_BITS=64 -I"$here/fake" -I"$made/arduino/src" -fsyntax-only \
        "$here/fake/core.cc" 2>"$PT_OUT/said" &&
        grep -q 'millis() wraps at 32 bits: set PT_TIME_BITS 32 or 16' "$PT_OUT/said"
}

# on_cortex_m ARCH STANDARD PROCESSOR... - whether the examples compile with the types of the core of ARCH
on_cortex_m() {
    arch=$1 standard=$2
    shift 2
    for processor in "$@"; do
        for example in Blink Button Classic; do
            arm-none-eabi-g++ -std="$standard" -Os -mcpu="$processor" -mthumb -Wall -Wextra -Werror -fno-exceptions \
                -fno-rtti "-DARDUINO_ARCH_$arch" -I"$here/fake" -I"$here/fake/pico-sdk/include" -I"$made/arduino/src" \
                -include Arduino.h -x c++ -c "$examples/$example/$example.ino" -o "$PT_OUT/$example.o" || return
        done
    done
}

arduino_tests() {
    examples=$made/arduino/examples
    ok elsewhere_a_time_longer_than_that_of_millis_is_refused refuses_a_long_time
    ok elsewhere_a_sketch_waits_with_delay_when_nothing_is_to_be_done stops_elsewhere
    name=on_an_rp2040_a_sketch_waits_until_an_event_or_the_next_tick
    ok $name stops_elsewhere -DARDUINO_ARCH_RP2040 -DFREERTOS=false
    ok on_an_rp2040_with_freertos_a_sketch_waits_with_delay stops_elsewhere -DARDUINO_ARCH_RP2040 -DFREERTOS=true
    ok on_an_rp2040_with_mbed_a_sketch_waits_with_delay stops_elsewhere -DARDUINO_ARCH_RP2040 -DARDUINO_ARCH_MBED
    name=the_sketches_compile_with_the_types_of_the_cores_of
    if have arm-none-eabi-g++ $name; then
        ok ${name}_stm32 on_cortex_m STM32 gnu++14 cortex-m0 cortex-m4
        ok ${name}_rp2040 on_cortex_m RP2040 gnu++17 cortex-m0plus cortex-m33
    fi
    # shellcheck disable=SC2046
    if ! have arduino-builder 'sketches for an Uno' || ! have avr-g++ 'sketches for an Uno'; then
        return
    elif [ ! -d /usr/share/arduino/hardware/arduino/avr ]; then
        skip 'sketches for an Uno: no arduino-core-avr'
        return
    elif ! "${CC:-cc}" -O2 "$here/uno.c" -lsimavr -lelf -o "$PT_OUT/uno" 2>"$PT_OUT/log"; then
        skip 'sketches for an Uno: no libsimavr (libsimavr-dev, libelf-dev)'
        return
    fi
    library "$made/arduino"
    ok blink_keeps_its_times_and_sleeps_on_an_uno blinks_on_an_uno
    ok blink_as_it_is_takes_less_than_3000_bytes_of_an_uno blink_is_small
    ok a_button_wakes_a_sleeping_sketch_by_its_interrupt button
    ok a_classic_sketch_finds_pt_h_and_runs_unchanged classic
    ok beside_another_library_with_a_pt_h_this_one_is_found beside
    ok a_sketch_of_two_files_takes_its_knobs_from_its_own_header knobs
}
