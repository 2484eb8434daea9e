/* emit.h - writes the trace: a line of JSON for each step
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_EMIT_H
#define PLAY_EMIT_H

#include <string.h>
#include <time.h>

#undef printf
#undef puts
#undef putchar
#undef fputs
#undef main

enum { PLAY_STEPS = 3000 }; /* a program that takes more is stopped */

int play_main_(void);
uint32_t play_seed_ = 0;
int play_parameters_[64];
static char play_text_[1 << 16];
static size_t play_used_;
static int play_steps_;

#ifdef __wasm__
__attribute__((import_module("play"), import_name("line"))) void play_write_(const char *text,
                                                                             size_t size);
__attribute__((import_module("play"), import_name("stop"))) _Noreturn void play_stop_(
    const char *why);
#else
#include <stdlib.h>
static FILE *play_file_;
static void play_write_(const char *text, size_t size)
{
    fwrite(text, 1, size, play_file_);
    fputc('\n', play_file_);
}
static _Noreturn void play_stop_(const char *why)
{
    fprintf(play_file_, "{\"k\":\"stop\",\"why\":\"%s\"}\n", why);
    fclose(play_file_);
    exit(0);
}
#endif

static void play_put_(const char *text)
{
    while (*text && play_used_ < sizeof play_text_ - 1)
        play_text_[play_used_++] = *text++;
}

static void play_number_(long long number)
{
    char text[24];

    snprintf(text, sizeof text, "%lld", number);
    play_put_(text);
}

static void play_string_(const char *text)
{
    char one[8];

    play_put_("\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            snprintf(one, sizeof one, "\\%c", c);
        else if (c < 32)
            snprintf(one, sizeof one, "\\u%04x", (unsigned)c);
        else
            snprintf(one, sizeof one, "%c", c);
        play_put_(one);
    }
    play_put_("\"");
}

static void play_key_(const char *key)
{
    if (play_used_ && !strchr("{[", play_text_[play_used_ - 1]))
        play_put_(",");
    play_string_(key);
    play_put_(":");
}

/* Between two elements of a list. */
static void play_next_(void)
{
    if (!strchr("{[", play_text_[play_used_ - 1]))
        play_put_(",");
}

static void play_flush_(void)
{
    play_write_(play_text_, play_used_);
    play_used_ = 0;
}

static void play_out_(const char *text)
{
    play_put_("{");
    play_key_("k"), play_string_("out");
    play_key_("text"), play_string_(text);
    play_put_("}");
    play_flush_();
}

int play_printf_(const char *format, ...)
{
    char text[512];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    play_out_(text);
    return length;
}

int play_putchar_(int character)
{
    return play_printf_("%c", character);
}

int play_fputs_(const char *text, FILE *file)
{
    return file == stdout ? play_printf_("%s", text) : 0;
}

int play_puts_(const char *text)
{
    play_printf_("%s\n", text);
    return 0;
}

/* The clock that pt_posix reads, and its sleep: time passes only there. */
static long long play_clock_;

int clock_gettime(clockid_t clock, struct timespec *now)
{
    (void)clock;
    now->tv_sec = (time_t)(play_clock_ / 1000000000);
    now->tv_nsec = (long)(play_clock_ % 1000000000);
    return 0;
}

int nanosleep(const struct timespec *span, struct timespec *left)
{
    (void)left;
    play_clock_ += (long long)span->tv_sec * 1000000000 + span->tv_nsec;
    return 0;
}

#ifdef __wasm__
/* pt's default trap prints its message with this. */
int(dprintf)(int file, const char *format, ...)
{
    (void)file;
    play_stop_(format);
}

__attribute__((export_name("run"))) int play_run_(uint32_t seed)
{
    play_seed_ = seed;
    return play_main_();
}
__attribute__((export_name("parameters"))) int *play_parameters_at_(void)
{
    for (size_t i = 0; i < 64; i++)
        play_parameters_[i] = -1;
    return play_parameters_;
}
#else
/* main SEED FILE [NUMBER=VALUE]... */
int main(int count, char **words)
{
    play_seed_ = (uint32_t)strtoul(words[1], NULL, 10);
    play_file_ = fopen(words[2], "w");
    for (size_t i = 0; i < 64; i++)
        play_parameters_[i] = -1;
    for (int i = 3; i < count; i++)
        play_parameters_[atoi(words[i])] = atoi(strchr(words[i], '=') + 1);
    play_main_();
    return fclose(play_file_);
}
#endif

#endif
