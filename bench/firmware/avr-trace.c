/* avr-trace.c - each instruction of a program for the ATmega328P: its cycle, its place, the mask
 * SPDX-License-Identifier: MIT
 *
 *     avr-trace PROGRAM.elf
 *
 * A line "CYCLE PC MASKED" before each; MASKED is 1 where interrupts are off, other than in one. In
 * each sleep without end a byte comes: a line "byte CYCLE". As in hardware, its interrupt runs before what
 * stands behind the sleep. */
#include "../../test/firmware/avr.h"

enum { RECEIVED = 18 };

int main(int count, char **arguments)
{
    avr_t *avr;

    if (count != 2)
        return 2;
    avr = avr_load(arguments[1]);
    do {
        if (avr->state == cpu_Sleeping && !avr_has_pending_interrupts(avr)) {
            printf("byte %llu\n", (unsigned long long)avr->cycle);
            for (int i = 0; i < avr->interrupts.vector_count; i++)
                if (avr->interrupts.vector[i]->vector == RECEIVED)
                    avr_raise_interrupt(avr, avr->interrupts.vector[i]);
            avr->interrupt_state = 1; /* the sei was long ago */
            avr_service_interrupts(avr);
        }
        printf("%llu %x %d\n", (unsigned long long)avr->cycle, (unsigned)avr->pc,
               !avr->sreg[S_I] && !avr->interrupts.running_ptr);
    } while (avr_run(avr) != cpu_Done && avr->state != cpu_Crashed && avr->cycle < 16000000);
    return 0;
}
