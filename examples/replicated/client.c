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
static char **servers;
static int server_count, answers;
static struct operation history[KEYS][HISTORY_MOST];
static int lengths[KEYS];
static long now, value;   /* the last begin or end; the last new value */
static unsigned run_name; /* each run has keys of its own */

struct customer {
    struct pt pt;
    int left; /* operations */
    struct talk talk;
    struct ask ask;
    struct command command;
    struct operation *operation;
    int server, key, in_vain; /* IN_VAIN: commands without an answer, in a row */
    long seen[KEYS];          /* values */
    pt_time since;
};

static int below(int limit)
{
    return (int)pt_random_below(&dice, (uint64_t)limit);
}

static void new_name(struct customer *self)
{
    snprintf(self->command.client, sizeof self->command.client, "%x-%x", run_name,
             (unsigned)pt_random_next(&dice) >> 8);
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

static void end(struct customer *self, long result)
{
    self->operation->result = result;
    self->operation->ended = ++now;
    if (self->command.what[0] != 'c')
        self->seen[self->key] = self->command.what[0] == 'g' ? result : self->command.new;
    if (++answers % 100 == 0) {
        printf("%d answers\n", answers);
        fflush(stdout);
    }
}

/* Another server: the leader, if the answer names it. */
static void turn_away(struct customer *self, const char *answer)
{
    int leader = 0;

    if (!answer || sscanf(answer, "leader %d", &leader) != 1 || leader < 1 || leader > server_count)
        leader = 1 + below(server_count);
    self->server = leader - 1;
    talk_close(&self->talk);
}

static void give_up(void)
{
    printf("%d commands in a row have no answer\n", MOST_IN_VAIN);
    exit(1);
}

static PT_ASYNC(customer, self)
{
    talk_close(&self->talk);
    self->server = below(server_count);
    new_name(self);
    for (; self->left > 0; self->left--) {
        begin(self);
        self->since = PT_NOW();
        while (!self->operation->ended && PT_NOW() - self->since < GIVES_UP) {
            char text[LINE];
            long result;

            command_print(&self->command, text);
            pt_printf(&self->talk.out, "%s\n", text);
            PT_WAIT_COMPLETE(&self->ask, ask, .system = &sys, .talk = &self->talk,
                             .to = servers[self->server], .patience = PATIENCE);
            if (self->pt.status == PT_OK && sscanf(self->ask.line.text, "ok %ld", &result) == 1) {
                end(self, result);
                break;
            }
            turn_away(self, self->pt.status == PT_OK ? self->ask.line.text : NULL);
            PT_WAIT(PT_MS(5 + below(20)));
        }
        if (self->operation->ended)
            self->in_vain = 0;
        else if (++self->in_vain < MOST_IN_VAIN)
            new_name(self);
        else
            give_up();
        PT_WAIT(PT_MS(below(20)));
    }
    PT_FINALLY
    talk_close(&self->talk);
}
PT_END

/* --- the end --------------------------------------------------------------------------------- */

static int judge(void)
{
    int wrong = 0, open = 0;

    for (int key = 0; key < KEYS; key++) {
        bool is_linear = history_is_linear(history[key], lengths[key]);

        for (int i = 0; i < lengths[key]; i++) {
            const struct operation *operation = &history[key][i];
            char text[LINE];

            open += !operation->ended;
            command_print(&operation->command, text);
            if (!is_linear)
                printf("%ld to %ld: %s: %ld\n", operation->begun, operation->ended, text,
                       operation->result);
        }
        if (!is_linear)
            printf("key %c: no order of these operations has these results\n", 'a' + key);
        wrong += !is_linear;
    }
    printf("%d answers, %d without: %s\n", answers, open, wrong ? "WRONG" : "linear");
    return wrong > 0;
}

int main(int argc, char **argv)
{
    static PT_TASK(customer) customers[CUSTOMERS];
    int count = argc > 2 ? atoi(argv[1]) : 0;

    if (count < 1 || count > HISTORY_MOST / CUSTOMERS ||
        pt_system_open(&sys, &loop, NULL) != PT_OK) {
        fprintf(stderr, "usage: client OPERATIONS ADDRESS...\n");
        return 2;
    }
    servers = argv + 2;
    server_count = argc - 2;
    if (getrandom(&dice, sizeof dice, 0) != sizeof dice)
        return 2;
    run_name = (unsigned)pt_random_next(&dice) >> 8;
    for (int i = 0; i < CUSTOMERS; i++)
        PT_START(&loop, &customers[i], customer, .left = count);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return judge();
}
