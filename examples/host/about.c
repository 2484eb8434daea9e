/* about.c - versions, the default loop of a thread, and what can be tuned in a system
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - A program without descriptors needs no system: each thread has a default loop.
 *   - The headers have a version, and the library has one; a program can compare both.
 *   - A slack lets one wakeup serve several timers. They may be late, but are never early.
 *   - A spin answers sooner, and keeps a processor busy: not for machines on batteries. */
#include <pt/host.h>

#include <stdio.h>
#include <string.h>

struct nap {
    struct pt pt;
    pt_time delay;
    const char *name;
};

static PT_ASYNC(nap, self)
{
    PT_WAIT(self->delay);
    printf("%s has slept\n", self->name);
}
PT_END

int main(void)
{
    static PT_TASK(nap) ann, bob;
    struct pt_loop *mine = pt_loop_default(), loop;
    struct pt_system sys;
    char headers[32];

    snprintf(headers, sizeof headers, "%d.%d.%d", PT_VERSION_MAJOR, PT_VERSION_MINOR,
             PT_VERSION_PATCH);
    printf("the library %s the headers\n", strcmp(pt_version(), headers) ? "differs from" : "fits");

    PT_START(mine, &ann, nap, .delay = PT_MS(1), .name = "Ann");
    pt_loop_run(mine);
    pt_loop_close(mine);

    if (pt_system_open(&sys, &loop, "poll") != PT_OK) /* NULL: the best that there is */
        return 1;
    printf("the poller is %s\n", pt_system_poller(&sys));
    pt_system_slack(&sys, PT_MS(5));  /* 3 and 5 ms: one wakeup for both */
    pt_system_spin(&sys, PT_US(100)); /* no sleep before 100 us */
    PT_START(&loop, &ann, nap, .delay = PT_MS(3), .name = "Ann");
    PT_START(&loop, &bob, nap, .delay = PT_MS(5), .name = "Bob");
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return 0;
}
