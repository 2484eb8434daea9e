/* say.c - a client that says a line by TLS, and prints the reply; on a stack of its own
 * SPDX-License-Identifier: MIT
 *
 *     cc say.c $(pkg-config --cflags --libs pt-tls) -o say && ./say example.org:443 example.org
 *     ./say 127.0.0.1:7443 example.test ca.pem
 *
 *   - The certificate must be for the host, and from somebody whom the system trusts, or ca.pem. */
#include <pt/native_tls.h>

#include <pt/net/native_net.h>
#include <stdio.h>
#include <string.h>

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_tls_context context;
static char **words;

static pt_status talk(struct pt_native *self, struct pt_tls *tls)
{
    static const char hello[] = "hello\n";
    char reply[200];
    size_t put = 0, got = 0, length = 0;
    pt_status status = pt_native_tls_handshake(self, tls);

    for (size_t sent = 0; status == PT_OK && sent < strlen(hello); sent += put)
        status = pt_native_tls_write(self, tls, hello + sent, strlen(hello) - sent, &put);
    while (status == PT_OK && !memchr(reply, '\n', length)) {
        status = pt_native_tls_read(self, tls, reply + length, sizeof reply - length, &got);
        length += got;
    }
    if (status == PT_OK)
        printf("%s: %.*s", words[2], (int)length, reply);
    return status;
}

static pt_status say(struct pt_native *self)
{
    struct pt_io io;
    struct pt_tls tls;
    pt_status status = pt_native_dial(self, &io, &sys, words[1]);

    if (status != PT_OK) {
        printf("%s: %s\n", words[1], pt_io_error_text(&io, status));
        return status;
    }
    status = pt_tls_open(&tls, &context, &io, words[2]);
    if (status == PT_OK)
        status = talk(self, &tls);
    if (status == PT_OK)
        status = pt_native_tls_finish(self, &tls);
    else
        printf("%s: %s\n", words[2], pt_tls_error_text(&tls, status));
    pt_tls_close(&tls);
    pt_io_close(&io);
    return status;
}

int main(int argc, char **argv)
{
    static char stack[256 << 10];
    static PT_TASK(pt_native) task;

    if (argc < 3)
        return puts("usage: say ADDRESS HOST [CERTIFICATES]"), 2;
    words = argv;
    context.trusted = argv[3];
    if (pt_tls_load(&context) != PT_OK)
        return puts(context.error), 1;
    pt_system_open(&sys, &loop, NULL);
    PT_START(&loop, &task, pt_native, .function = say, .stack = stack, .bytes = sizeof stack);
    pt_loop_run(&loop);
    pt_tls_unload(&context);
    pt_system_close(&sys);
    return pt_task_status(&task.task) != PT_OK;
}
