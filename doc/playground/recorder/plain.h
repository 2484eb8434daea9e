/* plain.h - the recorder of a program on the book's miniature: its lines, and the memory where a local was
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_PLAIN_H
#define PLAY_PLAIN_H

#include "emit.h"

/* The place of a local that was announced by play_object_, also when its function has returned. */
static const int *play_place_;
static const char *play_name_;

/* The words around that place. Reading them is what no program may do; here it is the lesson. */
static __attribute__((noinline)) void play_stack_(void)
{
    const volatile int *place = play_place_;

    play_key_("stack");
    play_put_("{");
    play_key_("name"), play_string_(play_name_);
    play_key_("words");
    play_put_("[");
    for (int i = -8; i < 8; i++) {
        play_next_();
        play_number_(place[i]);
    }
    play_put_("]}");
}

static __attribute__((noinline)) void play_record_(unsigned line)
{
    if (++play_steps_ > PLAY_STEPS)
        play_stop_("the program takes too many steps for this page");
    play_put_("{");
    play_key_("k"), play_string_("line");
    play_key_("line"), play_number_(line);
    play_key_("loops"), play_put_("[]");
    play_key_("objects"), play_put_("[]");
    play_key_("alone"), play_put_("[]");
    play_key_("ended"), play_put_("[]");
    if (play_place_)
        play_stack_();
    play_put_("}");
    play_flush_();
}

/* The recorder works below a gap, so that it does not overwrite the part of the stack that it shows. */
void play_line_(unsigned line)
{
    volatile char gap[4096];

    (void)gap;
    play_record_(line);
}

void play_object_(const char *name, char kind, const void *object)
{
    (void)kind;
    play_name_ = name;
    play_place_ = (const int *)object;
}

#endif
