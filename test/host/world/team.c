/* team.c - a team of loops whose tasks pass letters on, each to another loop, until all have made their hops
 * SPDX-License-Identifier: MIT
 *
 * No loop has a timer: a post that wakes nobody leaves it asleep for ever. */
#include <pt/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

enum { LOOPS = 3, LETTERS = 2, HOPS = 40 };

struct letter {
    struct pt_mail mail;
    int hops;
};

static struct pt_team team;
static struct pt_mailbox boxes[LOOPS];
static struct pt_remote ends; /* of the first loop: a letter has made all its hops */
static struct letter letters[LETTERS];
static int hops, ended;

/* Some other loop. */
static int other(int loop)
{
    unsigned char chance = 0;

    if (getrandom(&chance, 1, 0) != 1)
        exit(1);
    return (loop + 1 + chance % (LOOPS - 1)) % LOOPS;
}

static void end(struct pt_remote *self, unsigned times)
{
    ended += (int)times;
    if (ended == LETTERS)
        pt_team_halt(&team);
}

static void pass(int loop, struct letter *letter)
{
    if (++letter->hops == HOPS)
        pt_remote_post(&ends);
    else
        pt_mailbox_post(&boxes[other(loop)], &letter->mail);
}

struct clerk {
    struct pt pt;
    int loop;
    struct pt_mail *mail;
};

PT_ASYNC(clerk, self)
{
    PT_RECV_MAIL_EACH(&boxes[self->loop], &self->mail)
        pass(self->loop, (struct letter *)(void *)self->mail);
    PT_FINALLY
    pt_mailbox_close(&boxes[self->loop]);
    if (!self->loop)
        pt_remote_close(&ends);
}
PT_END

static PT_TASK(clerk) clerks[LOOPS];

int main(void)
{
    if (pt_team_open(&team, LOOPS, NULL) != PT_OK)
        return 1;
    pt_remote_open(&ends, &team.members[0].loop, end, NULL);
    for (int i = 0; i < LOOPS; i++) {
        pt_mailbox_open(&boxes[i], &team.members[i].loop);
        PT_START(&team.members[i].loop, &clerks[i], clerk, .loop = i);
    }
    for (int i = 0; i < LETTERS; i++)
        pt_mailbox_post(&boxes[i], &letters[i].mail);
    if (pt_team_run(&team) != PT_OK)
        return 1;
    pt_team_close(&team);
    for (int i = 0; i < LETTERS; i++)
        hops += letters[i].hops;
    printf("%d hops\n", hops);
    return 0;
}
