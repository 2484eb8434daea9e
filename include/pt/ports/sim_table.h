/* sim_table.h - what a simulation knows about the tasks that are alive: a hash table
 * SPDX-License-Identifier: MIT
 *
 * Open addressing with linear probing. Tasks are numbered in the order in which the simulation
 * meets them, since an address means nothing in another run. A task that ends is dropped, since
 * another task can soon have its address. */
#ifndef PT_SIM_TABLE_H
#define PT_SIM_TABLE_H

#include "../coroutine/frame.h"
#include "../base/port.h"

#include <string.h>

struct pt_sim_task_ {
    const struct pt_task *task; /* NULL: a free slot */
    uint64_t id;                /* the first task that was met has 1 */
    uint64_t priority;          /* the user writes it; 0 at first */
};

/* The table. Zero it, except for the port, before its first use. */
struct pt_sim_table_ {
    const struct pt_port *port;  /* for its memory; the user writes it */
    struct pt_sim_task_ *places; /* at most half of them are in use */
    size_t room;                 /* the number of places, a power of two, or 0 */
    size_t count;                /* the number in use */
    uint64_t met;                /* tasks met so far */
};

PT_API size_t pt_sim_table_home_(const struct pt_sim_table_ *table, const struct pt_task *task)
{
    return (size_t)(((uint64_t)(uintptr_t)task * 0x9e3779b97f4a7c15u) >> 32) & (table->room - 1);
}

/* The slot of a task, or the free one where it would be. */
PT_API struct pt_sim_task_ *pt_sim_table_slot_(const struct pt_sim_table_ *table,
                                               const struct pt_task *task)
{
    size_t at = pt_sim_table_home_(table, task);

    while (table->places[at].task && table->places[at].task != task)
        at = (at + 1) & (table->room - 1);
    return &table->places[at];
}

PT_API bool pt_sim_table_grow_(struct pt_sim_table_ *table)
{
    struct pt_sim_table_ old = *table;

    table->room = old.room ? 2 * old.room : 64;
    table->places = (struct pt_sim_task_ *)table->port->resize(table->port->context, NULL,
                                                               table->room * sizeof *table->places);
    if (!table->places) {
        *table = old;
        return false;
    }
    memset(table->places, 0, table->room * sizeof *table->places);
    for (size_t i = 0; i < old.room; i++)
        if (old.places[i].task)
            *pt_sim_table_slot_(table, old.places[i].task) = old.places[i];
    if (old.places)
        table->port->resize(table->port->context, old.places, 0);
    return true;
}

/* pt_sim_table_find_ - the entry of a task, or NULL; valid until the next call; O(1) on average */
PT_API struct pt_sim_task_ *pt_sim_table_find_(const struct pt_sim_table_ *table,
                                               const struct pt_task *task)
{
    struct pt_sim_task_ *slot = table->room ? pt_sim_table_slot_(table, task) : NULL;

    return slot && slot->task ? slot : NULL;
}

/* pt_sim_table_get_ - as pt_sim_table_find_, but add a missing entry; NULL if there is no memory */
PT_API struct pt_sim_task_ *pt_sim_table_get_(struct pt_sim_table_ *table,
                                              const struct pt_task *task)
{
    struct pt_sim_task_ *slot = pt_sim_table_find_(table, task);

    if (slot || (2 * table->count >= table->room && !pt_sim_table_grow_(table)))
        return slot;
    slot = pt_sim_table_slot_(table, task);
    slot->task = task;
    slot->id = ++table->met;
    slot->priority = 0;
    table->count++;
    return slot;
}

/* pt_sim_table_drop_ - remove an entry; O(1) on average
 * Entries after it that were displaced from their home slots move up. */
PT_API void pt_sim_table_drop_(struct pt_sim_table_ *table, struct pt_sim_task_ *entry)
{
    size_t mask = table->room - 1, hole = (size_t)(entry - table->places);

    table->count--;
    for (size_t at = (hole + 1) & mask; table->places[at].task; at = (at + 1) & mask) {
        size_t home = pt_sim_table_home_(table, table->places[at].task);

        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table->places[hole] = table->places[at];
            hole = at;
        }
    }
    table->places[hole].task = NULL;
}

/* pt_sim_table_free_ - remove all entries, and free the memory */
PT_API void pt_sim_table_free_(struct pt_sim_table_ *table)
{
    if (table->places)
        table->port->resize(table->port->context, table->places, 0);
    table->places = NULL;
    table->room = table->count = 0;
}

#endif
