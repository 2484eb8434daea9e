/* stacks.c - pools of stacks: many, guarded, packed; reports of overflows
 * SPDX-License-Identifier: MIT */
#include "native.h"

#include <pt/stack/stack.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MANY
#define MANY 100000
#endif

static const int kinds[] = {PT_STACKS_PACKED, PT_STACKS_GUARDED, PT_STACKS_MPROTECT};

static struct pt_stacks stacks;
static struct pt_fiber root;
static struct pt_fiber many[MANY];

static size_t asked(int kind)
{
    return kind == PT_STACKS_PACKED && !PT_HAS_TOOLS_ ? 944 : 8 << 10;
}

/* --- taking and giving --- */

TEST(the_stack_that_was_returned_last_is_taken_next)
{
    for (int i = 0; i < 3; i++) {
        void *first, *second;

        pt_stacks_init(&stacks, asked(kinds[i]), kinds[i]);
        first = pt_stack_take(&stacks, "first");
        second = pt_stack_take(&stacks, "second");
        EXPECT(first && second && first != second);
        pt_stack_give(&stacks, first);
        pt_stack_give(&stacks, second);
        EXPECT(pt_stack_take(&stacks, "third") == second);
        EXPECT(pt_stack_take(&stacks, "fourth") == first);
        pt_stacks_close(&stacks);
    }
}

/* Pools of its own, which are all in one list. */
static void *open_and_close(void *argument)
{
    struct pt_stacks own[3];

    for (int i = 0; i < 100000; i++) {
        for (int j = 0; j < 3; j++)
            pt_stacks_init(&own[j], 8 << 10, PT_STACKS_PACKED);
        for (int j = 0; j < 3; j++)
            pt_stacks_close(&own[j]);
    }
    return argument;
}

TEST(any_thread_opens_and_closes_pools)
{
    pthread_t threads[3];
    void *whole;

    for (int i = 0; i < 3; i++)
        EXPECT(!pthread_create(&threads[i], NULL, open_and_close, &stacks));
    for (int i = 0; i < 3; i++)
        EXPECT(!pthread_join(threads[i], &whole) && whole == &stacks);
}

TEST(a_pool_that_is_not_open_closes_and_has_no_stack)
{
    struct pt_stacks zeroed;

    memset(&zeroed, 0, sizeof zeroed);
    pt_stacks_close(&zeroed);
    EXPECT(!pt_stack_take(&zeroed, "none") && strstr(zeroed.error, "pt_stacks_init"));
    pt_stacks_init(&stacks, 8 << 10, PT_STACKS_PACKED);
    EXPECT(pt_stack_take(&stacks, "one") != NULL);
    pt_stacks_close(&stacks);
    pt_stacks_close(&stacks);
    EXPECT(!pt_stack_take(&stacks, "none") && strstr(stacks.error, "pt_stacks_init"));
}

TEST(a_stack_that_is_larger_than_all_memory_is_refused)
{
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX - 4095, SIZE_MAX / 16 * 15,
                                   SIZE_MAX / 2 + 1};

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            pt_stacks_init(&stacks, sizes[j], kinds[i]);
            EXPECT(!pt_stack_take(&stacks, "vast") && stacks.error);
            pt_stacks_close(&stacks);
        }
}

TEST(every_byte_of_a_stack_is_its_own)
{
    enum { SOME = 200 };
    static char *taken[SOME];

    for (int i = 0; i < 3; i++) {
        pt_stacks_init(&stacks, asked(kinds[i]), kinds[i]);
        EXPECT(stacks.bytes >= asked(kinds[i]));
        for (int j = 0; j < SOME; j++) {
            taken[j] = (char *)pt_stack_take(&stacks, NULL);
            EXPECT(taken[j] && (uintptr_t)taken[j] % 16 == 0);
            EXPECT(pt_stack_used(taken[j], stacks.bytes) == 0);
            memset(taken[j], j, stacks.bytes);
        }
        for (int j = 0; j < SOME; j++) {
            size_t kept = 0;

            while (kept < stacks.bytes && taken[j][kept] == (char)j)
                kept++;
            EXPECT(kept == stacks.bytes);
        }
        pt_stacks_close(&stacks);
    }
}

