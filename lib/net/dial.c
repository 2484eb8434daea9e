/* dial.c - connect to a name: look it up, and let its addresses race
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../sites.h"

#include "words.h"
#include "../host/io/descriptor.h"
#include "../needs.h"

#include <pt/host/resolve.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After how long without an answer the next address is tried. */
#define HEAD_START PT_MS(250)

/* Connects to one address, and fails, or hands over the connection if it is the first. */
struct attempt {
    struct pt pt;
    struct pt_dial *dial;
    const struct pt_address *address;
    struct pt_io io;
};

/* What a dial needs while it runs. */
struct pt_dial_race_ {
    struct pt_resolve lookup; /* the addresses, also if there is nothing to look up */
    struct pt_host_port_ parts;
    char port[8];
    int order[PT_RESOLVE_MOST]; /* of the addresses */
    int tried;
    struct pt_group attempts;
    struct pt_event failed; /* an attempt has failed: no head start for it */
    PT_SELECTION(2) next;
    pt_status status; /* the failure that tells most */
    int error;        /* and its errno */
    PT_TASK(attempt) tasks[PT_RESOLVE_MOST];
};

/* Whether an errno means only that this machine has no route to an address. */
static bool says_little(int error)
{
    return error == ENETUNREACH || error == EHOSTUNREACH || error == EAFNOSUPPORT ||
           error == EADDRNOTAVAIL;
}

/* Note the failure of an attempt. */
static void note(struct pt_dial_race_ *race, pt_status status, int error)
{
    if (race->status == PT_OK || (says_little(race->error) && !says_little(error))) {
        race->status = status;
        race->error = error;
    }
    pt_event_set(&race->failed);
}

static PT_ASYNC(attempt, self)
{
    self->pt.status =
        pt_socket(&self->io, self->dial->system, self->address->family, SOCK_STREAM, 0);
    if (self->pt.status == PT_OK)
        PT_CONNECT(&self->io, (const struct sockaddr *)&self->address->name, self->address->length);
    if (self->pt.status != PT_OK) {
        note(self->dial->race, self->pt.status, self->io.error);
        PT_RETURN(self->pt.status);
    }
    if (!self->dial->io->system)
        *self->dial->io = pt_io_take(&self->io);
    PT_FINALLY
    pt_io_close(&self->io);
}
PT_END

/* Read the text: one address, or a name to look up. */
static enum pt_word_ begin(struct pt_dial *self)
{
    struct pt_dial_race_ *race = self->race;
    struct pt_address *first = &race->lookup.addresses[0];
    enum pt_word_ word = pt_path_address_(self->to, first);

    if (word == PT_WORD_DIGITS_) {
        word = pt_host_port_cut_(&race->parts, self->to);
        if (word)
            return word;
        if (!race->parts.host[0])
            return PT_WORD_NO_HOST_;
        word = pt_host_port_address_(&race->parts, first);
    }
    race->lookup.count = word == PT_WORD_NONE_;
    snprintf(race->port, sizeof race->port, "%u", race->parts.port);
    if (race->parts.bracketed || strchr(race->parts.host, '%'))
        return word;
    return word == PT_WORD_DIGITS_ ? PT_WORD_NONE_ : word;
}

/* Refuse the io because the name has no address: STATUS is the code of its lookup. */
static pt_status no_address(struct pt_dial *self, pt_status status)
{
    int error = self->race->lookup.error;

    if (status == PT_EINVAL && error == EINVAL)
        return pt_io_refuse_(self->io, PT_EINVAL, PT_ERROR_OF_WORD_(PT_WORD_SERVERS_));
    if (status == PT_OK || status == PT_EINVAL)
        return pt_io_refuse_(self->io, PT_EINVAL, PT_ERROR_OF_WORD_(PT_WORD_NO_NAME_));
    if (error == ENOSYS)
        error = PT_ERROR_OF_WORD_(PT_WORD_NO_CARES_);
    else if (error == ETIMEDOUT || error == ECONNREFUSED)
        error = PT_ERROR_OF_WORD_(PT_WORD_NO_ANSWER_);
    return pt_io_refuse_(self->io, status, error);
}

/* Order the addresses: as they were found, but the families in turn. */
static void interleave(struct pt_dial_race_ *race)
{
    const struct pt_address *all = race->lookup.addresses;
    unsigned left = (1u << race->lookup.count) - 1;
    int family = AF_UNSPEC;

    for (int n = 0; n < race->lookup.count; n++) {
        int next = -1;

        for (int i = race->lookup.count - 1; i >= 0; i--)
            if (left & 1u << i &&
                (next < 0 || all[i].family != family || all[next].family == family))
                next = i;
        left &= ~(1u << next);
        family = all[next].family;
        race->order[n] = next;
    }
}

PT_ASYNC(pt_dial, self)
{
    enum pt_word_ word;

    PT_NEEDS_FIELD_(self, io, "pt_dial");
    PT_NEEDS_FIELD_(self, system, "pt_dial");
    PT_NEEDS_FIELD_(self, to, "pt_dial");
    (void)(PT_IO_CLOSED_(pt_current_->loop, self->io, "pt_dial") 0);
    pt_io_clear_(self->io);
    self->race = calloc(1, sizeof *self->race);
    if (!self->race)
        PT_RETURN(pt_io_refuse_(self->io, PT_ENOMEM, ENOMEM));
    word = begin(self);
    if (word)
        PT_RETURN(pt_io_refuse_(self->io, PT_EINVAL, PT_ERROR_OF_WORD_(word)));
    if (!self->race->lookup.count)
        PT_WAIT_COMPLETE(&self->race->lookup, pt_resolve, .system = self->system,
                         .host = self->race->parts.host, .service = self->race->port,
                         .servers = self->servers);
    if (!self->race->lookup.count)
        PT_RETURN(no_address(self, self->pt.status));
    interleave(self->race);
    if (self->race->lookup.count == 1) { /* no race: in this turn, and by no task of its own */
        self->race->tried = 1;
        PT_WAIT_COMPLETE(&self->race->tasks[0].frame, attempt, .dial = self,
                         .address = &self->race->lookup.addresses[0]);
    }
    PT_WITH_GROUP(&self->race->attempts, PT_GROUP_FIRST_SUCCESS) {
        for (; self->race->tried < self->race->lookup.count; self->race->tried++) {
            pt_event_clear(&self->race->failed);
            PT_SPAWN_IN(
                &self->race->attempts, &self->race->tasks[self->race->tried], attempt, .dial = self,
                .address = &self->race->lookup.addresses[self->race->order[self->race->tried]]);
            if (self->pt.status != PT_OK) /* the loop cannot grow */
                note(self->race, self->pt.status, ENOMEM);
            else if (self->race->tried + 1 < self->race->lookup.count)
                PT_SELECT(&self->race->next, PT_CASE_EVENT(&self->race->failed),
                          PT_CASE_AFTER(HEAD_START));
        }
    }
    if (!self->io->system)
        PT_RETURN(pt_io_refuse_(self->io, self->race->status, self->race->error));
    PT_RETURN(PT_OK);
    PT_FINALLY
    if (self->pt.result != PT_OK)
        pt_io_close(self->io);
    free(self->race);
}
PT_END
