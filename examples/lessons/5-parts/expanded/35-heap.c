/* expanded/35-heap.c - lesson 35 with the macros of its bodies expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_WAIT  turn the delay into a deadline in the task's node; the loop's heap takes the node */
#include <pt/posix.h>

#include <stdio.h>

#define COUNT 6

static const char *const names[COUNT] = {"3a", "1a", "2a", "3b", "1b", "0a"};

struct sleeper {
    struct pt pt;
    const char *name;
};

static pt_op PT_FN(sleeper)(struct pt *pt, struct pt_task *task)
{
    struct sleeper *self = (struct sleeper *)pt;

    switch (pt->label) {
    case 0:
        if (!pt_wait_(task, PT_SEC(self->name[0] - '0'))) /* node.at += delay */
            return pt_return_(pt, task, PT_ERANGE);
        pt->label = 1;
        return (pt_op){PT_OP_WAIT};
    case 1:
        printf("%s ", self->name);
    }
    return pt_end_(pt);
}

static void sort_by_sleeping(void)
{
    static PT_TASK(sleeper) sleepers[COUNT];
    struct pt_virtual world;
    struct pt_loop loop;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    for (unsigned i = 0; i < COUNT; i++)
        PT_START(&loop, &sleepers[i], sleeper, .name = names[i]);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    printf("by sleeping\n");
}

struct item {
    struct pt_node node; /* first member: its address is the item's */
    const char *name;
};

static void sort_by_heap(void)
{
    struct pt_heap_entry entries[COUNT];
    struct item items[COUNT];
    struct pt_heap heap;

    pt_heap_init(&heap, 0);
    pt_heap_storage(&heap, entries, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        items[i].name = names[i];
        items[i].node.at = (pt_time)(names[i][0] - '0');
        pt_heap_push(&heap, &items[i].node);
    }
    items[1].node.at = 9; /* 1a changes its mind */
    pt_heap_rekey(&heap, &items[1].node);
    pt_heap_remove(&heap, &items[2].node); /* 2a goes home */
    while (pt_heap_first(&heap))
        printf("%s ", ((struct item *)(void *)pt_heap_pop(&heap))->name);
    printf("by the heap alone\n");
}