TEST(tops_of_packed_stacks_lie_at_odd_multiples_of_a_cache_line)
{
    for (size_t bytes = 900; bytes < 1100; bytes += 20) {
        char *before, *now;

        pt_stacks_init(&stacks, bytes, PT_STACKS_PACKED);
        before = (char *)pt_stack_take(&stacks, NULL);
        now = (char *)pt_stack_take(&stacks, NULL);
        EXPECT((now - before) % 64 == 0 && (now - before) / 64 % 2 == 1);
        pt_stacks_close(&stacks);
    }
}

TEST(tops_of_guarded_stacks_do_not_compete_for_the_cache)
{
    enum { TOPS = 31 };
    char seen[64] = {0};

    pt_stacks_init(&stacks, 8 << 10, PT_STACKS_GUARDED);
    EXPECT(stacks.stride / (size_t)sysconf(_SC_PAGESIZE) % 2 == 1);
    for (int i = 0; i < TOPS; i++) {
        uintptr_t top = (uintptr_t)pt_stack_take(&stacks, NULL) + stacks.bytes;

        EXPECT(!seen[top / 64 % 64]);
        seen[top / 64 % 64] = 1;
    }
    pt_stacks_close(&stacks);
}

/* --- many --- */

static long parked;

static void park(struct pt_fiber *self)
{
    parked++;
    pt_fiber_switch(self, self->parent);
    parked--;
}

/* Park as many fibers as possible, up to MANY, and wake them all; returns how many there were. */
static long park_many(int kind)
{
    long made = 0;

    pt_fiber_root(&root);
    pt_stacks_init(&stacks, asked(kind), kind);
    for (; made < MANY; made++) {
        void *stack = pt_stack_take(&stacks, "parked");

        if (!stack)
            break;
        pt_fiber_init(&many[made], &root, stack, stacks.bytes, park, stack);
        pt_fiber_switch(&root, &many[made]);
    }
    EXPECT(parked == made);
    for (long i = 0; i < made; i++) {
        pt_fiber_switch(&root, &many[i]);
        EXPECT(pt_fiber_done(&many[i]));
        pt_fiber_close(&many[i]);
        pt_stack_give(&stacks, many[i].argument);
    }
    EXPECT(parked == 0);
    return made;
}

TEST(a_hundred_thousand_fibers_park_on_packed_stacks)
{
    EXPECT(park_many(PT_STACKS_PACKED) == MANY);
    EXPECT(PT_HAS_TOOLS_ || stacks.stride + sizeof(struct pt_fiber) <= 1100);
    pt_stacks_close(&stacks);
}

TEST(a_hundred_thousand_fibers_park_on_guarded_stacks)
{
    long made = park_many(PT_STACKS_GUARDED);

    EXPECT(made == MANY || stacks.kind == PT_STACKS_MPROTECT); /* an older kernel */
    pt_stacks_close(&stacks);
}

/* Without the kernel's guards each stack takes two mappings, and their number is limited. */
TEST(the_error_names_the_limit_of_mappings_and_existing_stacks_keep_working)
{
    long made = park_many(PT_STACKS_MPROTECT);
    void *stack;

    EXPECT(made == MANY || (stacks.error && strstr(stacks.error, "vm.max_map_count")));
    EXPECT(made == MANY || !stacks.returned || pt_stack_take(&stacks, NULL) != NULL);
    pt_stacks_close(&stacks);
    pt_stacks_init(&stacks, 8 << 10, PT_STACKS_MPROTECT); /* all mappings were returned */
    stack = pt_stack_take(&stacks, NULL);
    EXPECT(stack != NULL);
    EXPECT(!stacks.error);
    pt_stacks_close(&stacks);
}

