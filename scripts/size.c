/* size.c - the core's functions, for scripts/size to weigh
 * SPDX-License-Identifier: MIT */
#include <pt/pt.h>

struct empty {
    struct pt pt;
};

#ifdef WEIGH_RAM
/* scripts/size reads the size of each array. */
struct storage_of_8 {
    PT_LOOP_STORAGE(8) storage;
};
struct storage_of_16 {
    PT_LOOP_STORAGE(16) storage;
};
char ram_task[sizeof(PT_TASK(empty)) +
              (sizeof(struct storage_of_16) - sizeof(struct storage_of_8)) / 8];
char ram_loop[sizeof(struct pt_loop)];
#else

struct storage {
    PT_LOOP_STORAGE(4) of_4;
};

void start(void);
void start(void)
{
}

#ifndef WEIGH_NOTHING

/* If the address of a function is taken, the program has it exactly once, whether or not the
 * compiler would inline it. The addresses are in a section of their own, which is not counted. */
#define WEIGH(name) \
    void *const PT_GLUE_(weigh_, name) __attribute__((used, section(".weighed"))) = (void *)name

#if PT_LOOP_HAS_STORAGE_
static void use(struct pt_loop *loop, struct storage *storage)
{
    pt_loop_use(loop, &storage->of_4);
}

WEIGH(use);
#endif

WEIGH(pt_loop_init);
WEIGH(pt_spawn);
WEIGH(pt_wake);
/* A program without timers ignores what a turn returns. */
#if PT_TIMERS == PT_TIMERS_NONE
static void turn(struct pt_loop *loop)
{
    pt_loop_turn(loop, 0);
}

WEIGH(turn);
#else
WEIGH(pt_loop_turn);
#endif
#if PT_CLEANUP
WEIGH(pt_close);
#endif
#if PT_CANCEL
WEIGH(pt_cancel);
#endif
#if PT_TIMEOUTS
WEIGH(pt_timeout_open_);
WEIGH(pt_timeout_rearm_);
#endif
#if PT_GROUPS
WEIGH(pt_group_open_);
WEIGH(pt_group_is_open_);
WEIGH(pt_group_wait_);
WEIGH(pt_group_add);
#endif
#if PT_HAS_MEMBERS_ && PT_CANCEL
WEIGH(pt_loop_cancel);
#endif
#if PT_JOINS
WEIGH(pt_join_);
#endif
#if PT_PAUSE
WEIGH(pt_pause);
WEIGH(pt_resume);
#endif
#if PT_POOLS
WEIGH(pt_pool_owner_);
WEIGH(pt_pool_take_);
WEIGH(pt_pool_wait_);
#endif
#if PT_SYNC
WEIGH(pt_event_must_wait_);
WEIGH(pt_event_set);
WEIGH(pt_semaphore_must_wait_);
WEIGH(pt_semaphore_release);
WEIGH(pt_lock_must_wait_);
WEIGH(pt_lock_release);
#endif
#if PT_CHANNELS
WEIGH(pt_channel_init);
WEIGH(pt_channel_close);
WEIGH(pt_channel_send_must_wait_);
WEIGH(pt_channel_receive_must_wait_);
WEIGH(pt_queue_init);
WEIGH(pt_queue_close);
WEIGH(pt_queue_push_must_wait_);
WEIGH(pt_queue_pop_must_wait_);
#endif
#if PT_SELECTS
WEIGH(pt_select_start_);
WEIGH(pt_case_recv_);
WEIGH(pt_case_event_);
WEIGH(pt_case_pop_);
#endif
#if PT_REMOTE
WEIGH(pt_remote_post);
#endif
#if PT_WAKERS
WEIGH(pt_waker_open);
WEIGH(pt_waker_post);
#endif
#if PT_NESTING
WEIGH(PT_FN(pt_loop_async));
#endif

#endif
#endif
