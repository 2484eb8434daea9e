/* names.c - looks up a name, and connects to the first of its addresses that answers
 * SPDX-License-Identifier: MIT
 *
 *     names HOST PORT
 *
 * What to notice:
 *   - pt_native_resolve needs a big frame: it is static here, and not on the stack of the task.
 *   - A name can have several addresses, and not all of them work: try each, with its own timeout.
 *   - The addresses are copied, so that the frame could be used for the next name meanwhile. */
#include <pt/host.h>
#include <pt/host/native_io.h>

#include <stdio.h>
#include <string.h>

static struct pt_system sys;
static char **words;

/* Connect to an address; WHY gets the words for what has happened. */
static pt_status try_one(struct pt_native *self, const struct pt_address *address, const char **why)
{
    struct pt_io io;
    struct pt_scope limit;
    pt_status status = pt_socket(&io, &sys, address->family, SOCK_STREAM, 0);

    if (status == PT_OK) {
        pt_native_timeout(self, &limit, PT_SEC(5));
        status =
            pt_native_connect(self, &io, (const struct sockaddr *)&address->name, address->length);
        pt_native_timeout_end(self, &limit);
    }
    *why = status == PT_EIO ? strerror(io.error) : pt_status_text(status);
    pt_io_close(&io);
    return status;
}

static pt_status connect_to(struct pt_native *self)
{
    static struct pt_resolve lookup;
    struct pt_address addresses[PT_RESOLVE_MOST];
    pt_status status =
        pt_native_resolve(self, &lookup, .system = &sys, .host = words[1], .service = words[2]);
    int count = lookup.count;
    const char *why;

    if (status != PT_OK) {
        printf("%s: %s\n", words[1], lookup.reason ? lookup.reason : pt_status_text(status));
        return status;
    }
    memcpy(addresses, lookup.addresses, sizeof addresses);
    for (int i = 0; i < count; i++) {
        status = try_one(self, &addresses[i], &why);
        printf("address %d of %d: %s\n", i + 1, count, why);
        if (status == PT_OK)
            break;
    }
    return status;
}

int main(int argc, char **argv)
{
    static char stack[128 << 10];
    static PT_TASK(pt_native) task;
    struct pt_loop loop;

    if (argc != 3) {
        fprintf(stderr, "usage: names HOST PORT\n");
        return 2;
    }
    words = argv;
    if (pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    PT_START(&loop, &task, pt_native, .function = connect_to, .stack = stack,
             .bytes = sizeof stack);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return task.frame.pt.status == PT_OK ? 0 : 1;
}
