/* 27-local.c - values that a task carries through functions that do not know them
 * SPDX-License-Identifier: MIT
 *
 * A local belongs to a task, and not to a function: it needs no argument.
 *
 *     PT_WITH_LOCAL    a block that binds a value to a key, for all that is awaited in it
 *     struct pt_local  the storage of the block, a field of the frame
 *     PT_LOCAL         the value of a key, in a body; pt_task_local asks for any task
 *     pt_loop_current  the task that runs now; so a plain function can find out for which task it
 *                      works
 *
 * What to notice:
 *   - note finds the user, although fetch, which calls it, does not know about users.
 *   - Two tasks run at once, each with its own binding: neither sees the other's.
 *   - An inner block hides the value of an outer one. However a block ends, its binding is gone.
 *   - Bob's request is canceled in the middle, and its cleanup works for nobody.
 *
 * Try: call note in phone. For whom does it work? */
#include <pt/posix.h>

#include <stdio.h>

static char user_key; /* its address is the key */
static struct pt_loop loop;

static void note(const char *what)
{
    const char *user = (const char *)pt_task_local(pt_loop_current(&loop), &user_key);

    printf("for %s: %s\n", user ? user : "nobody", what);
}

struct fetch {
    struct pt pt;
    const char *page;
};

PT_ASYNC(fetch, self)
{
    note("ask");
    PT_WAIT(PT_SEC(1));
    note(self->page);
}
PT_END

struct request {
    struct pt pt;
    struct pt_local user, root;
    struct fetch fetch;
    const char *name;
};

PT_ASYNC(request, self)
{
    PT_WITH_LOCAL(&self->user, &user_key, (void *)self->name) {
        PT_WITH_LOCAL(&self->root, &user_key, (void *)"root") {
            PT_WAIT_COMPLETE(&self->fetch, fetch, .page = "its secrets");
        }
        PT_WAIT_COMPLETE(&self->fetch, fetch, .page = "its mail");
    }
    PT_FINALLY
    note(PT_LOCAL(&user_key) ? "still here" : "done");
}
PT_END

static PT_TASK(request) ann, bob;

struct phone {
    struct pt pt;
};

PT_ASYNC(phone, self)
{
    PT_WAIT(PT_MS(1500));
    pt_cancel(&bob.task, PT_ECANCELED);
}
PT_END

int main(void)
{
    static PT_TASK(phone) phone_task;
    struct pt_virtual world;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &ann, request, .name = "Ann");
    PT_START(&loop, &bob, request, .name = "Bob");
    PT_START(&loop, &phone_task, phone);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
