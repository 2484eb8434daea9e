/* switches.c - waits inside a switch of the program's own, with the addresses of labels
 * SPDX-License-Identifier: MIT */
#ifndef LC_INCLUDE
#define LC_INCLUDE "lc-addrlabels.h"
#endif
#include "pt.h"
#include "trace.h"

typedef char a_thread_is_a_pointer[sizeof(struct pt) == sizeof(void *) ? 1 : -1];

static struct pt state;
static int flag;

static PT_THREAD(child(struct pt *pt))
{
    PT_BEGIN(pt);
    put('(');
    PT_YIELD_UNTIL(pt, flag > 1);
    put(')');
    PT_END(pt);
}

static PT_THREAD(switches(struct pt *pt, int kind))
{
    static struct pt pt_child;

    PT_BEGIN(pt);
    switch (kind) {
    case 1:
        put('a');
        PT_WAIT_UNTIL(pt, flag);
        put('b');
        break;
    case 2:
        PT_YIELD(pt);
        put('c');
        switch (flag) {
        case 1: PT_SPAWN(pt, &pt_child, child(&pt_child)); break;
        default: PT_EXIT(pt);
        }
        put('d');
        break;
    default: PT_YIELD(pt); put('e');
    }
    PT_YIELD(pt);
    put('f');
    PT_END(pt);
}

int a_thread_waits_inside_its_own_switch(void)
{
    PT_INIT(&state);
    flag = 0;
    put_said(switches(&state, 1));
    put_said(switches(&state, 2)); /* it is in the middle of the first case */
    flag = 1;
    put_said(switches(&state, 1));
    put_said(switches(&state, 1));
    return traced("aWWbYfE");
}

int a_wait_can_be_in_a_switch_in_a_switch(void)
{
    PT_INIT(&state);
    flag = 1;
    put_said(switches(&state, 2));
    put_said(switches(&state, 2));
    put_said(switches(&state, 2));
    flag = 2;
    put_said(switches(&state, 2));
    put_said(switches(&state, 2));
    put_said(switches(&state, 2));
    put_said(switches(&state, 2));
    return traced("Yc(WW)dYfEYcX");
}

/* An optimizing compiler would make a copy of it for each mode, in which labels have other addresses. */
static PT_THREAD(is_called_with_a_mode(struct pt *pt, int mode))
{
    int i;

    PT_BEGIN(pt);
    for (;;) {
        PT_WAIT_UNTIL(pt, mode != 7);
        for (i = 0; i < 100; i++)
            flag += i * mode;
        PT_YIELD(pt);
        if (mode == 3)
            flag ^= 0x55;
        put('a');
        PT_YIELD(pt);
        put('b');
    }
    PT_END(pt);
}

static char (*volatile any)(struct pt *, int) = is_called_with_a_mode;

int a_thread_called_from_many_places_is_one_function(void)
{
    static struct pt called;
    int i;

    PT_INIT(&called);
    for (i = 0; i < 2; i++) {
        put_said(is_called_with_a_mode(&called, 3));
        put_said(is_called_with_a_mode(&called, 3));
        put_said(is_called_with_a_mode(&called, 5));
        put_said(is_called_with_a_mode(&called, 5));
        put_said(any(&called, 9));
    }
    return traced("YaYbYaYbYaYbYaYbYaY");
}
