/* live.c - a program that shows its tasks while it runs, and a client that asks for them
 * SPDX-License-Identifier: MIT
 *
 *     ./live               asks itself, and ends
 *     ./live shop.live     stays: pt-ps --live shop.live shows it, as top shows processes
 *
 * What to notice:
 *   - pt_live_open is the only call that is needed. It adds no task to the loop, which ends when
 *     the tasks of the program have ended.
 *   - pt_live_gauge shows a number of the program: here, the used places of a pool.
 *   - The socket carries lines of JSON, so a client can be anything; here it is a task. */
#include <pt/host.h>

#include <stdio.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

static struct pt_system sys;

struct customer {
    struct pt pt;
};

static PT_ASYNC(customer, self)
{
    PT_PARK();
}
PT_END

static PT_POOL(customer, 4) customers;

/* Print what one line says: of a customer, or of the gauge. */
static void tell(const char *line)
{
    const char *name = strstr(line, "\"name\":\"customer\""), *gauge = strstr(line, "\"gauge\"");

    if (name)
        printf("a customer %.*s\n", (int)strcspn(strstr(name, "is "), "\""), strstr(name, "is "));
    if (gauge)
        printf("%.*s\n", (int)strcspn(gauge, "}"), gauge);
}

struct client {
    struct pt pt;
    struct sockaddr_un address;
    struct pt_io io;
    struct pt_reader reader;
    struct pt_writer writer;
    struct pt_write_all ask;
    char room[4096];
    struct pt_read_line line;
};

static PT_ASYNC(client, self)
{
    PT_SPAWN_FROM(&customers, customer);
    PT_SPAWN_FROM(&customers, customer);
    PT_YIELD(); /* they park */
    pt_socket(&self->io, &sys, AF_UNIX, SOCK_STREAM, 0);
    PT_CONNECT(&self->io, (struct sockaddr *)&self->address, sizeof self->address);
    pt_reader_init(&self->reader, pt_io_stream(&self->io), self->room, sizeof self->room);
    pt_writer_init(&self->writer, pt_io_stream(&self->io), NULL, 0);
    PT_TRY(&self->ask, pt_write_all, .writer = &self->writer, .data = "once\n", .size = 5);
    for (;;) {
        PT_WAIT_COMPLETE(&self->line, pt_read_line, .reader = &self->reader);
        if (self->line.pt.status != PT_OK)
            break;
        tell(self->line.text);
    }
    pt_loop_cancel(PT_LOOP(), PT_ECANCELED);

    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

int main(int argc, char **argv)
{
    static struct pt_loop loop;
    static struct pt_live live;
    static struct pt_gauge places;
    static PT_TASK(client) asks;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    pt_status status;

    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/pt-example-%d.live", (int)getpid());
    if (argc > 1)
        snprintf(address.sun_path, sizeof address.sun_path, "%s", argv[1]);
    pt_system_open(&sys, &loop, NULL);
    status = pt_live_open(&live, &sys, address.sun_path);
    if (status != PT_OK) {
        fprintf(stderr, "live: %s: %s\n", address.sun_path,
                live.error ? strerror(live.error) : pt_status_name(status));
        return 1;
    }
    pt_live_gauge(&live, &places, "places", &customers.pool.used);
    if (argc > 1)
        PT_START_FROM(&loop, &customers, customer);
    else
        PT_START(&loop, &asks, client, .address = address);
    pt_loop_run(&loop);
    pt_live_close(&live);
    pt_system_close(&sys);
    return 0;
}
