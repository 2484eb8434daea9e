/* talk.h - to ask a server, and get a line as its answer, over a connection that is made when it is needed
 * SPDX-License-Identifier: MIT */
#ifndef TALK_H
#define TALK_H

#include "raft.h"

#include <pt/host.h>

#include <stdio.h>

struct talk {
    struct pt_io io;
    struct pt_reader in;
    struct pt_writer out; /* the question goes here, by pt_printf, before `ask` */
    char room[LINE], text[(BATCH + 1) * LINE];
};

/* Of a new connection, or before there is one. */
static inline void talk_begin(struct talk *talk)
{
    pt_reader_init(&talk->in, pt_io_stream(&talk->io), talk->room, sizeof talk->room);
    pt_writer_init(&talk->out, pt_io_stream(&talk->io), talk->text, sizeof talk->text);
}

static inline void talk_close(struct talk *talk)
{
    pt_io_close(&talk->io);
    talk_begin(talk);
}

struct ask {
    struct pt pt;
    struct pt_system *system; /* the caller sets this and the next three */
    struct talk *talk;
    const char *to;
    pt_time patience;
    struct pt_scope limit;
    struct pt_dial dial;
    struct pt_flush flush;
    struct pt_read_until line; /* the answer, whole */
};

/* PT_OK if an answer came in time; otherwise the caller closes the connection: what comes late is lost. */
static PT_ASYNC(ask, self)
{
    PT_WITH_TIMEOUT(&self->limit, self->patience) {
        if (!self->talk->io.system)
            PT_TRY(&self->dial, pt_dial, .io = &self->talk->io, .system = self->system,
                   .to = self->to);
        PT_TRY(&self->flush, pt_flush, .writer = &self->talk->out);
        PT_TRY(&self->line, pt_read_until, .reader = &self->talk->in, .delimiter = "\n");
    }
    if (pt_timed_out(&self->limit))
        PT_RETURN(PT_ETIMEDOUT);
}
PT_END

#endif
