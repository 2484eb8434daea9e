/* serve.h - what these servers share: options, a port to listen on, clients, the end
 * SPDX-License-Identifier: MIT
 *
 * After SIGINT or SIGTERM the server accepts no new clients. The present clients have five seconds,
 * or as many as SERVE_PATIENCE in the environment. A second signal ends the server at once. A
 * client that is quiet for longer than --idle is closed. SIGUSR1 prints what each task waits for. */
#ifndef SERVE_H
#define SERVE_H

#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients.h"

static struct pt_system serve_system;
static struct pt_loop serve_loop;
static struct pt_io serve_listener;
static struct pt_signals serve_signals;
static struct serve_clients serve_clients;
static struct pt_event serve_signaled; /* set once a signal has come */

/* The number in TEXT, which has digits only; -1 if it has not, or if it is more than MOST. */
static inline long serve_number(const char *text, long most)
{
    size_t digits = strspn(text, "0123456789");

    return digits - 1 < 9 && !text[digits] && atol(text) <= most ? atol(text) : -1;
}

static inline pt_time serve_patience(void)
{
    const char *text = getenv("SERVE_PATIENCE");
    long seconds = text ? serve_number(text, 86400) : 5;

    return PT_SEC((pt_time)(seconds < 0 ? 5 : seconds));
}

/* Ends the server after a signal: when all other tasks have ended, at the deadline, or at a second
 * signal. One more SIGINT ends the process at once, if a cleanup hangs. */
struct serve_end {
    struct pt pt;
    int number;
    pt_time deadline;
    PT_SELECTION(2) next;
};

static PT_ASYNC(serve_end, self)
{
    PT_WAIT_SIGNAL(&serve_signals, &self->number);
    pt_event_set(&serve_signaled);
    pt_io_close(&serve_listener);
    self->deadline = PT_NOW() + serve_patience();
    do
        PT_SELECT(&self->next, PT_CASE_READABLE(&serve_signals.io), PT_CASE_AFTER(PT_MS(20)));
    while (PT_SELECTED(&self->next) == 1 && pt_loop_live(&serve_loop) > 1 &&
           pt_time_before(PT_NOW(), self->deadline));
    pt_signals_unwatch(&serve_signals, SIGINT);
    pt_loop_cancel(&serve_loop, PT_ECANCELED);
}
PT_END

static PT_TASK(serve_end) serve_ending;

/* An address of this machine, for local connections only. */
static inline struct pt_address serve_address(int port)
{
    struct pt_address address;
    char text[32];

    snprintf(text, sizeof text, "127.0.0.1:%d", port);
    pt_address_parse(&address, text);
    return address;
}

/* Unless STATUS is PT_OK, print WHAT and why, and exit. ERROR is the errno of a PT_EIO, or 0. */
static inline void serve_check_io(pt_status status, const char *what, int error)
{
    if (status == PT_OK)
        return;
    fprintf(stderr, "%s: %s\n", what,
            status == PT_EIO && error ? strerror(error) : pt_status_text(status));
    exit(1);
}

static inline void serve_check(pt_status status, const char *what)
{
    serve_check_io(status, what, 0);
}

/* The seconds in TEXT, from 0.01 to 1000; 0 if it has anything else. */
static inline pt_time serve_seconds(const char *text)
{
    char *end;
    double seconds = strtod(text, &end);

    return end != text && !*end && seconds >= 0.01 && seconds <= 1000
               ? PT_MS((pt_time)(seconds * 1000))
               : 0;
}

/* Read the options; returns the port, or 0. The COUNT numbers that HELP names, each from 1 to MOST,
 * go to NUMBERS. */
