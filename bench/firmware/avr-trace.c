/* avr-trace.c - traces each instruction of a program for the ATmega328P: cycle, address, mask
 * SPDX-License-Identifier: MIT
 *
 *     avr-trace PROGRAM.elf
 *
 * Prints a line "CYCLE PC MASKED" before each; MASKED is 1 if interrupts are off, except inside an
 * interrupt. In each endless sleep a byte arrives: a line "byte CYCLE". As in hardware, its
 * interrupt runs before the instruction after the sleep. */
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
