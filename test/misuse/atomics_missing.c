/* atomics_missing.c - posts on a part without atomics, with critical sections that pt does not know
 * SPDX-License-Identifier: MIT
 * The compiler names the knob, and with it what to define; a program without posts compiles.
 * expect error -DPT_ATOMICS=0: pt_remote_needs_PT_REMOTE_1
 * expect error -DPT_ATOMICS=0 -DRING: PT_RING_needs_PT_CHANNELS_1_and_PT_REMOTE_1
 * expect error -DPT_ATOMICS=0 -DPT_REMOTE=1: PT_REMOTE needs atomics, or define PT_CRITICAL_ENTER and
 * expect output -DPT_ATOMICS=0 -DNONE: ^0$ */
#include <pt/pt.h>
#include <stdio.h>

static struct pt_loop loop;

int main(void)
{
#if defined(RING)
    static PT_RING(int, 4) ring;

    PT_RING_OPEN(&ring, &loop);
#elif !defined(NONE)
    static struct pt_remote remote;

    (void)pt_remote_post(&remote);
#endif
    pt_loop_init(&loop, 0);
    printf("%u\n", (unsigned)pt_loop_live(&loop));
    return 0;
}
