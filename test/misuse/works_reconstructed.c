/* works_reconstructed.c - a start or an await destroys a frame of C++ and constructs a new one in its place
 * SPDX-License-Identifier: MIT
 * expect output c++: 0 1 2 in turn; 6 of 8 are gone
 * expect output c++ -DPT_DEBUG=1: 0 1 2 in turn; 6 of 8 are gone
 * expect trap c++ -DTHROWS: terminate called */
#define _POSIX_C_SOURCE 200809L
#include <pt/posix.h>
#include <stdio.h>
#ifdef __cplusplus

static int made, gone, order;

/* Has a lock, which has pointers to itself, and cannot be copied. */
struct box {
    struct pt_lock lock;
    struct box *const self;

    box() : self(this)
    {
        pt_lock_init(&lock);
        made++;
#ifdef THROWS
        if (made > 1)
            throw 1;
#endif
    }
    box(const box &) = delete;
    ~box()
    {
        gone++;
    }
};

struct user {
    struct pt pt;
    struct box *box;
    int number;
};

static PT_ASYNC(user, self)
{
    PT_LOCK(&self->box->lock);
    PT_YIELD();
    PT_YIELD();
    if (self->number == order++)
        printf("%d ", self->number);
    PT_UNLOCK(&self->box->lock);
}
PT_END

/* Larger than the stack of many a task. */
struct owner {
    struct pt pt;
    struct box box;
    char buffer[16 * 1024 * 1024];
    PT_TASK(user) users[3];
    int left = 3;
};

static struct owner *at; /* whose box is where it was made */

static PT_ASYNC(owner, self)
{
    at = self->box.self == &self->box && self->buffer[1000] == 0 ? self : NULL;
    for (; self->left > 0; self->left--)
        PT_SPAWN(&self->users[3 - self->left], user, .box = &self->box, .number = 3 - self->left);
    PT_JOIN(&self->users[2].task);
}
PT_END

struct caller {
    struct pt pt;
    struct owner owner;
};

static PT_ASYNC(caller, self)
{
    PT_WAIT_COMPLETE(&self->owner, owner, .left = 0);
    PT_WAIT_COMPLETE(&self->owner, owner, .left = 0);
}
PT_END

static PT_TASK(caller) caller;

static PT_TASK(owner) task;
static struct pt_loop loop;

int main(void)
{
    pt_loop_open(&loop, &pt_posix);
    for (int i = 0; i < 3; i++) {
        task.frame.buffer[1000] = 1;
        if (PT_START(&loop, &task, owner, .left = i < 2 ? 0 : 3) != PT_OK)
            return 1;
        pt_loop_run(&loop);
        if (at != &task.frame)
            return 2;
    }
    if (PT_START(&loop, &caller, caller) != PT_OK)
        return 3;
    pt_loop_run(&loop);
    if (at != &caller.frame.owner)
        return 4;
    printf("in turn; %d of %d are gone\n", gone, made);
    pt_loop_close(&loop);
    return 0;
}
#endif
