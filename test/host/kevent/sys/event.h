/* event.h - the part of kqueue's interface that lib/host/poll/kqueue.c uses, for the model
 * SPDX-License-Identifier: MIT */
#ifndef PT_MODEL_EVENT_H
#define PT_MODEL_EVENT_H

#include <stdint.h>
#include <time.h>

struct kevent {
    uintptr_t ident;
    short filter;
    unsigned short flags;
    unsigned fflags;
    intptr_t data;
    void *udata;
};

enum { EVFILT_READ = -1, EVFILT_WRITE = -2 };
enum { EV_ADD = 0x01, EV_DELETE = 0x02, EV_CLEAR = 0x20, EV_ERROR = 0x4000, EV_EOF = 0x8000 };
#define EV_OOBAND 0x2000

#define EV_SET(event, ident_, filter_, flags_, fflags_, data_, udata_)                  \
    ((event)->ident = (ident_), (event)->filter = (filter_), (event)->flags = (flags_), \
     (event)->fflags = (fflags_), (event)->data = (data_), (event)->udata = (udata_))

int kqueue(void);
int kevent(int queue, const struct kevent *changes, int change_count, struct kevent *events,
           int room, const struct timespec *span);

#endif
