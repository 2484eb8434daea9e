/* process.c - pt_find_stuck: what counts as a pointer in the memory of a process
 * SPDX-License-Identifier: MIT */
#include <pt/host.h>
#include <pt/native.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static struct pt_system sys;
static struct pt_loop loop;
static int failed;

#define CHECK(condition, name)                         \
    do {                                               \
        bool good = (condition);                       \
        printf("%s %s\n", good ? "ok" : "FAIL", name); \
        failed += !good;                               \
    } while (0)

struct box {
    struct pt_event event;
    char padding[40];
};

/* Waits for the event of a box. */
struct waiter {
    struct pt pt;
    struct box *box;
    struct pt_io io;
    int fd;
};

static PT_ASYNC(waiter, self)
{
    if (self->fd >= 0)
        pt_io_open(&self->io, &sys, self->fd);
    PT_WAIT_EVENT(&self->box->event);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

struct reader {
    struct pt pt;
    struct pt_io io;
    int fd;
    char byte;
    size_t got;
};

static PT_ASYNC(reader, self)
{
    pt_io_open(&self->io, &sys, self->fd);
    PT_READ(&self->io, &self->byte, 1, &self->got);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

static pt_stuck_found count_one;

static void count_one(void *context, const struct pt_stuck *stuck)
{
    (void)stuck;
    *(unsigned *)context += 1;
}

/* How many tasks are stuck; 100 if the memory could not be read. */
static unsigned stuck(void)
{
    static unsigned count;

    count = 0;
    return pt_find_stuck(&loop, count_one, &count) == PT_OK ? count : 100;
}

static void turns(void)
{
    for (int i = 0; i < 3; i++)
        pt_loop_turn(&loop, pt_posix.now(NULL));
}

/* A function of its own, so that no pointer is left in the caller's registers. */
__attribute__((noinline)) static void start_waiter(size_t bytes, int fd, uintptr_t *hidden)
{
    struct box *box = (struct box *)calloc(1, bytes);

    *hidden = ~(uintptr_t)box;
    PT_START_NEW(&loop, waiter, .box = box, .fd = fd);
    turns();
}

/* Overwrite what earlier calls have left on the stack. */
__attribute__((noinline)) static void wipe(void)
{
    volatile char bytes[8192];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = 0;
}

static void *volatile global;
static uintptr_t hidden;

/* Set the event, so that the task ends, and free the box. */
__attribute__((noinline)) static void end_waiter(void)
{
    struct box *box = (struct box *)~hidden;

    global = NULL;
    pt_event_set(&box->event);
    turns();
    free(box);
}

static PT_POOL(waiter, 2) pool;

__attribute__((noinline)) static void start_pooled(void)
{
    struct box *box = (struct box *)calloc(1, sizeof *box);

    hidden = ~(uintptr_t)box;
    PT_START_FROM(&loop, &pool, waiter, .box = box, .fd = -1);
    turns();
}

/* The library sees that it is a pool, although that was made in another file. */
static void test_pool(void)
{
    start_pooled();
    wipe();
    CHECK(stuck() == 1, "a_task_in_a_static_pool_is_stuck");
    end_waiter();
}

static void test_static(void)
{
    static struct box box;
    static PT_TASK(waiter) task;

    PT_START(&loop, &task, waiter, .box = &box, .fd = -1);
    turns();
    wipe();
    CHECK(stuck() == 0, "what_is_in_static_storage_is_always_reached");
    pt_event_set(&box.event);
    turns();
}

static void test_sizes(const char *found, const char *reached, size_t bytes)
{
    start_waiter(bytes, -1, &hidden);
    wipe();
    CHECK(stuck() == 1, found);
    global = (char *)~hidden + bytes - 9; /* into its last words */
    CHECK(stuck() == 0, reached);
    end_waiter();
}

__attribute__((noinline)) static void test_stack(void)
{
    void *volatile local = (void *)~hidden;

    CHECK(stuck() == 0, "a_pointer_in_a_local_variable_of_a_caller_counts");
    local = NULL;
    (void)local;
}

static void print(void *context, const char *text)
{
    (void)context;
    (void)text;
}

/* Registers that a function need not keep are not the caller's: they hold what earlier calls have left. */
__attribute__((noinline)) static void test_registers(void)
{
#ifdef __x86_64__
    __asm__ volatile("mov %0, %%r8\n\tnot %%r8\n\tmov %%r8, %%r10\n\tmov %%r8, %%r11"
                     :
                     : "m"(hidden)
                     : "r8", "r10", "r11");
#endif
    CHECK(pt_print_stuck(&loop, print, NULL) == 1,
          "what_is_printed_is_counted_and_no_register_of_earlier_calls_is_read");
}

/* --- threads --- */

static pthread_barrier_t ready, over;

static void *hold(void *argument)
{
    void *volatile local = (void *)~hidden;

    (void)argument;
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&over);
    local = NULL;
    (void)local;
    return NULL;
}

static void test_thread(void)
{
    pthread_t thread;

    pthread_barrier_init(&ready, NULL, 2);
    pthread_barrier_init(&over, NULL, 2);
    pthread_create(&thread, NULL, hold, NULL);
    pthread_barrier_wait(&ready);
    wipe();
    CHECK(stuck() == 0, "a_pointer_on_the_stack_of_another_thread_counts");
    pthread_barrier_wait(&over);
    pthread_join(thread, NULL);
}

__attribute__((noinline)) static void allocate_box(void)
{
    hidden = ~(uintptr_t)calloc(1, sizeof(struct box));
}

/* Its stack is kept by the C library, and so counts when the thread has ended. */
static void *allocate(void *argument)
{
    (void)argument;
    allocate_box();
    wipe();
    return NULL;
}

__attribute__((noinline)) static void start_hidden(void)
{
    PT_START_NEW(&loop, waiter, .box = (struct box *)~hidden, .fd = -1);
    turns();
}

static void test_arena(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, allocate, NULL);
    pthread_join(thread, NULL);
    start_hidden();
    wipe();
    CHECK(stuck() == 1, "a_block_that_another_thread_has_allocated_is_one");
    global = (void *)~hidden;
    CHECK(stuck() == 0, "a_pointer_to_such_a_block_counts");
    end_waiter();
}

