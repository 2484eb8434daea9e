/* threads.c - fibers suspended in one thread that continue in another; misuse that ends a process
 * SPDX-License-Identifier: MIT */
#include "native.h"

#include <pt/native.h>
#include <pt/stack/copied.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char stack[64 << 10];
static struct pt_fiber fiber;
static __thread int whose = 0;
static int seen[3];

/* Each visit tells the fiber where to return: the fiber keeps nothing that belongs to a thread. */
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

TEST(a_suspended_fiber_continues_in_another_thread)
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

/* --- bodies of native tasks, resumed in several threads and fibers --- */

static pt_status generate(struct pt_native *self)
{
    volatile int number = 0;

    while (pt_native_yield(self) == PT_OK)
        *(int *)self->argument = number++;
    return PT_OK;
}

static struct pt_native generator;
static int number;

static void *ask_in_thread(void *argument)
{
    return pt_next(&generator.pt) ? &generator : argument;
}

static void ask(struct pt_fiber *self)
{
    while (pt_next(&generator.pt)) {
        volatile char room[100] = {0};

        pt_fiber_switch(self, self->parent);
        EXPECT(!room[7]);
    }
}

TEST(several_fibers_and_threads_resume_a_generator_in_turn)
{
    static char stacks[2][64 << 10];
    struct pt_fiber root, askers[2];
    pthread_t thread;
    void *same;

    pt_fiber_root(&root);
    PT_INIT(&generator, pt_native, .function = generate, .argument = &number, .stack = stack,
            .bytes = sizeof stack);
    for (int i = 0; i < 2; i++)
        pt_fiber_init(&askers[i], &root, stacks[i], sizeof stacks[i], ask, NULL);
    for (int i = 0; i < 9; i++) {
        if (i % 3 < 2) {
            pt_fiber_switch(&root, &askers[i % 3]);
            continue;
        }
        EXPECT(!pthread_create(&thread, NULL, ask_in_thread, NULL));
        EXPECT(!pthread_join(thread, &same) && same == &generator);
    }
    EXPECT(pt_next(&generator.pt) && number == 8);
    EXPECT(pt_close(&generator.pt) == PT_OK);
    for (int i = 0; i < 2; i++)
        pt_fiber_close(&askers[i]);
}

static void *turn_in_thread(void *argument)
{
    pt_loop_turn((struct pt_loop *)argument, 0);
    return argument;
}

TEST(a_loop_of_native_tasks_runs_its_turns_in_several_threads)
{
    static PT_TASK(pt_native) task;
    static PT_LOOP_STORAGE(1) storage;
    struct pt_loop loop;
    pthread_t thread;

    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &storage);
    number = -1;
    PT_START(&loop, &task, pt_native, .function = generate, .argument = &number, .stack = stack,
             .bytes = sizeof stack);
    for (int i = 0; i < 6; i++)
        if (i % 2) {
            pt_loop_turn(&loop, 0);
        } else {
            EXPECT(!pthread_create(&thread, NULL, turn_in_thread, &loop));
            EXPECT(!pthread_join(thread, NULL));
        }
    EXPECT(number == 4);
    pt_cancel(&task.task, PT_ECANCELED);
    pt_loop_turn(&loop, 0);
    EXPECT(!pt_loop_live(&loop));
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

TEST(each_thread_has_its_own_fibers)
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

/* Run FUNCTION in a child process: it must write MESSAGE to stderr, and must not succeed. */
static void expect_stop(void (*function)(void), const char *message)
{
    char said[256] = "";
    int ends[2], status = 0;
    pid_t child;

    EXPECT(!pipe(ends));
    child = fork();
    if (!child) {
        dup2(ends[1], 2);
        function();
        _exit(0);
    }
    close(ends[1]);
    EXPECT(read(ends[0], said, sizeof said - 1) > 0);
    close(ends[0]);
    EXPECT(waitpid(child, &status, 0) == child && status);
    EXPECT(strstr(said, message) != NULL);
}

static void switch_to_done(void)
{
    struct pt_fiber root;

    pt_fiber_root(&root);
    pt_fiber_init(&fiber, &root, stack, sizeof stack, nothing, NULL);
    pt_fiber_switch(&root, &fiber);
    pt_fiber_switch(&root, &fiber);
}

TEST(a_switch_to_a_fiber_that_is_done_stops_the_program)
{
    expect_stop(switch_to_done, "a fiber that is done was switched to");
}

static void share_too_little(void)
{
    static char area[PT_COPIED_MOVER];
    struct pt_copied_stack shared;

    pt_copied_stack_init(&shared, area, sizeof area, NULL, NULL);
}

TEST(a_shared_stack_that_is_too_small_stops_the_program)
{
    expect_stop(share_too_little, "no room beside PT_COPIED_MOVER");
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    RUN(a_suspended_fiber_continues_in_another_thread);
    RUN(several_fibers_and_threads_resume_a_generator_in_turn);
    RUN(a_loop_of_native_tasks_runs_its_turns_in_several_threads);
    RUN(each_thread_has_its_own_fibers);
    RUN(a_switch_to_a_fiber_that_is_done_stops_the_program);
    RUN(a_shared_stack_that_is_too_small_stops_the_program);
    return native_end();
}
