/* poll.c - the poller of every Unix: a table of descriptors, level-triggered
 * SPDX-License-Identifier: MIT
 *
 * A direction is asked for only after it was found not ready. Otherwise an open descriptor, which
 * is nearly always writable, would end every wait. */
#define _GNU_SOURCE
#include "probe.h"
#include "poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SOON = 10 }; /* milliseconds */

struct state {
    struct pollfd *table;  /* one for each descriptor that was added */
    unsigned *generations; /* of the descriptors in the table */
    int *places;           /* by descriptor: where it is in the table, or -1 */
    unsigned count;        /* in the table */
    unsigned room;         /* of table and generations */
    unsigned known;        /* of places */
};

static bool open_(struct pt_system *system)
{
    system->state = calloc(1, sizeof(struct state));
    return system->state != NULL;
}

static void close_(struct pt_system *system)
{
    struct state *state = system->state;

    free(state->table);
    free(state->generations);
    free(state->places);
    free(state);
}

/* Grow *BLOCK to COUNT elements of SIZE bytes. Without memory: false, and *BLOCK is as before. */
static bool grow(void *block, size_t count, size_t size)
{
    void *old, *grown;

    memcpy(&old, block, sizeof old);
    grown = realloc(old, count * size);
    if (grown)
        memcpy(block, &grown, sizeof grown);
    return grown != NULL;
}

static bool reserve(struct state *state, int fd)
{
    unsigned room = state->room ? state->room * 2 : 64, known = state->known ? state->known : 64;

    if (state->count == state->room) {
        if (!grow(&state->table, room, sizeof *state->table) ||
            !grow(&state->generations, room, sizeof *state->generations))
            return false;
        state->room = room;
    }
    while (known <= (unsigned)fd)
        known *= 2;
    if (known > state->known) {
        if (!grow(&state->places, known, sizeof *state->places))
            return false;
        memset(state->places + state->known, -1, (known - state->known) * sizeof *state->places);
        state->known = known;
    }
    return true;
}

static int add(struct pt_system *system, int fd, unsigned generation, unsigned level)
{
    struct state *state = system->state;

    (void)level; /* each wait looks at what is lacked */
    if (!reserve(state, fd))
        return ENOMEM;
    if (state->places[fd] >= 0) /* poll(2) asks for the file that the number has now */
        return EEXIST;
    state->places[fd] = (int)state->count;
    state->table[state->count].fd = fd;
    state->table[state->count].revents = 0;
    state->generations[state->count++] = generation;
    return 0;
}

/* The last descriptor in the table takes the place of the removed one. */
static void remove_(struct pt_system *system, int fd, bool closes)
{
    struct state *state = system->state;
    int place = state->places[fd];

    (void)closes;
    state->places[fd] = -1;
    state->count--;
    if ((unsigned)place == state->count)
        return;
    state->table[place] = state->table[state->count];
    state->generations[place] = state->generations[state->count];
    state->places[state->table[place].fd] = place;
}

/* For each descriptor, set the events to ask for. One with an error and nothing else would end
 * every wait, whatever is asked for: leave it out after each wait that it has ended. Returns
 * whether one is left out. */
static bool ask(const struct pt_system *system, const struct state *state)
{
    bool some = false;

    for (unsigned i = 0; i < state->count; i++) {
        int fd = state->table[i].fd;
        bool left_out = state->table[i].revents == POLLERR;
        unsigned lacks =
            fd == system->wakeup[0] ? PT_READABLE_ : pt_slot_lacks_(&system->places[fd]);

        some |= left_out;
        state->table[i].events = 0;
        state->table[i].revents = 0;
        if (lacks & PT_READABLE_)
            state->table[i].events |= POLLIN;
        if (lacks & PT_WRITABLE_)
            state->table[i].events |= POLLOUT;
        if (lacks & PT_URGENT_)
            state->table[i].events |= POLLPRI;
        if (lacks & PT_HANGUP_)
            state->table[i].events |= PT_POLLRDHUP_;
        if (left_out || !lacks)
            state->table[i].fd = -1 - fd; /* ask for nothing, not even a hang-up */
    }
    return some;
}

/* The system refuses so many at once: the limit of descriptors is lower by now. Ask for each by
 * itself. If none has an event, wait a little before all are asked again. */
static int ask_each(const struct state *state, int timeout)
{
    int count = 0;

    for (unsigned i = 0; i < state->count; i++)
        count += poll(&state->table[i], 1, 0) > 0;
    if (!count)
        poll(NULL, 0, timeout < 0 || timeout > SOON ? SOON : timeout);
    return count;
}

static int wait_(struct pt_system *system, int64_t timeout)
{
    struct state *state = system->state;
    int span = timeout < 0 ? -1 : (int)((timeout + 999999) / 1000000), count;

    if (ask(system, state) && (span < 0 || span > SOON))
        span = SOON;
    count = poll(state->table, state->count, span);
    if (count < 0 && errno != EINTR)
        count = ask_each(state, span);
    for (unsigned i = 0; i < state->count; i++) {
        short events = state->table[i].revents;

        if (state->table[i].fd < 0)
            state->table[i].fd = -1 - state->table[i].fd;
        if (count > 0 && events)
            pt_system_notice_(system, state->table[i].fd, state->generations[i], events);
    }
    return count < 0 ? 0 : count;
}

const struct pt_poller pt_poller_poll_ = {"poll",  open_, close_, add, NULL,
                                          remove_, wait_, NULL,   NULL};
