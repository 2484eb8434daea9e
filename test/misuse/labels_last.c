/* labels_last.c - one label beyond the last, made by each macro that makes a label
 * SPDX-License-Identifier: MIT
 * expect error -DLAST=TIMEOUT: too many suspensions in one function: set PT_LABEL_BITS 16
 * expect error -DLAST=GROUP: too many suspensions in one function: set PT_LABEL_BITS 16
 * expect error -DLAST=RECV_EACH: too many suspensions in one function: set PT_LABEL_BITS 16
 * expect error -DLAST=POP_EACH: too many suspensions in one function: set PT_LABEL_BITS 16
 * expect error -DLAST=RECV_MAIL_EACH: too many suspensions in one function: set PT_LABEL_BITS 16
 * expect good -DLAST=:
 * expect good -DLAST=TIMEOUT -DPT_LABEL_BITS=16:
 * expect good -DLAST=RECV_EACH -DPT_LABEL_BITS=16: */
#include <pt/pt.h>

struct body {
    struct pt pt;
    struct pt_scope limit;
    struct pt_group group;
    struct pt_mail *mail;
    int value;
};

static PT_CHANNEL(int) channel;
static PT_QUEUE(int, 2) queue;
static struct pt_mailbox mailbox;

/* clang-format off */
#define TIMEOUT PT_WITH_TIMEOUT(&self->limit, 1) {}
#define GROUP PT_WITH_GROUP(&self->group, PT_GROUP_ALL) {}
#define RECV_EACH PT_RECV_EACH(&channel, &self->value) {}
#define POP_EACH PT_POP_EACH(&queue, &self->value) {}
#define RECV_MAIL_EACH PT_RECV_MAIL_EACH(&mailbox, &self->mail) {}

#define Y10 PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD(); \
            PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD(); PT_YIELD();
#define Y50 Y10 Y10 Y10 Y10 Y10

PT_ASYNC(body, self)
{
    Y50 Y50 Y50 Y50 Y50 PT_YIELD(); PT_YIELD(); PT_YIELD();
    LAST;
    (void)channel;
    (void)queue;
    (void)mailbox;
}
PT_END
