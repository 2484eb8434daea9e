/* watched.c - a loop that is watched by clients who ask nothing, or take nothing: pt_live drops them after ten seconds
 * SPDX-License-Identifier: MIT */
#include <pt/host.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct pt_system sys;
static struct pt_loop loop;

static void check(bool holds, const char *text)
{
    if (!holds) {
        printf("not so: %s\n", text);
        exit(1);
    }
}

static int begin(const char *request)
{
    const struct sockaddr_un place = {AF_UNIX, "loop.live"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    size_t length = strlen(request);

    check(!connect(fd, (const struct sockaddr *)&place, sizeof place), "it connects");
    check(write(fd, request, length) == (ssize_t)length, "it asks");
    return fd;
}

/* Whether the connection is over, behind what has come. */
static bool is_over(int fd)
{
    static char text[4096];
    ssize_t got;

    while ((got = recv(fd, text, sizeof text, MSG_DONTWAIT)) > 0) {
    }
    return got == 0 || errno != EAGAIN;
}

/* One that asks nothing, and one that takes nothing of its snapshots. */
struct watched {
    struct pt pt;
    int silent, lazy;
};

static PT_ASYNC(watched, self)
{
    self->silent = begin("");
    PT_WAIT(PT_MS(9900));
    check(!is_over(self->silent), "who asks nothing is there after 9.9 seconds");
    PT_WAIT(PT_MS(200));
    check(is_over(self->silent), "who asks nothing is gone after ten seconds");
    self->lazy = begin("every 1\n");
    PT_WAIT(PT_SEC(11)); /* its socket was full at once */
    check(is_over(self->lazy), "who takes nothing is gone after ten seconds");
    puts("done");
    pt_loop_cancel(PT_LOOP(), PT_ECANCELED);
    PT_FINALLY
    close(self->silent);
    close(self->lazy);
}
PT_END

struct parked {
    struct pt pt;
};

static PT_ASYNC(parked, self)
{
    (void)self;
    PT_PARK();
}
PT_END

int main(void)
{
    static struct pt_live live;
    static PT_TASK(watched) task;
    static PT_TASK(parked) parks[100]; /* some kilobytes of a snapshot */

    check(pt_system_open(&sys, &loop, NULL) == PT_OK, "a loop opens");
    check(pt_live_open(&live, &sys, "loop.live") == PT_OK, "it is shown");
    for (int i = 0; i < 100; i++)
        PT_START(&loop, &parks[i], parked);
    PT_START(&loop, &task, watched);
    pt_loop_run(&loop);
    pt_live_close(&live);
    pt_system_close(&sys);
    return 0;
}
