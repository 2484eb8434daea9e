/* start.S - what runs before main on a RISC-V, and the interrupt table
 * SPDX-License-Identifier: MIT */
    .section .start, "ax"
    .global start
start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_top
    la a0, bss_start
    la a1, bss_end
1:  bgeu a0, a1, 2f         /* only .bss to clear: .data needs no copy, all is RAM here */
    sw zero, (a0)
    addi a0, a0, 4
    j 1b
2:  call main
    call board_end

    .weak board_end         /* called with main's result; a program can define its own */
board_end:
    j board_end

    .text
    .balign 64
    .global vectors
vectors:                    /* one jump of four bytes per cause */
    .option push
    .option norvc
    .option norelax
    .rept 7
    j stray
    .endr
    j timer                 /* 7 */
    .rept 3
    j stray
    .endr
    j external              /* 11 */
    .option pop
stray:                      /* on an exception or an unexpected interrupt */
    j stray
