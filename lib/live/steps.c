/* steps.c - how long the steps of the tasks of a loop take, by the names of the tasks
 * SPDX-License-Identifier: MIT */
#include "snapshot.h"

#include <stdio.h>
#include <string.h>

static bool has_name(const struct pt_steps_ *row, const char *name)
{
    return !strncmp(row->name, name, sizeof row->name - 1);
}

/* The row of a name; when all are taken, that of all other names. */
static struct pt_steps_ *row_of(struct pt_steps_table_ *table, const char *name)
{
    unsigned at = 0;

    while (at < table->count && !has_name(&table->rows[at], name))
        at++;
    if (at == PT_STEPS_NAMES_)
        name = "(other names)";
    else if (at == table->count)
        table->count++;
    if (!table->rows[at].count)
        snprintf(table->rows[at].name, sizeof table->rows[at].name, "%s", name);
    return &table->rows[at];
}

static void count_step(struct pt_watch *watch, struct pt_task *task, pt_time ticks)
{
    const char *name = pt_task_name(task);
    struct pt_steps_ *row = row_of((struct pt_steps_table_ *)(void *)watch, name ? name : "a task");

    row->count++;
    row->ticks += ticks;
    if (ticks > row->longest)
        row->longest = ticks;
}

void pt_steps_start_(struct pt_steps_table_ *table, struct pt_loop *loop)
{
    if (!table->on)
        pt_watch_start(&table->watch, loop, 0, count_step);
    table->on = true;
}

void pt_steps_stop_(struct pt_steps_table_ *table)
{
    if (table->on)
        pt_watch_stop(&table->watch);
    table->on = false;
}
