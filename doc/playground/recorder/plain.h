/* plain.h - the recorder of a program on the book's miniature: its lines, its frames, and the memory where a local was
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_PLAIN_H
#define PLAY_PLAIN_H

#include "values.h"

static void play_pointer_(const void *pointer)
{
    char text[80];

    snprintf(text, sizeof text, "-> %s", play_name_of_(pointer) ? play_name_of_(pointer) : "...");
    play_string_(pointer ? text : "NULL");
}

static const struct play_type_ *play_type_(const char *name)
{
    for (const struct play_type_ *type = play_types_; type->name; type++)
        if (!strcmp(type->name, name))
            return type;
    return NULL;
}

/* The line of a frame: of its next statement, or where it has suspended. */
static unsigned play_line_of_(const void *frame, int label)
{
    if (frame == play_at_frame_)
        return play_at_line_;
    return label > 0 && label != 255 ? play_last_line_(frame) : 0; /* 255, -1: at its end */
}

#if PLAY_FN_
/* A frame in another frame. */
static void play_inner_frame_(const struct pt *frame)
{
    char text[32];

    snprintf(text, sizeof text, "a frame, at label %u", (unsigned)frame->label);
    play_string_(!frame->fn                  ? "a frame, not used yet"
                 : frame->label == PT_AT_END ? "a frame, done"
                                             : text);
}
#endif

/* The frames that are declared in the program, whether something runs them or not. */
static void play_frames_(void)
{
    for (size_t i = 0; i < play_objects_count_; i++) {
        const struct play_object_ *object = &play_found_[i];
        const struct play_type_ *type = play_type_(object->word);
        char text[24];

        if (object->kind != 'X' || !type)
            continue;
        play_next_();
        play_put_("{");
        play_key_("fn"), play_string_(object->name);
        snprintf(text, sizeof text, "%d", (int)PLAY_LABEL(object->at));
        play_key_("label"), play_string_(text);
        play_key_("line"), play_number_(play_line_of_(object->at, PLAY_LABEL(object->at)));
        play_key_("status"), play_string_("");
        play_key_("at"), play_number_((long long)(uintptr_t)object->at);
        play_fields_(type, object->at);
        play_put_("}");
    }
}

/* The words around the place of a local, also when its function has returned. No program may read them; here it is
 * the lesson. */
static void play_stack_(const struct play_object_ *local)
{
    const volatile int *place = (const volatile int *)local->at;

    play_key_("stack");
    play_put_("{");
    play_key_("name"), play_string_(local->name);
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
    if (play_steps_ == 1)
        for (const struct play_object_ *object = play_table_; object->name; object++)
            play_announce_(object);
    play_at_line_ = line;
    play_put_("{");
    play_key_("k"), play_string_("line");
    play_key_("line"), play_number_(line);
    play_key_("loops"), play_put_("[]");
    play_key_("objects"), play_put_("[]");
    play_key_("alone"), play_put_("["), play_frames_(), play_put_("]");
    play_key_("ended"), play_put_("[]");
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_found_[i].kind == 'V')
            play_stack_(&play_found_[i]);
    play_put_("}");
    play_flush_();
}

/* The recorder works below a gap, so that it does not overwrite the part of the stack that it shows. */
static __attribute__((noinline)) void play_below_(unsigned line)
{
    volatile char gap[4096];

    gap[0] = 0; /* without a use a compiler leaves it out */
    play_record_(line);
}

void play_line_(unsigned line)
{
    play_at_frame_ = NULL;
    play_below_(line);
}

void play_body_(const void *frame, unsigned line)
{
    play_place_(frame, line);
    play_below_(line);
}

#endif
