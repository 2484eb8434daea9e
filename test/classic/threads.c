/* threads.c - each macro of the classic pt.h, and what a thread returns from each call
 * SPDX-License-Identifier: MIT */
#include "pt.h"
#include "trace.h"

#ifndef LC_INCLUDE
typedef char a_thread_is_two_bytes[sizeof(struct pt) == 2 ? 1 : -1];
#endif

static struct pt state, other;
static int flag, count;

/* calls - call a thread N times, and trace what it returns */
static void calls(int n, char (*thread)(struct pt *))
{
    while (n-- > 0)
        put_said(thread(&state));
}

static PT_THREAD(waits_until(struct pt *pt))
{
    PT_BEGIN(pt);
    put('a');
    PT_WAIT_UNTIL(pt, flag);
    put('b');
    PT_END(pt);
}

int a_thread_waits_until_its_condition_holds(void)
{
    PT_INIT(&state);
    flag = 0;
    calls(3, waits_until);
    flag = 1;
    calls(1, waits_until);
    return traced("aWWWbE");
}

static PT_THREAD(waits_while(struct pt *pt))
{
    PT_BEGIN(pt);
    for (count = 0; count < 2; count++)
        PT_WAIT_WHILE(pt, flag-- > 0);
    PT_END(pt);
}

int a_thread_waits_while_its_condition_holds(void)
{
    PT_INIT(&state);
    flag = 2;
    calls(4, waits_while);
    return traced("WWEE");
}

int a_condition_that_holds_is_no_wait(void)
{
    PT_INIT(&state);
    flag = 1;
    calls(2, waits_until);
    return traced("abEabE");
}

static PT_THREAD(yields(struct pt *pt))
{
    PT_BEGIN(pt);
    put('a');
    PT_YIELD(pt);
    put('b');
    if (flag)
        PT_YIELD(pt);
    else
        PT_YIELD_UNTIL(pt, count++ > 1);
    put('c');
    PT_END(pt);
}

int a_yield_lets_others_run_once(void)
{
    PT_INIT(&state);
    flag = 1;
    calls(3, yields);
    return traced("aYbYcE");
}

int a_yield_until_lets_others_run_at_least_once(void)
{
    PT_INIT(&state);
    flag = 0;
    count = 2;
    calls(3, yields);
    count = 0;
    calls(5, yields);
    return traced("aYbYcEaYbYYYcE");
}

static PT_THREAD(ends(struct pt *pt))
{
    PT_BEGIN(pt);
    put('a');
    PT_YIELD(pt);
    if (flag)
        PT_EXIT(pt);
    put('b');
    PT_END(pt);
}

int a_thread_that_exits_or_ends_starts_again(void)
{
    PT_INIT(&state);
    flag = 1;
    calls(3, ends);
    flag = 0;
    calls(2, ends);
    flag = PT_SCHEDULE(PT_WAITING) && PT_SCHEDULE(PT_YIELDED) && !PT_SCHEDULE(PT_EXITED) &&
           !PT_SCHEDULE(PT_ENDED);
    return flag && traced("aYXaYbEaY");
}

static PT_THREAD(restarts(struct pt *pt))
{
    PT_BEGIN(pt);
    put('a');
    PT_WAIT_UNTIL(pt, flag);
    if (count++ == 0)
        PT_RESTART(pt);
    put('b');
    PT_END(pt);
}

int a_restart_begins_at_the_beginning(void)
{
    PT_INIT(&state);
    flag = count = 0;
    calls(1, restarts);
    flag = 1;
    calls(2, restarts);
    return traced("aWWabE");
}

static PT_THREAD(child(struct pt *pt, char letter))
{
    PT_BEGIN(pt);
    put(letter);
    PT_YIELD(pt);
    PT_WAIT_UNTIL(pt, flag);
    if (count == 0)
        PT_EXIT(pt);
    put('.');
    PT_END(pt);
}

static PT_THREAD(parent(struct pt *pt))
{
    static struct pt pt_child;

    PT_BEGIN(pt);
    PT_SPAWN(pt, &pt_child, child(&pt_child, 'a'));
    put('p');
    PT_SPAWN(pt, &pt_child, child(&pt_child, 'b'));
    put('q');
    PT_END(pt);
}

int a_parent_waits_until_its_child_ends(void)
{
    PT_INIT(&state);
    flag = 0;
    count = 1;
    calls(3, parent);
    flag = 1;
    calls(2, parent);
    return traced("aWWW.pbW.qE");
}

int a_child_that_exits_lets_its_parent_continue(void)
{
    PT_INIT(&state);
    flag = 1;
    count = 0;
    calls(3, parent);
    return traced("aWpbWqE");
}

int each_spawn_restarts_the_child(void)
{
    PT_INIT(&state);
    flag = 0;
    count = 1;
    calls(2, parent);
    PT_INIT(&state); /* the child is in the middle of its body */
    calls(1, parent);
    return traced("aWWaW");
}

static PT_THREAD(waits_for_two(struct pt *pt))
{
    static struct pt left, right;

    PT_BEGIN(pt);
    PT_INIT(&left);
    PT_INIT(&right);
    PT_WAIT_THREAD(pt, child(&left, 'l') & child(&right, 'r'));
    put('p');
    PT_END(pt);
}

int a_thread_waits_for_two_at_once(void)
{
    PT_INIT(&state);
    flag = 1;
    count = 1;
    calls(2, waits_for_two);
    return traced("lrW..pE");
}

static PT_THREAD(counts_calls(struct pt *pt))
{
    char letter = (char)('0' + count++);

    PT_BEGIN(pt);
    for (;;) {
        put(letter);
        PT_YIELD(pt);
    }
    PT_END(pt);
}

int code_before_the_body_runs_at_each_call(void)
{
    PT_INIT(&state);
    count = 0;
    calls(3, counts_calls);
    return traced("0Y1Y2Y");
}

int many_instances_of_a_thread_have_a_state_each(void)
{
    PT_INIT(&state);
    PT_INIT(&other);
    flag = 1;
    put_said(yields(&state));
    put_said(yields(&state));
    put_said(yields(&other));
    put_said(yields(&state));
    put_said(yields(&other));
    return traced("aYbYaYcEbY");
}
