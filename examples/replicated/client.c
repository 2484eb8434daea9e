/* client.c - customers of a replicated store, who check what they have seen
 * SPDX-License-Identifier: MIT
 *
 *     client OPERATIONS ADDRESS...
 *
 * Eight customers at once put, get, and change by compare-and-set the values of three keys, OPERATIONS each. One that
 * has no answer asks another server, by the same command, so that it is not carried out twice; after three seconds it
 * gives the command up, and goes on under another name; after ten of those in a row the client ends with status 1. At
 * the end the status is 0 if each key's history is linear. All customers are tasks of one loop: their begins and ends
 * are counted in the order of time, and no clock is asked. */
#include "history.h"
#include "talk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { CUSTOMERS = 8, KEYS = 3, MOST_IN_VAIN = 10 };
#define PATIENCE PT_MS(300)
#define GIVES_UP PT_SEC(3)

static struct pt_system sys;
static struct pt_loop loop;
static struct pt_random dice;
static char **servers; /* from 1 */
static int server_count, answers;
static struct operation history[KEYS][HISTORY_MOST + 1];
static int lengths[KEYS];
static long now, value;          /* the last begin or end; the last new value */
static unsigned run_name, names; /* each run has keys of its own */

struct customer {
    struct pt pt;
    int left; /* operations */
    struct talk talk;
    struct ask ask;
    struct pt_scope limit;
    struct command command;
    struct operation *operation;
    int server, key, tried; /* TRIED: names since the last answer, with this one */
    long seen[KEYS];        /* values */
};

static int below(int limit)
{
    return (int)pt_random_below(&dice, (uint64_t)limit);
}

/* Another server: the leader, if the answer names it. */
static void turn_away(struct customer *self, const char *answer)
{
    if (sscanf(answer, "leader %d", &self->server) != 1 || self->server < 1 ||
        self->server > server_count)
        self->server = 1 + below(server_count);
    talk_close(&self->talk);
}

/* At first, and after a command that was given up. */
static void new_name(struct customer *self)
{
    if (self->tried++ == MOST_IN_VAIN) {
        printf("%d commands in a row have no answer\n", MOST_IN_VAIN);
        exit(1);
    }
    turn_away(self, "");
    snprintf(self->command.client, sizeof self->command.client, "%x-%x", run_name, ++names);
}

static void begin(struct customer *self)
{
    static const char *const words[] = {"get", "put", "get", "cas"};
    struct command *command = &self->command;

    self->key = below(KEYS);
    snprintf(command->what, sizeof command->what, "%s", words[below(4)]);
    snprintf(command->key, sizeof command->key, "%c-%x", 'a' + self->key, run_name);
    command->old = command->what[0] == 'c' ? self->seen[self->key] : 0;
    command->new = command->what[0] == 'g' ? 0 : ++value;
    command->number++;
    self->operation = &history[self->key][lengths[self->key]++];
    *self->operation = (struct operation){.command = *command, .begun = ++now};
}

static void end(struct customer *self)
{
    self->operation->ended = ++now;
    if (self->command.what[0] != 'c')
        self->seen[self->key] =
            self->command.what[0] == 'g' ? self->operation->result : self->command.new;
    if (++answers % 100 == 0)
        fprintf(stderr, "%d answers\n", answers);
    self->tried = 1;
}

static PT_ASYNC(customer, self)
{
    new_name(self);
    for (; self->left > 0; self->left--) {
        begin(self);
        PT_WITH_TIMEOUT(&self->limit, GIVES_UP) {
            for (;;) {
                const char *answer;

                pt_printf(&self->talk.out, "%s\n", command_text(&self->command));
                PT_WAIT_COMPLETE(&self->ask, ask, .system = &sys, .talk = &self->talk,
                                 .to = servers[self->server], .patience = PATIENCE);
                answer = self->pt.status == PT_OK ? self->ask.line.text : "";
                if (sscanf(answer, "ok %ld", &self->operation->result) == 1)
                    break;
                turn_away(self, answer);
                PT_WAIT(PT_MS(5 + below(20)));
            }
            end(self);
        }
        if (pt_timed_out(&self->limit))
            new_name(self);
        PT_WAIT(PT_MS(below(20)));
    }
    PT_FINALLY
    talk_close(&self->talk);
}
PT_END

/* --- the end --------------------------------------------------------------------------------- */

static int judge(void)
{
    int asked = 0, wrong = 0;

    for (int key = 0; key < KEYS; key++) {
        asked += lengths[key];
        if (history_is_linear(history[key], lengths[key]))
            continue;
        for (const struct operation *each = history[key]; each->begun; each++)
            printf("%ld to %ld: %s: %ld\n", each->begun, each->ended, command_text(&each->command),
                   each->result);
        printf("key %c: no order of these operations has these results\n", 'a' + key);
        wrong = 1;
    }
    printf("%d answers, %d without: %s\n", answers, asked - answers, wrong ? "WRONG" : "linear");
    return wrong;
}

int main(int argc, char **argv)
{
    static PT_TASK(customer) customers[CUSTOMERS];
    int count = argc > 2 ? atoi(argv[1]) : 0;

    if (count < 1 || count > HISTORY_MOST / CUSTOMERS ||
        pt_system_open(&sys, &loop, NULL) != PT_OK ||
        getrandom(&dice, sizeof dice, 0) != sizeof dice) {
        fprintf(stderr, "usage: client OPERATIONS ADDRESS...\n");
        return 2;
    }
    servers = argv + 1;
    server_count = argc - 2;
    run_name = (unsigned)pt_random_next(&dice) >> 8;
    for (int i = 0; i < CUSTOMERS; i++)
        PT_START(&loop, &customers[i], customer, .left = count);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return judge();
}
