/* threads.c - fibers that are left in one thread and go on in another; misuse that ends a process
 * SPDX-License-Identifier: MIT */
#include "native.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char stack[64 << 10];
static struct pt_fiber fiber;
static __thread int whose = 0;
static int seen[3];

/* The fiber is handed who to go back to: nothing is kept that belongs to a thread. */
static void wander(struct pt_fiber *self)
{
    for (int i = 0; i < 3; i++) {
        seen[i] = i;
        pt_fiber_switch(self, (struct pt_fiber *)self->argument);
    }
}

static void *visit(void *argument)
{
    struct pt_fiber root;

    (void)argument;
    whose = 1;
    pt_fiber_root(&root);
    fiber.argument = fiber.parent = &root;
    pt_fiber_switch(&root, &fiber);
    return whose == 1 ? &fiber : NULL;
}

TEST(a_fiber_that_was_left_goes_on_in_another_thread)
{
    pthread_t thread;
    struct pt_fiber root;
    void *same;

    pt_fiber_root(&root);
    pt_fiber_init(&fiber, &root, stack, sizeof stack, wander, &root);
    pt_fiber_switch(&root, &fiber);
    for (int i = 0; i < 3; i++) {
        EXPECT(!pthread_create(&thread, NULL, visit, NULL));
        EXPECT(!pthread_join(thread, &same) && same == &fiber);
    }
    EXPECT(pt_fiber_done(&fiber));
    EXPECT(seen[1] == 1 && seen[2] == 2);
    pt_fiber_close(&fiber);
}

/* --- two threads, each with fibers of its own --- */

static void count(struct pt_fiber *self)
{
    int *counter = (int *)self->argument;

    for (;;) {
        ++*counter;
        pt_fiber_switch(self, self->parent);
    }
}

static void *run_own(void *argument)
{
    char *own = (char *)calloc(1, 64 << 10);
    struct pt_fiber root, counter;

    if (!own)
        return NULL;
    pt_fiber_root(&root);
    pt_fiber_init(&counter, &root, own, 64 << 10, count, argument);
    for (int i = 0; i < 10000; i++)
        pt_fiber_switch(&root, &counter);
    pt_fiber_close(&counter);
    free(own);
    return argument;
}

TEST(threads_have_fibers_of_their_own)
{
    int counters[2] = {0, 0};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        EXPECT(!pthread_create(&threads[i], NULL, run_own, &counters[i]));
    for (int i = 0; i < 2; i++)
        EXPECT(!pthread_join(threads[i], NULL) && counters[i] == 10000);
}

/* --- misuse --- */

static void nothing(struct pt_fiber *self)
{
    (void)self;
}

/* The process says so on its standard error, and is killed. */
TEST(a_switch_to_a_fiber_that_is_done_stops_the_program)
{
    char said[256] = "";
    int ends[2], status = 0;
    pid_t child;

    EXPECT(!pipe(ends));
    child = fork();
    if (!child) {
        struct pt_fiber root;

        dup2(ends[1], 2);
        pt_fiber_root(&root);
        pt_fiber_init(&fiber, &root, stack, sizeof stack, nothing, NULL);
        pt_fiber_switch(&root, &fiber);
        pt_fiber_switch(&root, &fiber);
        _exit(0);
    }
    close(ends[1]);
    EXPECT(read(ends[0], said, sizeof said - 1) > 0);
    close(ends[0]);
    EXPECT(waitpid(child, &status, 0) == child && status);
    EXPECT(strstr(said, "a fiber that is done was switched to") != NULL);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    RUN(a_fiber_that_was_left_goes_on_in_another_thread);
    RUN(threads_have_fibers_of_their_own);
    RUN(a_switch_to_a_fiber_that_is_done_stops_the_program);
    return native_end();
}
