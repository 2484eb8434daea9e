# targets.sh - the compilers for small parts, read by test/suites/cross and scripts/size
# SPDX-License-Identifier: MIT

# shellcheck shell=sh disable=SC2034

# minimal - the flags that leave every feature out, also on a PC; a part has them by default
minimal='-DPT_ALL=0'

targets='m0 m3 rv32 avr'

# compiler TARGET - the command that compiles for it, freestanding
compiler() {
    case $1 in
    m0) # without value ranges, gcc makes fewer copies of code
        echo arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -fno-tree-vrp ;;
    m3) echo arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb ;;
    rv32) # keep no constant in a register across a loop, test the value that was stored and not an
        # earlier one, and branch in the order of the source
        echo riscv64-unknown-elf-gcc -march=rv32imac -misa-spec=2.2 -mabi=ilp32 \
            -fno-move-loop-invariants -fno-tree-vrp -fno-guess-branch-probability ;;
    rv32imc) echo riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32 ;; # without atomics: ESP32-C3
    rv32ec) echo riscv64-unknown-elf-gcc -march=rv32ec -mabi=ilp32e ;;  # CH32V003
    avr) # avr-gcc 5.4 then uses fewer registers, and pushes fewer; with the last flag it branches on
        # the sign of a difference, where it would test a bit and jump
        echo avr-gcc -mmcu=atmega328p -mrelax -mstrict-X -fno-split-wide-types \
            -fno-move-loop-invariants -fira-algorithm=priority -fno-peephole2 ;;
    host) echo gcc ;;
    host-clang) echo clang ;;
    esac
}

# prefix TARGET - the prefix of its binutils
prefix() {
    case $1 in
    m0 | m3) echo arm-none-eabi- ;;
    rv32*) echo riscv64-unknown-elf- ;;
    avr) echo avr- ;;
    esac
}

# available TARGET - whether this machine can compile for it
available() {
    # shellcheck disable=SC2046
    set -- $(compiler "$1")
    command -v "$1" >/dev/null
}
