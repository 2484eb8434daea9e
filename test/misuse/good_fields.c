/* good_fields.c - fields of every type: with PT_DEBUG they compile, too
 * SPDX-License-Identifier: MIT
 * expect good: no diagnostic
 * expect good -DPT_DEBUG=1: no diagnostic */
#include <pt/pt.h>

#ifdef __cplusplus
#define NONE nullptr
/* An assignment that has no value. */
struct level {
    int number;
    void operator=(int to)
    {
        number = to;
    }
};
#else
#define NONE NULL
typedef int level;
#endif

struct __attribute__((packed)) message { /* its members have any address */
    char kind;
    int length;
    const char *text;
    void (*done)(int);
    volatile int seen;
};

struct show {
    struct pt pt;
    struct message message;
    unsigned small : 3;
    volatile int *volatile place;
    const void *any;
    bool flag;
    double ratio;
    char letters[4];
    int *numbers[2];
};

struct set {
    struct pt pt;
    level high;
};

struct body {
    struct pt pt;
    struct show shows[2];
    struct set set;
    int number;
};

static void done(int number)
{
    (void)number;
}

static PT_ASYNC(show, self)
{
    PT_YIELD();
}
PT_END

static PT_ASYNC(set, self)
{
    PT_YIELD();
}
PT_END

PT_DECLARE(body);

PT_ASYNC(body, self)
{
    PT_WAIT_COMPLETE(self->shows, show, .message.kind = 'a', .message.length = 3,
                     .message.text = "abc", .message.done = done, .message.seen = 1, .small = 5u,
                     .place = &self->number, .any = self, .flag = self->number > 2, .ratio = 0.5,
                     .letters[1] = 'b', .numbers[1] = &self->number);
    PT_WAIT_COMPLETE(&self->shows[1], show, .message.text = NONE, .message.done = NONE,
                     .any = NONE);
    PT_WAIT_COMPLETE(&self->set, set, .high = 3);
}
PT_END
