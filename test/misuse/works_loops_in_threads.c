/* works_loops_in_threads.c - in C++ loops in several threads start tasks with constructed frames
 * SPDX-License-Identifier: MIT
 * expect output c++ -g -fsanitize=thread -pthread: 300 are gone */
#include <pt/posix.h>

#include <pthread.h>
#include <stdio.h>
#ifdef __cplusplus

static int made, gone; /* atomic */

/* A member that is constructed and destroyed. */
struct name {
    name()
    {
        __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    }
    ~name()
    {
        __atomic_add_fetch(&gone, 1, __ATOMIC_RELAXED);
    }
};

struct child {
    struct pt pt;
    struct name name;
};

struct parent {
    struct pt pt;
    int children;
};

static PT_ASYNC(child, self)
{
    PT_YIELD();
}
PT_END

static PT_ASYNC(parent, self)
{
    while (self->children--) {
        PT_SPAWN_NEW(child);
        PT_YIELD();
    }
}
PT_END

static void *thread(void *argument)
{
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    if (PT_START_NEW(&loop, child) == PT_OK && PT_START_NEW(&loop, parent, .children = 99) == PT_OK)
        pt_loop_run(&loop);
    pt_loop_close(&loop);
    return argument;
}

int main(void)
{
    pthread_t threads[3];

    for (pthread_t &it : threads)
        if (pthread_create(&it, NULL, thread, NULL))
            return 1;
    for (pthread_t &it : threads)
        pthread_join(it, NULL);
    printf("%d are %s\n", made, gone == made ? "gone" : "not all gone");
    return 0;
}

#endif
