/* 35-heap.c - a heap keeps sleeping tasks, or your own items, in order
 * SPDX-License-Identifier: MIT
 *
 * To sort digits, start one task for each digit, and let it sleep for that many seconds. The loop's
 * heap does the sorting: it finds the earliest deadline in O(1), and adds or removes in O(log n).
 * It can also be used alone:
 *
 *     struct pt_heap_node
 *                      the first member of your item: it has the key `node.at`
 *     struct pt_heap   the heap; pt_heap_init gives it the time from which keys are counted
 *     pt_heap_storage  gives it an array of struct pt_heap_entry
 *     pt_heap_push     add an item; pt_heap_remove removes any item
 *     pt_heap_rekey    the key of an item has changed
 *     pt_heap_first    the item with the smallest key, or NULL; pt_heap_pop removes it, too
 *
 * What to notice:
 *   - Equal deadlines leave the heap in the order in which they entered it: 1a before 1b.
 *   - The heap knows nothing about tasks: it can hold any struct of yours.
 *   - You supply its array, too: the heap allocates nothing.
 *
 * Try: give 1a the key 3, and not 9. Does it come before 3a and 3b, or after them? */
#include <pt/posix.h>

#include <stdio.h>

#define COUNT 6

static const char *const names[COUNT] = {"3a", "1a", "2a", "3b", "1b", "0a"};

struct sleeper {
    struct pt pt;
    const char *name;
};

PT_ASYNC(sleeper, self)
{
    PT_WAIT(PT_SEC(self->name[0] - '0'));
    printf("%s ", self->name);
}
PT_END

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
    struct pt_heap_node node; /* first member: its address is the item's */
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

int main(void)
{
    sort_by_sleeping();
    sort_by_heap();
    return 0;
}
