/* test_native_start.c - native tasks on the stacks of a pool, by one call: alone, in groups, joined
 * SPDX-License-Identifier: MIT */
#include "host.h"

#include <pt/inspect.h>
#include <pt/native.h>

static struct pt_stacks stacks;

static void open_stacks(int poller, size_t bytes)
{
    host_open(host_pollers[poller]);
    pt_stacks_init(&stacks, bytes, PT_STACKS_PACKED);
}

static void close_all(void)
{
    host_run();
    host_close();
    pt_stacks_close(&stacks);
}

/* How many stacks of the pool nobody has. */
static int returned(void)
{
    int count = 0;

    for (struct pt_stack_top_ *top = stacks.returned; top; top = top->next)
        count++;
    return count;
}

static pt_status count_down(struct pt_native *self)
{
    int *left = (int *)self->argument;

    for (; *left > 0; --*left)
        if (pt_native_wait(self, PT_MS(1)) != PT_OK)
            return -71;
    return -70;
}

START_TEST(a_native_task_starts_on_a_stack_of_a_pool_and_gives_it_back)
{
    int left[3] = {2, 2, 2};
    struct pt_task *task, *before = NULL;

    open_stacks(_i, 16 << 10);
    for (int i = 0; i < 3; i++) {
        task = pt_native_start(&host.loop, &stacks, count_down, &left[i]);
        ck_assert_ptr_nonnull(task);
        ck_assert_str_eq(pt_task_name(task), "count_down");
        ck_assert_ptr_eq(PT_FRAME(task, pt_native)->argument, &left[i]);
        ck_assert(!before || task == before); /* the same stack as before */
        before = task;
        host_run();
        ck_assert_int_eq(left[i], 0);
        ck_assert_int_eq(returned(), 1);
    }
    close_all();
}
END_TEST

/* Joins one, and cancels the other: the stackless parent of native tasks. */
struct parent {
    struct pt pt;
    int left[2];
    struct pt_task *tasks[2];
};

static PT_ASYNC(parent, self)
{
    for (int i = 0; i < 2; i++) {
        self->left[i] = 3;
        self->tasks[i] = pt_native_start(PT_LOOP(), &stacks, count_down, &self->left[i]);
    }
    pt_cancel(self->tasks[1], PT_ECANCELED);
    PT_JOIN(self->tasks[1]);
    trace_add("%d,%d ", self->pt.status, self->left[1]);
    PT_JOIN(self->tasks[0]);
    trace_add("%d,%d ", self->pt.status, self->left[0]);
}
PT_END

START_TEST(a_stackless_task_starts_joins_and_cancels_native_ones)
{
    static PT_TASK(parent) parent;

    open_stacks(_i, 16 << 10);
    ck_assert_int_eq(PT_START(&host.loop, &parent, parent), PT_OK);
    host_run();
    ck_assert_trace("-71,3 -70,0 ");
    ck_assert_int_eq(returned(), 2);
    close_all();
}
END_TEST

/* Its group has two native tasks: the first end cancels the other. */
struct race {
    struct pt pt;
    struct pt_group group;
    struct pt_task *first;
    int left[2];
};

static PT_ASYNC(race, self)
{
    self->left[0] = 5;
    self->left[1] = 2;
    PT_WITH_GROUP(&self->group, PT_GROUP_FIRST) {
        for (int i = 0; i < 2; i++) {
            self->first = pt_native_start(PT_LOOP(), &stacks, count_down, &self->left[i]);
            ck_assert_int_eq(pt_group_add(&self->group, self->first), PT_OK);
        }
    }
    trace_add("%d %d %d %d ", self->group.status, self->group.decider == self->first, self->left[0],
              self->left[1]);
}
PT_END

START_TEST(native_tasks_of_a_pool_belong_to_the_group_that_adopts_them)
{
    static PT_TASK(race) race;

    open_stacks(_i, 16 << 10);
    ck_assert_int_eq(PT_START(&host.loop, &race, race), PT_OK);
    host_run();
    ck_assert_trace("-70 1 3 0 ");
    ck_assert_int_eq(returned(), 2);
    close_all();
}
END_TEST