/* --- native tasks --- */

enum { STACK = 64 << 10 };

static PT_TASK(pt_native) holder, searcher;
static struct pt_event over_there;
static unsigned seen;

/* Its stack leads to the box. */
static pt_status hold_box(struct pt_native *self)
{
    void *volatile local = (void *)~hidden;

    pt_native_wait_event(self, &over_there);
    local = NULL;
    (void)local;
    return PT_OK;
}

static pt_status search(struct pt_native *self)
{
    (void)self;
    seen = stuck();
    return PT_OK;
}

__attribute__((noinline)) static void start_holder(void *stack)
{
    PT_START(&loop, &holder, pt_native, .function = hold_box, .stack = stack, .bytes = STACK);
    turns();
}

__attribute__((noinline)) static void end_holder(void)
{
    pt_event_set(&over_there);
    turns();
    pt_event_clear(&over_there);
}

/* How many tasks are stuck, found by a native task on the stack. */
__attribute__((noinline)) static unsigned stuck_seen_from(void *stack)
{
    wipe();
    PT_START(&loop, &searcher, pt_native, .function = search, .stack = stack, .bytes = STACK);
    turns();
    return seen;
}

/* The stack is an array of the program: what is below it is not what earlier calls have left. */
static void test_static_stack(void)
{
    static struct {
        void *pointers[1024];
        uintptr_t stack[STACK / sizeof(uintptr_t)];
    } room;

    start_waiter(sizeof(struct box), -1, &hidden);
    CHECK(stuck_seen_from(room.stack) == 1,
          "a_search_does_not_count_what_it_leaves_on_a_static_stack");
    room.pointers[1023] = (void *)~hidden;
    CHECK(stuck_seen_from(room.stack) == 0, "a_pointer_below_a_static_stack_counts");
    memset(&room, 0, sizeof room); /* the next box will be at the same address */
    end_waiter();
}

/* The stacks are in one mapping, without guards. */
static void test_packed_stacks(void)
{
    struct pt_stacks stacks;
    void *low, *high;

    pt_stacks_init(&stacks, STACK, PT_STACKS_PACKED);
    low = pt_stack_take(&stacks, "holder");
    high = pt_stack_take(&stacks, "searcher");
    start_waiter(sizeof(struct box), -1, &hidden);
    start_holder(low);
    CHECK(low < high && stuck_seen_from(high) == 0, "a_pointer_on_a_packed_stack_below_counts");
    end_holder();
    pt_stacks_close(&stacks);
    end_waiter();
}

static void test_shared_stack(void)
{
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    start_waiter(sizeof(struct box), -1, &hidden);
    start_holder(stack);
    wipe();
    CHECK(stuck() == 0, "a_pointer_on_a_stack_in_shared_memory_counts");
    end_holder();
    munmap(stack, STACK);
    end_waiter();
}

/* --- descriptors --- */

static void test_descriptors(void)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return;
    PT_START_NEW(&loop, reader, .fd = pair[0]);
    turns();
    wipe();
    CHECK(stuck() == 0, "a_task_that_waits_for_a_descriptor_is_live");
    start_waiter(sizeof(struct box), pair[1], &hidden);
    wipe();
    CHECK(stuck() == 1, "a_descriptor_in_its_frame_does_not_keep_a_task_alive");
    end_waiter(); /* closes pair[1]: the reader ends, too */
    pt_loop_run(&loop);
}

/* A guard of Linux 6.13: the mapping can be written, but for one page. Without such guards this tests
 * nothing. */
static void test_guard(void)
{
    char *pages =
        (char *)mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    madvise(pages + 4096, 4096, 102); /* MADV_GUARD_INSTALL */
    start_waiter(sizeof(struct box), -1, &hidden);
    wipe();
    *(uintptr_t *)(void *)(pages + 8192) = ~hidden;
    CHECK(stuck() == 0, "a_guard_is_left_out_and_what_is_behind_it_counts");
    munmap(pages, 1 << 16);
    end_waiter();
}

int main(void)
{
    if (pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    test_sizes("a_task_that_waits_for_a_forgotten_block_is_stuck",
               "a_pointer_into_the_last_words_of_a_block_counts", sizeof(struct box));
    test_sizes("a_task_that_waits_for_a_large_forgotten_block_is_stuck",
               "a_pointer_into_a_large_block_counts", 1 << 20);
    start_waiter(sizeof(struct box), -1, &hidden);
    wipe();
    test_stack();
    wipe();
    test_registers();
    end_waiter();
    test_pool();
    test_static();
    test_arena();
    start_waiter(sizeof(struct box), -1, &hidden);
    test_thread();
    end_waiter();
    test_static_stack();
    test_packed_stacks();
    test_shared_stack();
    test_descriptors();
    test_guard();
    pt_system_close(&sys);
    return failed != 0;
}
