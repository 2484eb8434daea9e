/* works_body_argument.c - bodies that are arguments of a macro: their places are numbered before their bases
 * SPDX-License-Identifier: MIT
 * expect output: ^one two three four five six seven $ */
#include <pt/pt.h>
#include <stdio.h>

#define TASK(name, ...)  \
    PT_ASYNC(name, self) \
    {                    \
        __VA_ARGS__      \
        PT_YIELD();      \
        say("seven");    \
    }                    \
    PT_END
#define TWO(one, body, other, another) \
    PT_ASYNC(one, self)                \
    {                                  \
        body                           \
    }                                  \
    PT_END                             \
    PT_ASYNC(other, self)              \
    {                                  \
        another                        \
    }                                  \
    PT_END

static void say(const char *word)
{
    printf("%s ", word);
}

struct first {
    struct pt pt;
};

struct second {
    struct pt pt;
    int n;
};

struct blink {
    struct pt pt;
    struct pt_scope limit;
    struct pt_group group;
    PT_SELECTION(2) choice;
    struct pt_event never;
    struct first first;
    struct second second;
};

TWO(first, PT_YIELD(); say("two"); PT_RETURN(PT_EIO); PT_FINALLY PT_YIELD(); say("three");, second,
    for (; self->n < 3; self->n++) PT_YIELD(); say("four");)

TASK(
    blink, PT_WAIT(PT_MS(1)); say("one"); PT_WAIT_COMPLETE(&self->first, first);
    if (self->pt.status == PT_EIO) PT_WAIT_COMPLETE(&self->second, second, .n = 0);
    PT_WITH_TIMEOUT(&self->limit, PT_MS(2)) { PT_PARK(); } if (pt_timed_out(&self->limit)) say("five");
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL) { PT_YIELD(); }
    PT_SELECT(&self->choice, PT_CASE_EVENT(&self->never), PT_CASE_AFTER(1));
    if (PT_SELECTED(&self->choice) == 1) say("six");)

int main(void)
{
    static PT_TASK(blink) task;
    static PT_LOOP_STORAGE(4) room;
    struct pt_loop loop;

    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &room);
    if (PT_START(&loop, &task, blink) != PT_OK)
        return 1;
    for (pt_time now = 0; pt_loop_live(&loop); now += PT_MS(1))
        pt_loop_turn(&loop, now);
    puts("");
    return 0;
}
