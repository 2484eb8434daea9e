/* avr-stub.c - runs a program for the ATmega328P for two seconds of its time, then waits for a gdb
 * SPDX-License-Identifier: MIT
 *
 *     avr-stub PROGRAM.elf PORT            prints "end" when it listens */
#include "../firmware/avr.h"

#include <simavr/sim_gdb.h>

int main(int count, char **arguments)
{
    avr_t *avr;

    if (count != 3)
        return 2;
    avr = avr_load(arguments[1]);
    while (avr->cycle < 2ull * 16000000 && avr_run(avr) < cpu_Done)
        continue;
    avr->gdb_port = atoi(arguments[2]);
    avr->state = cpu_Stopped;
    if (avr_gdb_init(avr) < 0)
        return 1;
    puts("end");
    fflush(stdout);
    for (;;)
        avr_run(avr);
}
