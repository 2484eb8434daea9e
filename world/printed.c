/* printed.c - what the programs of a machine have printed, and its lines in the trace
 * SPDX-License-Identifier: MIT */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

/* A line ends before the byte END: it is in the trace. */
static void print_line(struct world_machine *machine, size_t end)
{
    trace(machine, "prints: %.*s", (int)(end - machine->line), machine->output + machine->line);
    machine->line = end + (end < machine->printed);
}

void printed_add(struct world_machine *machine, const char *text, size_t size)
{
    char *longer = realloc(machine->output, machine->printed + size + 1);

    if (!longer)
        abort();
    machine->output = longer;
    memcpy(longer + machine->printed, text, size);
    machine->printed += size;
    longer[machine->printed] = '\0';
    for (size_t at = machine->printed - size; at < machine->printed; at++)
        if (longer[at] == '\n')
            print_line(machine, at);
}

void printed_end(struct world_machine *machine)
{
    if (machine->line < machine->printed)
        print_line(machine, machine->printed);
}
