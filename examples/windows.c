/* windows.c - a loop on Windows: a task that sleeps, and one that a thread answers
 * SPDX-License-Identifier: MIT
 *
 *     x86_64-w64-mingw32-gcc -Iinclude examples/windows.c -o windows.exe
 *
 * What to notice:
 *   - The thread touches nothing of the loop but a remote. A post ends the sleep of the loop.
 *   - The same tasks run on a Unix: there the loop is opened on &pt_posix, of <pt/posix.h>. */
#include <pt/windows.h>

#include <stdio.h>

static struct pt_loop loop;
static struct pt_event answer;
static struct pt_remote answered;

struct countdown {
    struct pt pt;
    int n;
};

static PT_ASYNC(countdown, self)
{
    for (self->n = 3; self->n > 0; self->n--) {
        printf("%d\n", self->n);
        PT_WAIT(PT_MS(50));
    }
    puts("lift-off");
}
PT_END

static DWORD WINAPI answer_it(void *unused)
{
    (void)unused;
    pt_remote_post(&answered);
    return 0;
}

struct asker {
    struct pt pt;
    HANDLE thread;
};

static PT_ASYNC(asker, self)
{
    PT_WAIT(PT_SEC(1)); /* by now the countdown is over, and the loop sleeps */
    self->thread = CreateThread(NULL, 0, answer_it, NULL, 0, NULL);
    if (!self->thread)
        PT_RETURN(PT_ENOMEM);
    PT_FINALLY
    {
        WaitForSingleObject(self->thread, INFINITE);
        CloseHandle(self->thread);
    }
    PT_WAIT_EVENT(&answer);
    puts("a thread has answered");
}
PT_END

int main(void)
{
    static PT_TASK(countdown) countdown;
    static PT_TASK(asker) asker;
    pt_status status;

    pt_event_init(&answer);
    pt_loop_open(&loop, &pt_windows);
    pt_remote_open(&answered, &loop, pt_remote_set, &answer);
    if (PT_START(&loop, &countdown, countdown) != PT_OK || PT_START(&loop, &asker, asker) != PT_OK)
        return 1;
    status = pt_loop_run(&loop);
    pt_remote_close(&answered);
    pt_loop_close(&loop);
    return status != PT_OK;
}
