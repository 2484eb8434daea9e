/* stacks.c - the stacks of bodies that have one each: a pool and a table for all threads
 * SPDX-License-Identifier: MIT */
#define PT_OTHER_KNOBS 1 /* the same object for programs with any knobs */
#define PT_BACKEND "stacks.h"
#include <pt/pt.h>

#include <pthread.h>

enum { STACK_BYTES = 64 << 10, LISTS = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pt_stacks stacks;
static struct stacks_place *lists[LISTS]; /* by the frame's address */

void *stacks_take(const char *name, size_t *bytes)
{
    void *stack;

    pthread_mutex_lock(&lock);
    if (!stacks.bytes)
        pt_stacks_init(&stacks, STACK_BYTES, PT_STACKS_GUARDED);
    stack = pt_stack_take(&stacks, name);
    pthread_mutex_unlock(&lock);
    *bytes = stacks.bytes;
    return stack;
}

void stacks_give(void *stack)
{
    pthread_mutex_lock(&lock);
    pt_stack_give(&stacks, stack);
    pthread_mutex_unlock(&lock);
}

static struct stacks_place **list_of(const void *frame)
{
    return &lists[(uintptr_t)frame / 16 % LISTS];
}

struct stacks_place *stacks_find(const void *frame)
{
    struct stacks_place *place;

    pthread_mutex_lock(&lock);
    for (place = *list_of(frame); place && place->frame != frame; place = place->next)
        continue;
    pthread_mutex_unlock(&lock);
    return place;
}

void stacks_add(struct stacks_place *place)
{
    pthread_mutex_lock(&lock);
    place->next = *list_of(place->frame);
    *list_of(place->frame) = place;
    pthread_mutex_unlock(&lock);
}

void stacks_remove(struct stacks_place *place)
{
    struct stacks_place **link;

    pthread_mutex_lock(&lock);
    for (link = list_of(place->frame); *link != place; link = &(*link)->next)
        continue;
    *link = place->next;
    pthread_mutex_unlock(&lock);
}
