/* customer.c - a lesson: takes COUNT numbers, and ends with status 1 at one that does not rise
 * SPDX-License-Identifier: MIT
 *
 *     customer ADDRESS COUNT */
#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>

static struct pt_system sys;
static struct pt_loop loop;

struct customer {
    struct pt pt;
    const char *server;
    int left;
    unsigned last, number;
    struct pt_io io;
    struct pt_dial dial;
    struct pt_reader in;
    struct pt_read_until line; /* a number that is cut off is another one */
    struct pt_scope limit;
    char room[32];
};

static PT_ASYNC(customer, self)
{
    while (self->left) {
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(2)) {
            PT_WAIT_COMPLETE(&self->dial, pt_dial, .io = &self->io, .system = &sys,
                             .to = self->server);
            pt_reader_init(&self->in, pt_io_stream(&self->io), self->room, sizeof self->room);
            PT_WAIT_COMPLETE(&self->line, pt_read_until, .reader = &self->in, .delimiter = "\n");
            if (self->pt.status == PT_OK) {
                self->number = (unsigned)strtoul(self->line.text, NULL, 10);
                printf("%u after %u\n", self->number, self->last);
                if (self->number <= self->last)
                    exit(1);
                self->last = self->number;
                self->left--;
            }
        }
        pt_io_close(&self->io);
        PT_WAIT(PT_MS(10));
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(customer) task;

    if (argc != 3 || pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 2;
    PT_START(&loop, &task, customer, .server = argv[1], .left = atoi(argv[2]));
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return 0;
}
