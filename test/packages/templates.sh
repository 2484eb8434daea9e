# templates.sh - for run: the templates of projects; their CMake files with stubs of the real build systems
# SPDX-License-Identifier: MIT

# shellcheck shell=sh disable=SC2154

# first_program - whether presses from a table leave their trace on the LED
first_program() {
    # shellcheck disable=SC2086
    for folder in template-pico-sdk/src template-stm32cube/app template-esp-idf/main; do
        cmp "$made/$folder/first.c" "$here/../../packages/templates/first.c" || return
    done
    "${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$made/template-stm32cube/app" \
        -I"$made/template-stm32cube/app/pt/include" -DPT_TICKS_PER_SEC=1000 -DPT_TIME_BITS=32 -DPT_REMOTE=1 \
        -DPT_TIMEOUTS=1 -DPT_READY=PT_READY_LIST "$here/first.c" "$made/template-stm32cube/app/first.c" \
        -o "$PT_OUT/first" && "$here/../kit/watchdog" "$PT_OUT/first"
}

# built SOURCE COMPILER FLAGS OPTION... - whether CMake makes a template for a part, with stubs
built() {
    source=$1 compiler=$2 flags=$3
    shift 3
    rm -rf "$PT_OUT/template"
    PICO_SDK_PATH=$here/fake/pico-sdk IDF_PATH=$here/fake/esp-idf cmake -S "$source" -B "$PT_OUT/template" \
        "-DCMAKE_C_COMPILER=$compiler" "-DCMAKE_C_FLAGS=$flags" -DCMAKE_SYSTEM_NAME=Generic \
        -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY "$@" && cmake --build "$PT_OUT/template"
}

# over_the_hal - whether the drivers over ST's HAL compile for a part
over_the_hal() {
    firmware=$here/../../examples/firmware
    for file in stm32_hal stm32_hal_i2c stm32_hal_spi; do
        # shellcheck disable=SC2086
        arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb $strict -Wconversion -Wshadow -I"$here/../firmware/stm32" \
            -I"$firmware" -I"$firmware/cortex-m" -I"$firmware/mps2-an385" -I"$here/../../include" \
            '-DPT_CONFIG_H="board_config.h"' \
            -DPT_AWAIT=1 -DPT_SYNC=1 -DPT_TIMEOUTS=1 -DPT_TIMED_PARKS=1 -DPT_REMOTE=1 -DPT_CANCEL=1 \
            -c "$firmware/chips/stm32/$file.c" -o "$PT_OUT/over.o" || return
    done
}

# template_tests - all of this file
template_tests() {
    ok the_first_program_of_the_templates_leaves_its_trace first_program
    name=a_template_builds_for_the_pico_sdk
    if have cmake $name && have arm-none-eabi-gcc $name; then
        ok $name built "$made/template-pico-sdk" arm-none-eabi-gcc '-mcpu=cortex-m0plus -mthumb' \
            -DCMAKE_CXX_COMPILER=arm-none-eabi-g++
        ok a_template_builds_in_a_project_of_stm32cubemx built "$here/fake/stm32cube" arm-none-eabi-gcc \
            '-mcpu=cortex-m4 -mthumb' "-DTEMPLATE=$made/template-stm32cube"
        ok the_drivers_over_the_hal_compile_for_a_part over_the_hal
    fi
    name=a_template_builds_for_esp_idf
    if [ -n "$python" ] && have cmake $name && have riscv64-unknown-elf-gcc $name; then
        "$python" "$here/esp_idf.py" "$made/esp-idf" "$made/template-esp-idf" "$PT_OUT/sdkconfig"
        export SDKCONFIG="$PT_OUT/sdkconfig/template"
        ok $name built "$made/template-esp-idf" riscv64-unknown-elf-gcc \
            '-march=rv32imc -misa-spec=2.2 -mabi=ilp32'
    fi
}
