/* test_local.c - values of a task: a value for a key, in a block and in all that the block awaits
 * SPDX-License-Identifier: MIT */
#include "test_talk.h"

#if PT_PORT && PT_TIMERS && PT_AWAIT

#if PT_HAS_SCOPES_

static char user_key, mood_key;
static char ann[] = "ann", bob[] = "bob", glad[] = "glad";

static const char *name_of(void *value)
{
    return value ? (const char *)value : "-";
}

/* An awaited function: it sees the value that is bound around its caller. */
struct below {
    struct pt pt;
};

static PT_ASYNC(below, self)
{
    trace_add("%s/%s ", name_of(PT_LOCAL(&user_key)), name_of(PT_LOCAL(&mood_key)));
    PT_WAIT(PT_MS(1));
    trace_add("%s/%s ", name_of(PT_LOCAL(&user_key)), name_of(PT_LOCAL(&mood_key)));
}
PT_END

struct person {
    struct pt pt;
    void *name;
    bool leaves;
    struct pt_local user, mood, inner;
    struct below below;
};

static PT_ASYNC(person, self)
{
    PT_WITH_LOCAL(&self->user, &user_key, self->name) {
        PT_WITH_LOCAL(&self->mood, &mood_key, glad) {
            PT_WAIT_COMPLETE(&self->below, below);
        }
        PT_WITH_LOCAL(&self->inner, &user_key, bob) {
            PT_WAIT_COMPLETE(&self->below, below);
            if (self->leaves)
                break;
            trace_add("! ");
        }
        PT_WAIT_COMPLETE(&self->below, below);
    }
    trace_add("%s ", name_of(PT_LOCAL(&user_key)));
    PT_FINALLY
    trace_add("%d:%s ", self->pt.result, name_of(PT_LOCAL(&user_key)));
}
PT_END

static PT_TASK(person) people[2];

static void open_people(void)
{
    test_zero(people);
    test_open(&world);
}

START_TEST(awaited_functions_see_a_bound_value_and_an_inner_block_hides_it)
{
    open_people();
    PT_START(&world.loop, &people[0], person, .name = ann, .leaves = false);
    run_world("ann/glad ann/glad bob/- bob/- ! ann/- ann/- - 0:- ");
}
END_TEST

START_TEST(a_block_that_was_left_no_longer_binds_its_value)
{
    open_people();
    PT_START(&world.loop, &people[0], person, .name = ann, .leaves = true);
    run_world("ann/glad ann/glad bob/- bob/- ann/- ann/- - 0:- ");
}
END_TEST

START_TEST(each_task_has_its_own_values)
{
    open_people();
    PT_START(&world.loop, &people[0], person, .name = ann, .leaves = true);
    PT_START(&world.loop, &people[1], person, .name = glad, .leaves = true);
    turn(0);
    ck_assert_str_eq((char *)pt_task_local(&people[0].task, &user_key), "ann");
    ck_assert_str_eq((char *)pt_task_local(&people[1].task, &user_key), "glad");
    ck_assert_ptr_null(pt_task_local(&people[1].task, &people));
    ck_assert_trace("ann/glad glad/glad ");
    ck_assert_int_eq(pt_loop_run(&world.loop), PT_OK);
    trace_take();
    test_close(&world);
}
END_TEST

#if PT_CANCEL
START_TEST(a_cancel_unbinds_values_before_the_cleanup)
{
    open_people();
    PT_START(&world.loop, &people[0], person, .name = ann, .leaves = true);
    turn(0);
    turn(1);
    ck_assert_ptr_nonnull(pt_task_local(&people[0].task, &user_key));
    pt_cancel(&people[0].task, PT_ECANCELED);
    turn(1);
    ck_assert_ptr_null(people[0].task.scopes);
    run_world("ann/glad ann/glad bob/- -1:- ");
}
END_TEST
#endif

#if !PT_DEBUG
/* Binds the same local twice: it is in use. */
struct twice {
    struct pt pt;
    struct pt_local local;
};

static PT_ASYNC(twice, self)
{
    PT_WITH_LOCAL(&self->local, &user_key, ann) {
        PT_WITH_LOCAL(&self->local, &user_key, bob) {
            trace_add("! ");
        }
    }
}
PT_END

START_TEST(a_local_in_use_ends_the_function)
{
    static PT_TASK(twice) twice;

    test_zero(twice);
    open_people();
    PT_START(&world.loop, &twice, twice);
    run_world("");
    ck_assert_int_eq(pt_task_status(&twice.task), PT_EBUSY);
}
END_TEST
#endif

#if PT_TIMEOUTS
/* A block that binds a value, with a timeout around it and another inside it. */
struct timed {
    struct pt pt;
    struct pt_scope outer, inner;
    struct pt_local local;
};

static PT_ASYNC(timed, self)
{
    PT_WITH_TIMEOUT(&self->outer, PT_MS(5)) {
        PT_WITH_LOCAL(&self->local, &user_key, ann) {
            PT_WITH_TIMEOUT(&self->inner, PT_MS(2)) {
                PT_WAIT(PT_MS(9));
            }
            trace_add("%s@%d ", name_of(PT_LOCAL(&user_key)), test_ms(PT_NOW()));
            PT_WAIT(PT_MS(9));
        }
    }
    trace_add("%s@%d ", name_of(PT_LOCAL(&user_key)), test_ms(PT_NOW()));
}
PT_END

START_TEST(a_timeout_unbinds_only_the_values_of_its_block)
{
    static PT_TASK(timed) timed;

    test_zero(timed);
    open_people();
    PT_START(&world.loop, &timed, timed);
    run_world("ann@2 -@5 ");
}
END_TEST
#endif

#endif

Suite *suite_local(void)
{
    Suite *suite = test_suite("local");

#if PT_HAS_SCOPES_
    test_add(suite, awaited_functions_see_a_bound_value_and_an_inner_block_hides_it);
    test_add(suite, a_block_that_was_left_no_longer_binds_its_value);
    test_add(suite, each_task_has_its_own_values);
#if PT_CANCEL
    test_add(suite, a_cancel_unbinds_values_before_the_cleanup);
#endif
#if !PT_DEBUG
    test_add(suite, a_local_in_use_ends_the_function);
#endif
#if PT_TIMEOUTS
    test_add(suite, a_timeout_unbinds_only_the_values_of_its_block);
#endif
#endif
    return suite;
}
#else

Suite *suite_local(void)
{
    return test_suite("local");
}

#endif
