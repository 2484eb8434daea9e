/* cases.c - one task hears everybody: a thread, an interrupt, flags, values for many
 * SPDX-License-Identifier: MIT
 *
 *     PT_CASE_RECV_MAIL  a case of a select: the next message of a mailbox
 *     PT_CASE_RING_GET   the next item of a ring
 *     PT_CASE_FLAGS      bits are set; afterwards wanted.found has them
 *     PT_CASE_BROADCAST  there is a value; PT_WAIT_LATEST or PT_WAIT_BROADCAST then takes it
 *
 * What to notice:
 *   - Several are true from the start: they take turns, and nothing is lost.
 *   - The last case is off until the ring has delivered: it keeps its number. */
#include <pt/posix.h>

#include <stdio.h>

enum { DOOR = 1, WINDOW = 2 };

static struct pt_mailbox mailbox;
static PT_RING(char, 4) keys;
static struct pt_flags opened;
static PT_LATEST(int) degrees;

struct house {
    struct pt pt;
    struct pt_mail *mail;
    char key;
    struct pt_flags_wanted wanted;
    unsigned seen;
    int heard;
    PT_SELECTION(4) next;
};

PT_ASYNC(house, self)
{
    for (self->heard = 0; self->heard < 5; self->heard++) {
        PT_SELECT(
            &self->next, PT_CASE_RECV_MAIL(&mailbox, &self->mail),
            PT_CASE_RING_GET(&keys, &self->key),
            PT_CASE_FLAGS(&opened, &self->wanted, DOOR | WINDOW, PT_FLAGS_ANY | PT_FLAGS_CLEAR),
            PT_CASE_IF(self->key, PT_CASE_BROADCAST(&degrees, self->seen)));
        if (PT_SELECTED(&self->next) == 0) {
            puts("a letter");
        } else if (PT_SELECTED(&self->next) == 1) {
            printf("key %c\n", self->key);
        } else if (PT_SELECTED(&self->next) == 2) {
            printf("open: %s\n", self->wanted.found == DOOR ? "the door" : "a window");
        } else {
            PT_WAIT_LATEST(&degrees, &self->seen);
            printf("%d degrees\n", degrees.value);
        }
    }
}
PT_END

int main(void)
{
    static PT_TASK(house) house;
    static struct pt_mail letter;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    pt_mailbox_open(&mailbox, &loop);
    PT_RING_OPEN(&keys, &loop);
    pt_flags_init(&opened);
    for (char key = 'a'; key <= 'b'; key++) /* as an interrupt would do it */
        if (PT_RING_PUT(&keys, &key) != PT_OK)
            return 1;
    if (pt_mailbox_post(&mailbox, &letter) != PT_OK) /* as another thread would do it */
        return 1;
    pt_flags_set(&opened, WINDOW);
    pt_latest_set(&degrees, 21);
    PT_START(&loop, &house, house);
    pt_loop_run(&loop);
    pt_ring_close(&keys.ring);
    pt_mailbox_close(&mailbox);
    pt_loop_close(&loop);
    return 0;
}
