/* names.c - a name server inside the test
 * SPDX-License-Identifier: MIT */
#include "names.h"

#include <netinet/in.h>

/* Append a record; returns the new end of the answer. */
static size_t add(unsigned char *data, size_t end, bool six, unsigned char last)
{
    unsigned char record[] = {0xc0, 12, 0, six ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, six ? 16 : 4};

    memcpy(data + end, record, sizeof record);
    end += sizeof record;
    memset(data + end, 0, 16);
    data[end] = six ? 0 : 127;
    end += six ? 16 : 4;
    data[end - 1] = last;
    data[7]++;
    return end;
}

/* Turn a question into an answer; returns its length. */
static size_t make_answer(unsigned char *data, size_t length, bool broken)
{
    bool no = data[13] == 'n' || broken, six;
    size_t end = 12;

    while (data[end]) /* the labels of the name */
        end += data[end] + 1u;
    end += 5;
    ck_assert_uint_le(end, length);
    six = data[end - 3] == 28;
    data[2] = 0x81, data[3] = broken ? 0x82 : no ? 0x83 : 0x80;
    memset(data + 6, 0, 6);
    for (int i = 0; i < data[12] && !no; i++)
        if ((data[13 + i] == 's') == six)
            end = add(data, end, six, six ? 1 : (unsigned char)(data[13 + i] - '0'));
    return end;
}

PT_ASYNC(names, self)
{
    for (;;) {
        PT_RECVFROM(&self->io, self->data, sizeof self->data, &self->got, &self->from);
        if (self->pt.status != PT_OK)
            break;
        if (self->mute)
            continue;
        self->got = make_answer(self->data, self->got, self->broken);
        PT_SENDTO(&self->io, self->data, self->got, (struct sockaddr *)&self->from,
                  sizeof(struct sockaddr_in));
        self->answers++;
        if (self->answered)
            self->answered(self);
    }
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

void names_start(names_task *server, char *text, size_t size)
{
    struct pt_address at;

    memset(server, 0, sizeof *server);
    ck_assert_int_eq(pt_socket(&server->frame.io, &host.system, AF_INET, SOCK_DGRAM, 0), PT_OK);
    ck_assert_ptr_null(pt_address_parse(&at, "127.0.0.1:0"));
    ck_assert_int_eq(bind(server->frame.io.fd, (struct sockaddr *)&at.name, at.length), 0);
    ck_assert_int_eq(pt_io_local(&server->frame.io, &at), PT_OK);
    pt_address_text(&at, text, size);
    PT_START(&host.loop, server, names, PT_KEEP);
}
