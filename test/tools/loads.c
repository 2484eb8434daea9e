/* loads.c - a program that uses pt only in a module, which it loads: `gcc -DMODULE -fPIC -shared -o module.so`
 * SPDX-License-Identifier: MIT */
#ifdef MODULE

#include <pt/posix.h>

struct plugged {
    struct pt pt;
};

PT_ASYNC(plugged, self)
{
    (void)self;
    PT_PARK();
}
PT_END

static struct pt_loop module_loop;
static PT_TASK(plugged) task;

void start(void);

void start(void)
{
    pt_loop_open(&module_loop, &pt_posix);
    (void)!PT_START(&module_loop, &task, plugged);
    (void)pt_loop_turn(&module_loop, 0);
}

#else

#include "attach.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    void *module = dlopen("./module.so", RTLD_NOW);
    void (*start)(void);

    let_attach();
    if (!module)
        return 1;
    *(void **)&start = dlsym(module, "start");
    start();
    puts("end");
    fflush(stdout);
    for (;;)
        pause();
}

#endif