/* Map pages as malloc, threads and libraries do: none may fail. Returns how many succeeded. */
static long map_some(long wanted)
{
    static void *some[2000];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    long made = 0;

    for (; made < wanted; made++) { /* neighbors differ, so that the kernel does not merge them */
        some[made] = mmap(NULL, page, made % 2 ? PROT_READ : PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (some[made] == MAP_FAILED)
            break;
    }
    for (long i = 0; i < made; i++)
        munmap(some[i], page);
    return made;
}

TEST(when_stacks_are_refused_mappings_are_left_for_others)
{
    void *large;
    long made = 0;

    pt_stacks_init(&stacks, 8 << 10, PT_STACKS_MPROTECT);
    while (made < MANY && pt_stack_take(&stacks, "one of many"))
        made++;
    EXPECT(map_some(2000) == 2000);
    large = malloc(1 << 20);
    EXPECT(large != NULL);
    free(large);
    EXPECT(made == MANY || !pt_stack_take(&stacks, "one more"));
    pt_stacks_close(&stacks);
}

/* Stacks are refused while another pool holds the mappings, and available after it is closed. */
TEST(closing_a_pool_makes_room_for_the_stacks_of_another)
{
    struct pt_stacks other;
    long made = 0;

    pt_stacks_init(&other, 8 << 10, PT_STACKS_MPROTECT);
    pt_stacks_init(&stacks, 8 << 10, PT_STACKS_MPROTECT);
    while (made < MANY && pt_stack_take(&other, "one of many"))
        made++;
    EXPECT(made == MANY || !pt_stack_take(&stacks, "one more"));
    pt_stacks_close(&other);
    EXPECT(pt_stack_take(&stacks, "one more") != NULL);
    pt_stacks_close(&stacks);
}

static long mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    long lines = 0;
    int c;

    while (file && (c = getc(file)) != EOF)
        lines += c == '\n';
    if (file)
        fclose(file);
    return lines;
}

TEST(closing_a_pool_returns_its_memory)
{
    for (int round = 0; round < 2; round++) {
        long before = mappings();

        for (int i = 0; i < 3; i++) {
            pt_stacks_init(&stacks, 8 << 10, kinds[i]);
            for (int j = 0; j < 100; j++)
                EXPECT(pt_stack_take(&stacks, NULL) != NULL);
            pt_stacks_close(&stacks);
        }
        EXPECT(!round ||
               mappings() <= before); /* round 0 lets malloc and others map what they need */
    }
}

