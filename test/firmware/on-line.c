/* on-line.c - runs a board's program and a PC's program on the two ends of a pty as a serial line
 * SPDX-License-Identifier: MIT
 *
 *     on-line [-l BYTE] BOARD... -- CLIENT...
 *
 * The board's end of the line is its standard input and output; the client finds the name of the
 * other end in $LINE. With -l, the line loses the BYTEth byte that the client sends. The exit code
 * is the client's. A watchdog ends both programs after ten minutes, with a message. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { PATIENCE = 600, BROKEN = 99 };

static void fail(const char *what)
{
    perror(what);
    exit(BROKEN);
}

static pid_t child(void)
{
    pid_t id = fork();

    if (id < 0)
        fail("fork");
    if (id == 0)
        alarm(PATIENCE); /* survives exec */
    return id;
}

static pid_t run(char **command, int input, int output)
{
    pid_t id = child();

    if (id == 0) {
        if (input >= 0)
            dup2(input, STDIN_FILENO);
        if (output >= 0)
            dup2(output, STDOUT_FILENO);
        execvp(*command, command);
        fail(*command);
    }
    return id;
}

/* Carry bytes from one end to the other, except byte number LOST. */
static pid_t carry(int from, int to, long lost)
{
    pid_t id = child();
    char byte;

    if (id == 0) {
        while (read(from, &byte, 1) == 1)
            if (--lost != 0 && write(to, &byte, 1) != 1)
                break;
        _exit(0);
    }
    return id;
}

/* Open a raw line; returns the board's end. The other end stays open too, or the line would hang up
 * between two clients. */
static int open_line(void)
{
    int line = posix_openpt(O_RDWR | O_NOCTTY), end;
    struct termios raw;

    if (line < 0 || grantpt(line) || unlockpt(line))
        fail("pty");
    setenv("LINE", ptsname(line), 1);
    end = open(ptsname(line), O_RDWR | O_NOCTTY);
    if (end < 0 || tcgetattr(end, &raw))
        fail("pty");
    raw.c_iflag = 0;
    raw.c_oflag = 0;
    raw.c_lflag = 0;
    raw.c_cflag = CS8 | CREAD | CLOCAL;
    tcsetattr(end, TCSANOW, &raw);
    return line;
}

int main(int count, char **words)
{
    long lost = 0;
    int at = 1, line, to[2], from[2], status;
    pid_t others[3], client;

    (void)count;
    if (words[at] && !strcmp(words[at], "-l")) {
        lost = atol(words[at + 1]);
        at += 2;
    }
    for (count = at; words[count] && strcmp(words[count], "--"); count++) {
    }
    if (!words[count] || !words[count + 1])
        return BROKEN;
    words[count] = NULL;
    line = open_line();
    if (pipe(to) || pipe(from))
        fail("pipe");
    others[0] = run(&words[at], to[0], from[1]);
    others[1] = carry(line, to[1], lost);
    others[2] = carry(from[0], line, 0);
    client = run(&words[count + 1], -1, -1);
    if (waitpid(client, &status, 0) < 0)
        fail("wait");
    if (WIFSIGNALED(status))
        fprintf(stderr, "on-line: %s ended the client\n",
                WTERMSIG(status) == SIGALRM ? "the watchdog" : strsignal(WTERMSIG(status)));
    for (at = 0; at < 3; at++)
        kill(others[at], SIGKILL);
    for (at = 0; at < 3; at++)
        waitpid(others[at], NULL, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : BROKEN;
}
