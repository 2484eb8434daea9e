# boards.sh - what each board is built with, and which emulator runs it
# SPDX-License-Identifier: MIT

# shellcheck shell=sh disable=SC2034,SC2154

firmware=$(cd "$here/../../examples/firmware" && pwd)

# boards - those with a processor of their own (not pc and virtual)
boards='microbit rp2040 mps2-an385 mps2-an386 rv32-virt atmega328p'

# bus_boards - those that only the devices need: their emulators have buses, and no pins
bus_boards='ast1030-evb lm3s6965evb netduinoplus2'

# board_compiler BOARD
board_compiler() {
    case $1 in
    microbit | rp2040 | mps2-* | ast1030-* | lm3s* | netduino*) echo arm-none-eabi-gcc ;;
    rv32-virt) echo riscv64-unknown-elf-gcc ;;
    atmega328p) echo avr-gcc ;;
    *) echo "${CC:-cc}" ;;
    esac
}

# board_flags BOARD - for its processor, for small size, for the board's headers; the linker drops
# functions that are never called
board_flags() {
    small='-Os -g -ffreestanding -ffunction-sections -fdata-sections'
    link="-nostdlib -nostartfiles -static -Wl,--gc-sections -L$firmware/cortex-m"
    case $1 in
    microbit) set -- "$1" -mcpu=cortex-m0 -mthumb -fno-tree-vrp ;;
    rp2040) set -- "$1" -mcpu=cortex-m0plus -mthumb -fno-tree-vrp -Wl,--nmagic ;;
    mps2-an385 | lm3s*) set -- "$1" -mcpu=cortex-m3 -mthumb ;;
    ast1030-* | netduino*) set -- "$1" -mcpu=cortex-m4 -mthumb ;;
    mps2-an386) set -- "$1" -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard ;;
    rv32-virt) set -- "$1" -march=rv32imac -misa-spec=2.2 -mabi=ilp32 -fno-move-loop-invariants \
        -fno-tree-vrp -fno-guess-branch-probability -Wl,--no-warn-rwx-segments ;;
    atmega328p) set -- "$1" -gdwarf-4 -mmcu=atmega328p -mrelax -mstrict-X -fno-split-wide-types \
        -fno-move-loop-invariants -fira-algorithm=priority -fno-peephole2 ;;
    *)
        echo "-O2 -g -D_POSIX_C_SOURCE=200809L -I$firmware/$1"
        return
        ;;
    esac
    echo "$small $link -I$firmware/$1 -I$firmware/cortex-m -T$firmware/$1/link.ld" "$@" | sed "s| $1 | |"
}

# board_sources BOARD - its startup code, clock and UART
board_sources() {
    case $1 in
    microbit | rp2040) set -- cortex-m/start.c "$1/board.c" ;;
    mps2-*) set -- cortex-m/start.c cortex-m/systick.c cortex-m/mps2.c ;;
    ast1030-* | lm3s* | netduino*) set -- cortex-m/start.c cortex-m/systick.c "$1/board.c" ;;
    rv32-virt) set -- rv32-virt/start.S rv32-virt/board.c ;;
    atmega328p) set -- atmega328p/start.c atmega328p/clock.c atmega328p/board.c ;;
    *) set -- "$1/board.c" ;;
    esac
    for source in input.c "$@"; do echo "$firmware/$source"; done
}

# board_pins BOARD - its LEDs and its button
board_pins() {
    case $1 in
    mps2-*) echo "$firmware/cortex-m/mps2_pins.c" ;;
    ast1030-* | lm3s* | netduino*) ;;
    pc) echo "$firmware/virtual/pins.c" ;; # a PC has no pins: they are in memory
    *) echo "$firmware/$1/pins.c" ;;
    esac
}

# board_libraries BOARD
board_libraries() { case $1 in pc | virtual) ;; *) echo -lgcc ;; esac }

# board_emulator BOARD - the command that runs an ELF file given after it
board_emulator() {
    quiet='-nographic -monitor none'
    arm='-semihosting-config enable=on,target=native -icount shift=6,sleep=off'
    case $1 in
    microbit | mps2-* | ast1030-* | lm3s* | netduino*)
        echo "qemu-system-arm -M $1 $quiet -serial stdio $arm -kernel"
        ;;
    rp2040) echo "node $here/../../test/firmware/pico/run.js" ;;
    rv32-virt)
        echo "qemu-system-riscv32 -M virt -bios none $quiet -serial stdio -rtc clock=vm -icount shift=6,sleep=off -kernel"
        ;;
    esac
}
