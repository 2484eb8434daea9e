/* echo.c - a server that says back what it is told, by TLS; SIGHUP reloads its certificate
 * SPDX-License-Identifier: MIT
 *
 *     cc echo.c $(pkg-config --cflags --libs pt-tls) -o echo
 *     ./echo chain.pem key.pem 127.0.0.1:7443
 *     openssl s_client -quiet -connect 127.0.0.1:7443
 *
 *   - A client has five seconds for its handshake, and a minute for each message.
 *   - After a reload new clients see the new certificate; those that are there stay. */
#include <pt/tls.h>

#include <signal.h>
#include <stdio.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_signals signals;
static struct pt_tls_certificate certificate;
static struct pt_tls_context context = {.certificates = &certificate, .count = 1};

struct echo {
    struct pt pt;
    struct pt_io io;
    struct pt_tls tls;
    struct pt_scope limit;
    struct pt_tls_finish finish;
    size_t got, sent, put;
    char data[4096];
};

static PT_ASYNC(echo, self)
{
    if (pt_tls_open(&self->tls, &context, &self->io, NULL) != PT_OK)
        PT_RETURN(PT_ENOMEM);
    PT_WITH_TIMEOUT(&self->limit, PT_SEC(5))
        PT_TLS_HANDSHAKE(&self->tls);
    while (self->pt.status == PT_OK) {
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(60)) {
            PT_TLS_READ(&self->tls, self->data, sizeof self->data, &self->got);
            for (self->sent = 0; self->pt.status == PT_OK && self->sent < self->got;
                 self->sent += self->put)
                PT_TLS_WRITE(&self->tls, self->data + self->sent, self->got - self->sent,
                             &self->put);
        }
    }
    if (self->pt.status == PT_ECLOSED)
        PT_WITH_TIMEOUT(&self->limit, PT_SEC(5))
            PT_WAIT_COMPLETE(&self->finish, pt_tls_finish, .tls = &self->tls);
    else
        printf("%s\n", pt_tls_error_text(&self->tls, self->pt.status));
    PT_FINALLY
    pt_tls_close(&self->tls);
    pt_io_close(&self->io);
}
PT_END

static PT_POOL(echo, 1000) clients;

static struct pt_task *start(struct pt_loop *of, struct pt_io *peer, void *unused)
{
    (void)unused;
    if (PT_START_FROM(of, &clients, echo, .io = pt_io_take(peer)) != PT_OK)
        return NULL;
    return &clients.taken->task;
}

/* Reloads the certificate at each SIGHUP, which is watched before the server says that it listens. */
struct reload {
    struct pt pt;
    int number;
};

static PT_ASYNC(reload, self)
{
    for (;;) {
        PT_WAIT_SIGNAL(&signals, &self->number);
        puts(pt_tls_load(&context) == PT_OK ? "reloaded" : context.error);
        fflush(stdout);
    }
}
PT_END

/* Serves clients until a signal; the reload ends then, too. */
struct all {
    struct pt pt;
    struct pt_io listener;
    struct pt_group group;
    struct pt_serve serve;
    PT_TASK(reload) reload;
};

static PT_ASYNC(all, self)
{
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL_OR_NONE) {
        PT_SPAWN_IN(&self->group, &self->reload, reload);
        PT_WAIT_COMPLETE(&self->serve, pt_serve, .listener = &self->listener, .start = start,
                         .pool = &clients.pool, .grace = PT_SEC(1));
        break;
    }
}
PT_END

int main(int argc, char **argv)
{
    static PT_TASK(all) task;
    struct pt_io listener;
    struct pt_address address;
    char at[PT_ADDRESS_TEXT];
    pt_status status;

    if (argc < 3)
        return puts("usage: echo CHAIN KEY [ADDRESS]"), 2;
    certificate.chain = argv[1];
    certificate.key = argv[2];
    if (pt_tls_load(&context) != PT_OK)
        return puts(context.error), 1;
    pt_system_open(&sys, &loop, NULL);
    if (pt_signals_open(&signals, &sys) != PT_OK || pt_signals_watch(&signals, SIGHUP) != PT_OK)
        return puts("echo: cannot wait for signals"), 1;
    status = pt_listen_at(&listener, &sys, argc > 3 ? argv[3] : "127.0.0.1:0");
    if (status != PT_OK)
        return puts(pt_io_error_text(&listener, status)), 1;
    pt_io_local(&listener, &address);
    printf("listening at %s\n", pt_address_text(&address, at, sizeof at));
    fflush(stdout);
    PT_START(&loop, &task, all, .listener = pt_io_take(&listener));
    pt_run_until_signal(&sys, &task.task);
    pt_signals_close(&signals);
    pt_tls_unload(&context);
    pt_system_close(&sys);
    return 0;
}
