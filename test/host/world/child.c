/* child.c - what programs that start programs get: as in Linux, where it runs, too
 * SPDX-License-Identifier: MIT
 *
 *     child            each call
 *     child WORD...    what it starts: it copies, has a code, waits, or starts one more that outlives it
 *     child watch      starts one that waits, for ever, and tells of its end */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(holds) check(holds, #holds)

static int starts, ends;

static void check(int holds, const char *text)
{
    if (!holds) {
        fprintf(stderr, "not so: %s\n", text);
        exit(1);
    }
}

static void ended(int number)
{
    ends++;
}

static posix_spawn_file_actions_t *steps; /* of the next start; NULL: none */
static posix_spawnattr_t *attributes;

static pid_t start(const char *word, const char *other)
{
    char variable[] = "COLOUR=green tea", *environment[] = {variable, NULL};
    char *words[] = {"child", (char *)word, (char *)other, NULL};
    pid_t pid = 0;

    CHECK(!posix_spawn(&pid, "./child", steps, attributes, words, environment) && pid > 0);
    return pid;
}

static int status_of(pid_t pid)
{
    int status = -1;

    CHECK(waitpid(pid, &status, 0) == pid);
    return status;
}

/* --- ends ------------------------------------------------------------------------------------ */

static void statuses(void)
{
    siginfo_t about = {.si_pid = 1};
    pid_t pid = start("code", "300"), waits = start("wait", NULL);
    struct pollfd end = {(int)syscall(SYS_pidfd_open, waits, 0), POLLIN, 0};
    int status = status_of(pid);

    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == (300 & 255));
    CHECK(waitpid(pid, &status, 0) == -1 && errno == ECHILD);
    CHECK(waitpid(-1, &status, WNOHANG) == 0 && poll(&end, 1, 0) == 0);
    CHECK(!waitid(P_PID, (id_t)waits, &about, WEXITED | WNOHANG | WNOWAIT) && !about.si_pid);
    CHECK(!kill(waits, 0) && !kill(waits, SIGTERM) && poll(&end, 1, -1) == 1);
    CHECK(!waitid(P_PID, (id_t)waits, &about, WEXITED | WNOWAIT) && about.si_pid == waits);
    CHECK(about.si_code == CLD_KILLED && about.si_status == SIGTERM && !kill(waits, 0));
    status = status_of(waits);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    CHECK(poll(&end, 1, 0) == 1 && kill(waits, 0) == -1 && errno == ESRCH);
    CHECK(syscall(SYS_pidfd_open, waits, 0) == -1 && errno == ESRCH);
    CHECK(wait(&status) == -1 && errno == ECHILD);
    close(end.fd);
    pid = start("abort", NULL);
    status = status_of(pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* A signal for a group reaches its members. Without an interest in statuses there are none. */
static void signals(void)
{
    struct sigaction action = {.sa_handler = ended};
    posix_spawnattr_t group;
    int status;
    pid_t first, second;

    CHECK(!sigaction(SIGCHLD, &action, NULL));
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    attributes = &group;
    first = start("wait", NULL);
    posix_spawnattr_setpgroup(&group, first);
    second = start("wait", NULL);
    attributes = NULL;
    posix_spawnattr_destroy(&group);
    CHECK(!kill(-first, SIGKILL));
    while (waitpid(first, &status, 0) < 0) {
    }
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    while (waitpid(second, &status, 0) < 0) {
    }
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    while (!ends)
        usleep(1000);
    CHECK(kill(-first, SIGKILL) == -1 && errno == ESRCH);
    signal(SIGCHLD, SIG_IGN);
    CHECK(waitpid(start("code", "0"), &status, 0) == -1 && errno == ECHILD);
    signal(SIGCHLD, SIG_DFL);
}

/* --- what a child has ------------------------------------------------------------------------ */

/* What CHILD, which has the end of the pipe at OUT, writes. */
static const char *said(int ends_of_pipe[2], pid_t pid)
{
    static char text[200];
    size_t used = 0;
    ssize_t got;

    close(ends_of_pipe[1]);
    while ((got = read(ends_of_pipe[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(ends_of_pipe[0]);
    CHECK(!status_of(pid));
    return text;
}

/* Both ends are closed at a start, but for what the steps lay at 1. */
static void make_pipe(int ends_of_pipe[2], posix_spawn_file_actions_t *mine)
{
    CHECK(!pipe2(ends_of_pipe, O_CLOEXEC));
    CHECK(!posix_spawn_file_actions_init(mine));
    CHECK(!posix_spawn_file_actions_adddup2(mine, ends_of_pipe[1], 1));
    steps = mine;
}

static void unlay(void)
{
    posix_spawn_file_actions_destroy(steps);
    steps = NULL;
}

static void inheritance(void)
{
    posix_spawn_file_actions_t mine;
    int out[2], open_one = open("/dev/null", O_RDWR), other = open("/dev/null", O_RDWR | O_CLOEXEC);
    char expected[200], text[20];
    pid_t pid;

    make_pipe(out, &mine);
    snprintf(text, sizeof text, "%d,%d", open_one, other);
    pid = start("tell", text);
    snprintf(expected, sizeof expected, "start 1 of child tell %s by %d: green tea, open closed\n",
             text, (int)getpid());
    CHECK(!strcmp(said(out, pid), expected));
    unlay();
    make_pipe(out, &mine);
    posix_spawn_file_actions_addclosefrom_np(&mine, 3);
    CHECK(strstr(said(out, start("tell", text)), "closed closed\n") != NULL);
    unlay();
    CHECK(!(fcntl(open_one, F_GETFD) & FD_CLOEXEC) && fcntl(other, F_GETFD) == FD_CLOEXEC);
    CHECK(!fcntl(other, F_SETFD, 0));
    make_pipe(out, &mine);
    posix_spawn_file_actions_addclose(&mine, open_one);
    CHECK(strstr(said(out, start("tell", text)), "closed open\n") != NULL);
    unlay();
    close(open_one);
    close(other);
}

/* A question to a child that copies, and its answer; the child reads an end. */
static void talk(void)
{
    posix_spawn_file_actions_t mine;
    int in[2], out[2];
    pid_t pid;

    make_pipe(out, &mine);
    CHECK(!pipe2(in, O_CLOEXEC));
    posix_spawn_file_actions_adddup2(&mine, in[0], 0);
    posix_spawn_file_actions_addopen(&mine, 2, "/dev/null", O_RDWR, 0);
    pid = start("copy", NULL);
    close(in[0]);
    CHECK(write(in[1], "question", 8) == 8);
    close(in[1]);
    CHECK(!strcmp(said(out, pid), "question"));
    unlay();
    make_pipe(out, &mine);
    CHECK(!strcmp(said(out, start("outlive", NULL)), "it goes on\n"));
    unlay();
}

static void failures(void)
{
    posix_spawn_file_actions_t mine;
    char *words[] = {"child", NULL};
    int status;
    pid_t pid;

    CHECK(posix_spawnp(&pid, "no-such-program", NULL, NULL, words, words + 1) == ENOENT);
    posix_spawn_file_actions_init(&mine);
    posix_spawn_file_actions_adddup2(&mine, 77, 1);
    CHECK(posix_spawn(&pid, "./child", &mine, NULL, words, words + 1) == EBADF);
    posix_spawn_file_actions_destroy(&mine);
    CHECK(wait(&status) == -1 && errno == ECHILD);
}

/* --- as a child ------------------------------------------------------------------------------ */

static const char *is_open(int fd)
{
    return fcntl(fd, F_GETFD) < 0 ? "closed" : "open";
}

static int tell(char **words)
{
    const char *colour = getenv("COLOUR");

    printf("start %d of %s %s %s by %d: %s, %s %s\n", ++starts, words[0], words[1], words[2],
           (int)getppid(), colour ? colour : "none", is_open(atoi(words[2])),
           is_open(atoi(strchr(words[2], ',') + 1)));
    return 0;
}

static int copy(void)
{
    char text[80];
    ssize_t got;

    while ((got = read(0, text, sizeof text)) > 0)
        CHECK(write(1, text, (size_t)got) == got);
    return got != 0;
}

static int outlive(void)
{
    char number[20];

    snprintf(number, sizeof number, "%d", (int)getpid());
    return start("later", number) < 0;
}

/* Its parent has ended when it writes. */
static int later(int parent)
{
    while (getppid() == parent)
        usleep(1000);
    return write(1, "it goes on\n", 11) != 11;
}

__attribute__((noreturn)) static void watch(void)
{
    for (;;) {
        int status = status_of(start("wait", NULL));

        printf("ended by %d\n", WTERMSIG(status));
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (!strcmp(word, "code"))
        return atoi(argv[2]);
    if (!strcmp(word, "tell"))
        return tell(argv);
    if (!strcmp(word, "copy"))
        return copy();
    if (!strcmp(word, "outlive"))
        return outlive();
    if (!strcmp(word, "later"))
        return later(atoi(argv[2]));
    if (!strcmp(word, "abort"))
        abort();
    if (!strcmp(word, "watch"))
        watch();
    while (*word) /* "wait" */
        pause();
    starts = 7;
    statuses();
    signals();
    inheritance();
    talk();
    failures();
    puts("done");
    return 0;
}
