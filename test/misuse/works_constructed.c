/* works_constructed.c - PT_SPAWN_NEW and PT_START_NEW construct and destroy a frame of C++, each once
 * SPDX-License-Identifier: MIT
 * expect output c++: each was gone once, kept its values, freed
 * expect output c++ -DPT_DEBUG=1: each was gone once, kept its values, freed
 * expect output c++ -DPT_AWAIT=0 -DPT_INSPECT=0: each was gone once, kept its values, freed */
#define _POSIX_C_SOURCE 200809L
#include <pt/posix.h>

#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus

static int made, gone, ended, kept, blocks, refused, started;

/* A member that holds a resource. */
struct name {
    char *text;
    name() : text(static_cast<char *>(malloc(8)))
    {
        made++;
    }
    name(const name &) = delete;
    ~name()
    {
        free(text);
        gone++;
    }
};

struct child {
    struct pt pt;
    struct name name;
    int number = 5;
    int zero;
};

struct parent {
    struct pt pt;
};

static PT_ASYNC(child, self)
{
    self->name.text[0] = 't';
    PT_YIELD();
    ended++;
    kept += self->name.text[0] == 't' && self->number == 5 && self->zero == 0;
}
PT_END

static PT_ASYNC(parent, self)
{
    PT_SPAWN_NEW(child);
}
PT_END

/* Dirty, counted memory. Blocks do not grow, so that a loop can be full. */
static void *resize(void *context, void *block, size_t bytes)
{
    (void)context;
    if (!bytes) {
        free(block);
        blocks--;
        return NULL;
    }
    if (block || refused)
        return NULL;
    blocks++;
    block = malloc(bytes);
    for (size_t i = 0; block && i < bytes; i++)
        static_cast<char *>(block)[i] = 0x5a;
    return block;
}

static const struct pt_port world = {pt_posix_now_, pt_posix_idle_, resize, NULL, NULL, NULL, 0, false};

int main(void)
{
    struct pt_loop loop;

    pt_loop_open(&loop, &world);
    if (PT_START_NEW(&loop, parent))
        return 1;
    while (PT_START_NEW(&loop, child) == PT_OK)
        ;
    started = made; /* the loop is full: the last one was not constructed */
    refused = 1;
    if (PT_START_NEW(&loop, child) != PT_ENOMEM || made != started || gone) /* no frame to construct */
        return 1;
    refused = 0;
    pt_loop_run(&loop);
    if (PT_START_NEW(&loop, parent))
        return 1;
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    printf("each was %s, %s, %s\n", made == gone && made == ended ? "gone once" : "not destroyed",
           ended > 1 && kept == ended ? "kept its values" : "lost its values",
           blocks ? "leaks" : "freed");
    return 0;
}

#endif
