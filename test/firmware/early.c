/* early.c - an interrupt that is pending when the program enables it: what was opened is complete
 * SPDX-License-Identifier: MIT
 *
 * A compiler may move a plain store behind a volatile one, such as the store that enables an
 * interrupt. The interrupt posts to a ring (BY_RING), a mailbox (BY_MAILBOX), a remote (BY_REMOTE)
 * or a waker. Ends with 0 if the task got the post, once. */
#include "cortex-m.h"

#include <pt/pt.h>

struct reader {
    struct pt pt;
    uint32_t item;
    struct pt_mail *mail;
    unsigned got;
};

static struct pt_loop loop;

#if defined(BY_RING)

static PT_RING(uint32_t, 4) post;
#define OPEN() PT_RING_OPEN(&post, &loop)
#define POST() (void)(PT_RING_PUT(&post, &(const uint32_t){1}) == PT_OK)
#define GET() PT_RING_GET(&post, &self->item)

#elif defined(BY_MAILBOX)

static struct pt_mailbox post;
static struct pt_mail mail;
#define OPEN() pt_mailbox_open(&post, &loop)
#define POST() (void)pt_mailbox_post(&post, &mail)
#define GET() PT_RECV_MAIL(&post, &self->mail)

#elif defined(BY_REMOTE)

static struct pt_remote post;
#define OPEN() pt_remote_open(&post, &loop, pt_remote_wake, &reader.task)
#define POST() (void)pt_remote_post(&post)
#define GET() PT_PARK()

#else

static struct pt_waker post;
#define OPEN() pt_waker_open(&post, &loop, &reader.task)
#define POST() pt_waker_post(&post)
#define GET() PT_PARK()

#endif

static PT_ASYNC(reader, self)
{
    for (;;) {
        GET();
        self->got++;
    }
}
PT_END

static PT_TASK(reader) reader;

bool board_put(char byte); /* end.c needs it */
bool board_put(char byte)
{
    (void)byte;
    return true;
}

static void interrupt(void)
{
    POST();
}

int main(void)
{
    pt_loop_init(&loop, 0);
    (void)PT_START(&loop, &reader, reader, .got = 0);
    OPEN();
    ICSR = 1u << 28; /* PENDSVSET: from here on the interrupt comes */
    for (pt_time now = 0; now < 3; now++)
        pt_loop_turn(&loop, now);
    return reader.frame.got != 1;
}

TABLE_OF(1, interrupt, stray, [0] = stray);
