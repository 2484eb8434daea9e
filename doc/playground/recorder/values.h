/* values.h - writes the values of fields
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_VALUES_H
#define PLAY_VALUES_H

#include "emit.h"

/* What a pointer points to, without its address. */
static void play_pointer_(const void *pointer);

#ifdef PT_MS
static void play_time_text_(long long ticks);
static long long play_signed_(pt_time time);
#endif
#if PLAY_FN_
static void play_inner_frame_(const struct pt *frame);

/* The coroutine of a frame, or NULL. */
static const struct play_type_ *play_type_of_(const struct pt *frame)
{
    for (const struct play_type_ *type = play_types_; type->name; type++)
        if (frame->fn && type->fn == frame->fn)
            return type;
    return NULL;
}
#endif

#ifdef PLAY_PT
static void play_scope_(const struct pt_scope *scope);
static void play_group_(const struct pt_group *group);
static void play_ticker_(const struct pt_ticker *ticker);
#endif

enum { PLAY_OBJECTS = 64 };

static struct play_object_ play_found_[PLAY_OBJECTS];
static size_t play_objects_count_;

static void play_announce_one_(const struct play_object_ *object)
{
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_found_[i].at == object->at)
            return;
    if (play_objects_count_ < PLAY_OBJECTS)
        play_found_[play_objects_count_++] = *object;
}

/* The size of an object, if it is a parameter. */
static size_t play_size_(const struct play_object_ *object)
{
    return (size_t)play_parameter_(object->parameter - 1, object->written);
}

unsigned play_capacity_(const void *at, size_t given)
{
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_found_[i].at == at && play_found_[i].parameter)
            return (unsigned)play_size_(&play_found_[i]);
    for (const struct play_object_ *object = play_table_; object->name; object++)
        if (object->at == at && object->parameter)
            return (unsigned)play_size_(object);
    return (unsigned)given;
}

/* An array is as many objects, each with a name of its own. */
static void play_announce_(const struct play_object_ *object)
{
    static char names[PLAY_OBJECTS][40];
    size_t count = object->count && object->parameter ? play_size_(object) : object->count;

    if (!object->count)
        play_announce_one_(object);
    for (size_t i = 0; i < count && play_objects_count_ < PLAY_OBJECTS; i++) {
        struct play_object_ one = *object;

        snprintf(names[play_objects_count_], sizeof names[0], "%s[%u]", object->name, (unsigned)i);
        one.name = names[play_objects_count_];
        one.at = (const char *)object->at + i * object->stride;
        one.parameter = 0;
        play_announce_one_(&one);
    }
}

void play_object_(struct play_object_ object)
{
    play_announce_(&object);
}

/* The statement that comes next: its line, and its frame if it is in a coroutine; 0, NULL: not known. */
static unsigned play_at_line_;
static const void *play_at_frame_;

/* The last line of each frame. */
enum { PLAY_PLACES = 256 };
static struct {
    const void *frame;
    unsigned line;
} play_places_[PLAY_PLACES];

static unsigned play_last_line_(const void *frame)
{
    for (size_t i = 0; i < PLAY_PLACES && play_places_[i].frame; i++)
        if (play_places_[i].frame == frame)
            return play_places_[i].line;
    return 0;
}

static void play_place_(const void *frame, unsigned line)
{
    size_t i = 0;

    while (i < PLAY_PLACES - 1 && play_places_[i].frame && play_places_[i].frame != frame)
        i++;
    play_places_[i].frame = frame;
    play_places_[i].line = line;
    play_at_frame_ = frame;
}

/* The name of the object at a place, or NULL. */
static const char *play_name_of_(const void *at)
{
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_found_[i].at == at)
            return play_found_[i].name;
    return NULL;
}

/* Whether the text at a pointer can be shown: a program may show a field before it has a value. */
static void play_chars_(const char *text)
{
    char copy[44];
    size_t i = 0;

    if (!text) {
        play_string_("NULL");
        return;
    }
    copy[i++] = '"';
    for (; *text && i < sizeof copy - 5; text++)
        copy[i++] = *text;
    if (*text)
        copy[i++] = '.', copy[i++] = '.';
    copy[i++] = '"';
    copy[i] = '\0';
    play_string_(copy);
}

static long long play_integer_(const unsigned char *at, size_t size, bool negative)
{
    unsigned long long number = 0;

    for (size_t i = size; i--;)
        number = number << 8 | at[i];
    if (negative && size < 8 && number >> (8 * size - 1))
        number |= ~0ULL << (8 * size);
    return (long long)number;
}

static void play_one_value_(char kind, const unsigned char *at, size_t size)
{
    char text[40];

    switch (kind) {
    case 'b': play_string_(*at ? "true" : "false"); break;
#ifdef PT_MS
    case 't': {
        pt_time time;

        memcpy(&time, at, sizeof time);
        play_time_text_(play_signed_(time));
        break;
    }
#endif
#if PLAY_FN_
    case 'F': play_inner_frame_((const struct pt *)(const void *)at); break;
    case 'T': play_pointer_(at); break;
#endif
#ifdef PLAY_PT
    case 'c': play_scope_((const struct pt_scope *)(const void *)at); break;
    case 'g': play_group_((const struct pt_group *)(const void *)at); break;
    case 'k': play_ticker_((const struct pt_ticker *)(const void *)at); break;
#endif
    case 's': {
        const char *chars;

        memcpy(&chars, at, sizeof chars);
        play_chars_(chars);
        break;
    }
    case 'p': {
        const void *pointer;

        memcpy(&pointer, at, sizeof pointer);
        play_pointer_(pointer);
        break;
    }
    case 'i':
    case 'u':
        snprintf(text, sizeof text, "%lld", play_integer_(at, size, kind == 'i'));
        play_string_(text);
        break;
    default: play_string_("?"); break;
    }
}

static void play_value_(const struct play_field_ *field, const unsigned char *at)
{
    size_t each = field->size / (field->count ? field->count : 1);

    if (field->kind == '?') {
        play_string_(field->word);
    } else if (field->kind == 'a') { /* an array of characters */
        char chars[44];
        size_t length = field->size < 40 ? field->size : 40;

        memcpy(chars, at, length);
        chars[length] = '\0';
        play_chars_(chars);
    } else if (field->count == 1) {
        play_one_value_(field->kind, at, field->size);
    } else {
        play_put_("[");
        for (size_t i = 0; i < field->count && i < 12; i++) {
            play_next_();
            play_one_value_(field->kind, at + i * each, each);
        }
        play_put_("]");
    }
}

static void play_bytes_(const void *from, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *at = (const unsigned char *)from;

    play_put_("\"");
    for (size_t i = 0; i < size && play_used_ < sizeof play_text_ - 4; i++) {
        play_text_[play_used_++] = digits[at[i] >> 4];
        play_text_[play_used_++] = digits[at[i] & 15];
    }
    play_put_("\"");
}

static void play_fields_(const struct play_type_ *type, const void *frame)
{
    const unsigned char *bytes = (const unsigned char *)frame;

    play_key_("size"), play_number_((long long)type->size);
    play_key_("bytes"), play_bytes_(frame, type->size < 512 ? type->size : 512);
    play_key_("fields");
    play_put_("[");
    for (size_t i = 0; i < type->count; i++) {
        const struct play_field_ *field = &type->fields[i];

        play_next_();
        play_put_("{");
        play_key_("n"), play_string_(field->name);
        play_key_("v"), play_value_(field, bytes + field->offset);
        play_key_("o"), play_number_((long long)field->offset);
        play_key_("s"), play_number_((long long)field->size);
        play_put_("}");
    }
    play_put_("]");
}

#endif