static pt_status breed(struct pt_native *self)
{
    struct pt_group group;
    struct pt_task *task;
    int left[3] = {1, 1, 1};

    ck_assert_int_eq(pt_native_group(self, &group, PT_GROUP_ALL), PT_OK);
    for (int i = 0; i < 3; i++) {
        task = pt_native_start(self->loop, &stacks, count_down, &left[i]);
        ck_assert_int_eq(pt_group_add(&group, task), PT_OK);
    }
    ck_assert_int_eq(pt_native_group_end(self, &group), PT_OK);
    trace_add("%d %d %d %d ", group.status, left[0], left[1], left[2]);
    return PT_OK;
}

START_TEST(a_native_task_starts_others_in_a_group_of_its_own)
{
    open_stacks(_i, 16 << 10);
    ck_assert_ptr_nonnull(pt_native_start(&host.loop, &stacks, breed, NULL));
    host_run();
    ck_assert_trace("-70 0 0 0 ");
    ck_assert_int_eq(returned(), 4);
    close_all();
}
END_TEST

START_TEST(without_a_stack_or_room_in_the_loop_no_native_task_starts)
{
    int left = 1;

    host_open(host_pollers[_i]);
    ck_assert_ptr_null(pt_native_start(&host.loop, &stacks, count_down, &left)); /* not open */
    ck_assert_ptr_nonnull(strstr(stacks.error, "pt_stacks_init"));
    pt_stacks_init(&stacks, 16 << 10, PT_STACKS_PACKED);
    host_fail(HOST_realloc, 0, -1, 0);
    ck_assert_ptr_null(pt_native_start(&host.loop, &stacks, count_down, &left));
    ck_assert_str_eq(stacks.error, "the loop has no room for a task");
    ck_assert_int_eq(returned(), 1);
    ck_assert_int_eq(left, 1);
    host_fail(HOST_realloc, 0, 0, 0);
    ck_assert_ptr_nonnull(pt_native_start(&host.loop, &stacks, count_down, &left));
    close_all();
    ck_assert_int_eq(left, 0);
}
END_TEST

/* Fills most of its stack, up to the task that is above it. */
static pt_status fill(struct pt_native *self)
{
    volatile char room[10 << 10];

    for (size_t i = 0; i < sizeof room; i++)
        room[i] = (char)i;
    ck_assert_int_eq(pt_native_yield(self), PT_OK);
    for (size_t i = 0; i < sizeof room; i++)
        ck_assert_int_eq(room[i], (char)i);
    return PT_OK;
}

START_TEST(the_task_at_the_end_of_its_stack_is_not_overwritten)
{
    open_stacks(_i, 32 << 10);
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(pt_native_start(&host.loop, &stacks, fill, NULL));
    host_run();
    ck_assert_int_eq(returned(), 3);
    close_all();
}
END_TEST

static void add_text(void *context, const char *text)
{
    (void)context;
    trace_add("%s", text);
}

START_TEST(a_dump_names_a_native_task_by_its_function)
{
    int left = 1;
    const char *text;

    open_stacks(_i, 16 << 10);
    ck_assert_ptr_nonnull(pt_native_start(&host.loop, &stacks, count_down, &left));
    host_turns(1);
    pt_dump(&host.loop, add_text, NULL);
    text = trace_take();
    ck_assert_msg(strstr(text, "count_down: sleeps"), "%s", text);
    close_all();
}
END_TEST

Suite *host_suite_native_start(void)
{
    Suite *suite = suite_create("native_start");

    host_test(suite, a_native_task_starts_on_a_stack_of_a_pool_and_gives_it_back);
    host_test(suite, a_stackless_task_starts_joins_and_cancels_native_ones);
    host_test(suite, native_tasks_of_a_pool_belong_to_the_group_that_adopts_them);
    host_test(suite, a_native_task_starts_others_in_a_group_of_its_own);
    host_test(suite, without_a_stack_or_room_in_the_loop_no_native_task_starts);
    host_test(suite, the_task_at_the_end_of_its_stack_is_not_overwritten);
    host_test(suite, a_dump_names_a_native_task_by_its_function);
    return suite;
}