/* The size of the process's address space, in bytes. */
static long space(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;

    if (!file || fscanf(file, "%ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void end_at_once(struct pt_fiber *self)
{
    volatile char local[32];

    for (unsigned i = 0; i < sizeof local; i++)
        local[i] = (char)i;
    EXPECT(local[7] == 7 && self == &many[0]);
}

/* AddressSanitizer has a second stack of some megabytes for each fiber, and must free it. */
TEST(fibers_that_are_done_leak_no_memory)
{
    long before = 0;

    pt_fiber_root(&root);
    pt_stacks_init(&stacks, 8 << 10, PT_STACKS_GUARDED);
    for (int i = 0; i < 40; i++) {
        void *stack = pt_stack_take(&stacks, "brief");

        pt_fiber_init(&many[0], &root, stack, stacks.bytes, end_at_once, NULL);
        pt_fiber_switch(&root, &many[0]);
        pt_fiber_close(&many[0]);
        pt_stack_give(&stacks, stack);
        before = i == 8 ? space() : before; /* the first rounds warm up */
    }
    EXPECT(before > 0 && space() - before < 16 << 20);
    pt_stacks_close(&stacks);
}

#if PT_HAS_ASAN_
static void hold(struct pt_fiber *self)
{
    void *volatile mine = malloc(100);

    pt_fiber_switch(self, &root);
    free(mine);
}

TEST(memory_that_a_suspended_fiber_holds_is_not_a_leak)
{
    void *stack;

    pt_fiber_root(&root);
    pt_stacks_init(&stacks, 8 << 10, PT_STACKS_GUARDED);
    stack = pt_stack_take(&stacks, "holder");
    pt_fiber_init(&many[0], &root, stack, stacks.bytes, hold, NULL);
    pt_fiber_switch(&root, &many[0]);
    EXPECT(!__lsan_do_recoverable_leak_check());
    pt_fiber_switch(&root, &many[0]);
    pt_fiber_close(&many[0]);
    pt_stacks_close(&stacks);
}
#endif

/* --- overflow, in a process of its own --- */

static int sink;

static int dig(int depth)
{
    volatile char room[200];

    room[depth % 200] = (char)depth;
    return depth == -1 ? 0 : dig(depth + 1) + room[depth % 200];
}

static void overflow(struct pt_fiber *self)
{
    (void)self;
    sink = dig(0);
}

/* Overflow a stack of a KIND with some OTHERS before it. */
static void overflow_on(int kind, int others)
{
    struct pt_fiber fiber;
    void *stack;

    pt_overflow_watch();
    pt_fiber_root(&root);
    pt_stacks_init(&stacks, 16 << 10, kind);
    for (int i = 0; i < others; i++)
        EXPECT(pt_stack_take(&stacks, "another") != NULL);
    stack = pt_stack_take(&stacks, "the parser");
    EXPECT(!others || pt_stack_take(&stacks, "another") != NULL);
    pt_fiber_init(&fiber, &root, stack, stacks.bytes, overflow, NULL);
    pt_fiber_switch(&root, &fiber);
}

static void guarded(void)
{
    overflow_on(PT_STACKS_GUARDED, 40); /* in the second block */
}

static void first_of_all(void)
{
    overflow_on(PT_STACKS_GUARDED, 0);
}

static void guarded_by_mprotect(void)
{
    overflow_on(PT_STACKS_MPROTECT, 40);
}

/* Writes upward, from its own stack to the guard of the one above. */
static void overrun(struct pt_fiber *self)
{
    volatile char *at = (volatile char *)self->argument;

    for (;;)
        *at++ = 1;
}

static void past_the_upper_end(void)
{
    struct pt_fiber fiber;
    char *stack;

    pt_overflow_watch();
    pt_fiber_root(&root);
    pt_stacks_init(&stacks, 16 << 10, PT_STACKS_GUARDED);
    stack = (char *)pt_stack_take(&stacks, "the writer");
    EXPECT(pt_stack_take(&stacks, "the parser") != NULL);
    pt_fiber_init(&fiber, &root, stack, stacks.bytes, overrun, stack + stacks.bytes);
    pt_fiber_switch(&root, &fiber);
}

static void *in_thread(void *argument)
{
    guarded();
    return argument;
}

static void in_another_thread(void)
{
    pthread_t thread;

    pt_overflow_watch();
    pt_overflow_unwatch();
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
}

static volatile uintptr_t nobodys = 64; /* an address in the first page, which is not mapped */

static void elsewhere(void)
{
    pt_overflow_watch();
    pt_stacks_init(&stacks, 16 << 10, PT_STACKS_GUARDED);
    *(volatile char *)pt_stack_take(&stacks, "innocent") = 1;
    *(volatile int *)(uintptr_t)nobodys = 1;
}

static void old_handler(int signal)
{
    (void)signal;
    if (write(2, "the handler before\n", 19) == 19)
        _exit(7);
}

static void elsewhere_with_handler(void)
{
    signal(SIGSEGV, old_handler);
    elsewhere();
}

static int fatal; /* the signal that is sent */

static void raised(void)
{
    signal(fatal, SIG_DFL);
    pt_overflow_watch();
    raise(fatal);
}

static void killed(void)
{
    signal(fatal, SIG_DFL);
    pt_overflow_watch();
    kill(getpid(), fatal);
}

static void raised_with_handler(void)
{
    signal(fatal, old_handler);
    pt_overflow_watch();
    raise(fatal);
}

static void raised_and_ignored(void)
{
    signal(fatal, SIG_IGN);
    pt_overflow_watch();
    raise(fatal);
    guarded(); /* the watch still works */
}

static volatile int seen;

static void see(int number)
{
    seen += number == fatal;
}

/* A handler with SA_RESETHAND: the second signal finds the default action. */
static void raised_with_handler_for_once(void)
{
    struct sigaction once;

    memset(&once, 0, sizeof once);
    once.sa_handler = see;
    once.sa_flags = (int)SA_RESETHAND;
    sigaction(fatal, &once, NULL);
    pt_overflow_watch();
    raise(fatal);
    if (seen != 1)
        _exit(6);
    raise(fatal);
}

static jmp_buf escape;

static void leap(int signal)
{
    (void)signal;
    seen++;
    longjmp(escape, 1);
}

/* A handler that leaves by longjmp. As longjmp does not unblock the signal, it has SA_NODEFER. */
static void faults_with_handler_that_leaps(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = leap;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGSEGV, &action, NULL);
    pt_overflow_watch();
    if (!setjmp(escape) || seen < 3)
        *(volatile int *)(uintptr_t)nobodys = 1;
    _exit(seen == 3 ? 5 : 6);
}

#if !PT_HAS_TSAN_ /* ThreadSanitizer does not support leaving a fiber by longjmp */
static void leap_off(struct pt_fiber *self)
{
    (void)self;
    longjmp(escape, 1);
}

/* glibc with _FORTIFY_SOURCE ends the program if the fiber is above the frame of the setjmp. */
PT_NOINLINE void land_below(char *memory, size_t bytes)
{
    static struct pt_fiber above, below;
    static struct pt_landing landing;

    pt_fiber_root(&below);
    pt_fiber_init(&above, &below, memory, bytes, leap_off, NULL);
    pt_landing_mark(&landing);
    if (!setjmp(escape))
        pt_fiber_switch(&below, &above);
    pt_landing_reached(&landing);
    pt_fiber_close(&above);
}

static void leaps_down(void)
{
    static char *volatile memory;
    char above[64 << 10];

    memory = above; /* so that it stays in this frame */
    land_below(memory, sizeof above);
    _exit(5);
}
#endif

/* dies - run FUNCTION in a child process; returns the status, and what it wrote to stderr */
static int dies(void (*function)(void), char *said, size_t bytes)
{
    int ends[2], status = 0;
    size_t length = 0;
    ssize_t got;
    pid_t child;

    EXPECT(!pipe(ends));
    child = fork();
    if (!child) {
        dup2(ends[1], 2);
        close(ends[1]);
        function();
        _exit(0);
    }
    close(ends[1]);
    while (length < bytes - 1 && (got = read(ends[0], said + length, bytes - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    EXPECT(waitpid(child, &status, 0) == child);
    return status;
}

#define BELOW "pt: or the stack below it was written past its upper end\n"

static void expect_report(void (*function)(void), bool below)
{
    char said[4096], *end;
    int status = dies(function, said, sizeof said);

    EXPECT(status != 0);
    EXPECT(!strncmp(said, "pt: stack overflow: the parser has ", 35));
    end = said + 35 + strspn(said + 35, "0123456789");
    EXPECT(!strncmp(end, " bytes\n", 7));
    end += 7;
    if (below) {
        EXPECT(!strncmp(end, BELOW, strlen(BELOW)));
        end += strlen(BELOW);
    }
    EXPECT(PT_HAS_TOOLS_ || !*end); /* a tool has its own words behind it */
#if !PT_HAS_TOOLS_
    EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
#endif
}

TEST(an_overflow_is_reported_with_the_name_of_the_stack)
{
    expect_report(guarded, false);
    expect_report(first_of_all, false);
    expect_report(guarded_by_mprotect, false);
    expect_report(in_another_thread, false);
}

TEST(a_write_past_the_upper_end_of_a_stack_is_reported_as_a_possible_cause)
{
    expect_report(past_the_upper_end, true);
}

static void init_twice(void)
{
    static struct pt_stacks twice;

    pt_stacks_init(&twice, 4096, PT_STACKS_GUARDED);
    pt_stacks_init(&twice, 4096, PT_STACKS_GUARDED);
}

TEST(a_second_init_of_a_pool_that_is_open_stops_the_program)
{
    char said[4096];

    EXPECT(dies(init_twice, said, sizeof said) != 0);
    EXPECT(!strncmp(said, "pt: pt_stacks_init: the pool is open", 36));
}

static void init_between(void)
{
    static struct pt_stacks again, other;

    pt_stacks_init(&again, 4096, PT_STACKS_GUARDED);
    pt_stacks_init(&other, 4096, PT_STACKS_GUARDED);
    pt_stacks_close(&again);
    pt_stacks_init(&again, 4096, PT_STACKS_GUARDED);
    pt_stacks_close(&other);
    pt_stacks_close(&again);
    _exit(5);
}

TEST(a_pool_that_was_closed_is_made_again)
{
    char said[4096];

    EXPECT(WEXITSTATUS(dies(init_between, said, sizeof said)) == 5);
}

#if !PT_HAS_TSAN_
TEST(a_longjmp_off_a_fiber_above_it_lands_in_a_file_that_is_not_fortified)
{
    char said[4096];

    EXPECT(WEXITSTATUS(dies(leaps_down, said, sizeof said)) == 5);
}
#endif

/* The program sets its own alternate stack after the watch, removes it, and watches again. If a
 * sanitizer has set an alternate stack before, that one is removed first. */
static void with_a_stack_of_its_own(void)
{
    static char mine[64 << 10];
    stack_t none, stack, now, again;

    memset(&none, 0, sizeof none);
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, NULL);
    pt_overflow_watch();
    sigaltstack(NULL, &now);
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = mine;
    stack.ss_size = sizeof mine;
    sigaltstack(&stack, NULL);
    pt_overflow_unwatch();
    sigaltstack(NULL, &again);
    if ((again.ss_flags & SS_DISABLE) || again.ss_sp != mine)
        _exit(6);
    sigaltstack(&none, NULL);
    pt_overflow_watch();
    sigaltstack(NULL, &again);
    _exit((again.ss_flags & SS_DISABLE) || again.ss_size != now.ss_size ? 6 : 5);
}

TEST(an_alternate_stack_that_the_program_set_later_stays)
{
    char said[4096];
    int status = dies(with_a_stack_of_its_own, said, sizeof said);

    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

TEST(a_fault_that_is_no_overflow_goes_to_the_previous_handler)
{
    char said[4096];
    int status = dies(elsewhere, said, sizeof said);

    EXPECT(status != 0 && !strstr(said, "overflow: "));
    status = dies(elsewhere_with_handler, said, sizeof said);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    EXPECT(strstr(said, "the handler before\n") && !strstr(said, "overflow: "));
}

/* A sanitizer has handlers of its own, and may print other reports. */
TEST(a_sent_signal_acts_as_it_would_without_the_watch)
{
    static const int both[] = {SIGSEGV, SIGBUS};
    char said[4096];
    int status;

    for (int i = 0; i < 2; i++) {
        fatal = both[i];
        status = dies(raised, said, sizeof said);
        EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == fatal);
        status = dies(killed, said, sizeof said);
        EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == fatal);
        EXPECT(!strstr(said, "overflow"));
        status = dies(raised_with_handler, said, sizeof said);
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        EXPECT(dies(raised_and_ignored, said, sizeof said) != 0);
        EXPECT(strstr(said, "overflow: the parser has ") != NULL);
        status = dies(raised_with_handler_for_once, said, sizeof said);
        EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == fatal);
    }
}

TEST(the_previous_handler_can_leave_by_longjmp_and_see_the_next_fault)
{
    char said[4096];
    int status = dies(faults_with_handler_that_leaps, said, sizeof said);

    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    RUN(the_stack_that_was_returned_last_is_taken_next);
    RUN(a_pool_that_is_not_open_closes_and_has_no_stack);
    RUN(any_thread_opens_and_closes_pools);
    RUN(a_stack_that_is_larger_than_all_memory_is_refused);
    RUN(every_byte_of_a_stack_is_its_own);
    RUN(tops_of_packed_stacks_lie_at_odd_multiples_of_a_cache_line);
    RUN(tops_of_guarded_stacks_do_not_compete_for_the_cache);
    RUN(a_hundred_thousand_fibers_park_on_packed_stacks);
    RUN(a_hundred_thousand_fibers_park_on_guarded_stacks);
    RUN(the_error_names_the_limit_of_mappings_and_existing_stacks_keep_working);
    RUN(when_stacks_are_refused_mappings_are_left_for_others);
    RUN(closing_a_pool_makes_room_for_the_stacks_of_another);
    RUN(closing_a_pool_returns_its_memory);
    RUN(fibers_that_are_done_leak_no_memory);
#if PT_HAS_ASAN_
    RUN(memory_that_a_suspended_fiber_holds_is_not_a_leak);
#endif
    RUN(an_overflow_is_reported_with_the_name_of_the_stack);
    RUN(a_second_init_of_a_pool_that_is_open_stops_the_program);
    RUN(a_pool_that_was_closed_is_made_again);
#if !PT_HAS_TSAN_
    RUN(a_longjmp_off_a_fiber_above_it_lands_in_a_file_that_is_not_fortified);
#endif
    RUN(a_write_past_the_upper_end_of_a_stack_is_reported_as_a_possible_cause);
    RUN(an_alternate_stack_that_the_program_set_later_stays);
    RUN(a_fault_that_is_no_overflow_goes_to_the_previous_handler);
    RUN(a_sent_signal_acts_as_it_would_without_the_watch);
    RUN(the_previous_handler_can_leave_by_longjmp_and_see_the_next_fault);
    return native_end();
}