static inline int serve_options(int argc, char **argv, const char *help, int *numbers, int count,
                                long most)
{
    long port = 0;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            fputs(help, stdout);
            fputs("A client that is quiet for SECONDS (60, at most 1000) is closed.\n", stdout);
            exit(0);
        } else if (!strcmp(argv[i], "--port") && i + 1 < argc) {
            port = serve_number(argv[++i], 65535);
        } else if (!strcmp(argv[i], "--idle") && i + 1 < argc) {
            serve_idle = serve_seconds(argv[++i]);
        } else if (count > 0 && serve_number(argv[i], most) > 0) {
            *numbers++ = (int)serve_number(argv[i], most);
            count--;
        } else {
            count = -1;
        }
        if (port < 0 || !serve_idle)
            count = -1;
    }
    if (count) {
        fputs(help, stderr);
        exit(2);
    }
    return (int)port;
}

/* Listen on ADDRESS, alone or SHARED with other listeners. For port 0 the system chooses one. */
static inline void serve_listen(struct pt_io *listener, struct pt_system *system,
                                struct pt_address *address, bool shared)
{
    pt_status status =
        pt_listen(listener, system, (struct sockaddr *)&address->name, address->length, shared);

    serve_check_io(status, "listen", listener->error);
    pt_io_local(listener, address);
}

/* Watch the signals, and print that clients can come. */
static inline void serve_ready(struct pt_system *system, const struct pt_address *address)
{
    char text[PT_ADDRESS_TEXT];

    serve_check_io(pt_signals_open(&serve_signals, system), "signals", serve_signals.io.error);
    serve_check(pt_signals_watch(&serve_signals, SIGINT), "SIGINT");
    serve_check(pt_signals_watch(&serve_signals, SIGTERM), "SIGTERM");
    serve_check(pt_dump_on_signal(system, SIGUSR1), "SIGUSR1");
    printf("listening at port %s\n", strrchr(pt_address_text(address, text, sizeof text), ':') + 1);
    fflush(stdout);
}

/* Do all of that for a server with one loop. */
static inline void serve_open(int argc, char **argv, const char *help, int *numbers, int count)
{
    struct pt_address address =
        serve_address(serve_options(argc, argv, help, numbers, count, 65535));
    pt_status status = pt_system_open(&serve_system, &serve_loop, NULL);

    serve_check_io(status, "system", errno);
    serve_clients_init(&serve_clients);
    pt_event_clear(&serve_signaled);
    serve_listen(&serve_listener, &serve_system, &address, false);
    serve_ready(&serve_system, &address);
}

/* Keep COUNT descriptors from the clients, or half of all if these are few; returns how many. */
static inline unsigned serve_reserve(unsigned count)
{
    unsigned most = serve_share(&serve_listener, 1);

    count = count < most / 2 ? count : most / 2;
    serve_clients.most = most - count;
    return count;
}

/* Run until a signal has ended all tasks. */
static inline void serve_until_signal(void)
{
    serve_check(PT_START(&serve_loop, &serve_ending, serve_end), "start");
    serve_check(pt_loop_run(&serve_loop), "run");
}

/* Close what serve_open has opened; returns what main returns. */
static inline int serve_close(void)
{
    pt_signals_close(&serve_signals);
    pt_system_close(&serve_system);
    puts("closed");
    return 0;
}

static inline int serve_run(void)
{
    serve_until_signal();
    return serve_close();
}

/* SERVE_EACH(echo) - the body of a task that accepts connections and spawns an echo for each
 * The frame of an echo has a serve_client named client; its first step is serve_enter, and its
 * PT_FINALLY calls serve_leave. */
#define SERVE_EACH(connection) SERVE_EACH_OF(&serve_listener, &serve_clients, connection)

/* SERVE_EACH_OF(&listener, &clients, echo, .field = value ...) - for another listener */
#define SERVE_EACH_OF(its_listener, its_clients, ...)                                            \
    PT_WAIT_COMPLETE(&self->next, serve_next, .listener = its_listener, .clients = its_clients); \
    while (self->pt.status == PT_OK) {                                                           \
        PT_SPAWN_NEW(__VA_ARGS__, .client = serve_take(&self->next));                            \
        pt_io_close(&self->next.peer); /* of no effect, unless no task could start */            \
        PT_WAIT_COMPLETE(&self->next, serve_next, .listener = its_listener,                      \
                         .clients = its_clients);                                                \
    }

#endif
