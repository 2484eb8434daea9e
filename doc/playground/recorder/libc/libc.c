/* libc.c - the C library of the playground's programs: enough for all of them, compiled once
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- text and memory --------------------------------------------------------------------------- */

void *memcpy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = (char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *left = a, *right = b;

    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

size_t strlen(const char *text)
{
    size_t length = 0;

    while (text[length])
        length++;
    return length;
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

char *strchr(const char *text, int character)
{
    for (; *text != (char)character; text++)
        if (!*text)
            return NULL;
    return (char *)(uintptr_t)text;
}

char *strrchr(const char *text, int character)
{
    const char *last = NULL;

    for (; *text; text++)
        if (*text == (char)character)
            last = text;
    return (char *)(uintptr_t)last;
}

/* Each block stands behind its size. Memory is zero, and is never used again: a run is short. */
static char *free_from;
extern char __heap_base;

void *malloc(size_t size)
{
    char *block;

    if (!free_from)
        free_from = &__heap_base + (16 - (uintptr_t)&__heap_base % 16);
    block = free_from + 16;
    free_from = block + (size + 15) / 16 * 16;
    while ((uintptr_t)free_from > __builtin_wasm_memory_size(0) * 65536)
        if (__builtin_wasm_memory_grow(0, 16) == (size_t)-1)
            return NULL;
    *(size_t *)(void *)(block - 16) = size;
    return block;
}

void *realloc(void *block, size_t size)
{
    void *grown = malloc(size);

    if (block && grown) {
        size_t old = *(size_t *)(void *)((char *)block - 16);

        memcpy(grown, block, old < size ? old : size);
    }
    return grown;
}

void free(void *block)
{
    (void)block;
}

void abort(void)
{
    __builtin_trap();
}

void exit(int status)
{
    (void)status;
    __builtin_trap();
}

char *getenv(const char *name)
{
    (void)name;
    return NULL;
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    unsigned long long number = 0;

    for (; *text >= '0' && *text <= '9'; text++)
        number = number * (unsigned)base + (unsigned)(*text - '0');
    if (end)
        *end = (char *)(uintptr_t)text;
    return number;
}

/* --- printing ---------------------------------------------------------------------------------- */

struct out {
    char *text;
    size_t size, used;
};

static void put(struct out *out, char character)
{
    if (out->used + 1 < out->size)
        out->text[out->used] = character;
    out->used++;
}

struct form {
    bool left, zero, plus, blank, alternate;
    int width, precision; /* -1: not given */
};

/* SIGN, or 0, and DIGITS, in the width of the form. */
static void pad(struct out *out, const struct form *form, char sign, const char *digits, int length)
{
    int room = form->width - length - (sign != 0);
    bool zeros = form->zero && !form->left;

    while (!form->left && !zeros && room-- > 0)
        put(out, ' ');
    if (sign)
        put(out, sign);
    while (zeros && room-- > 0)
        put(out, '0');
    for (int i = 0; i < length; i++)
        put(out, digits[i]);
    while (form->left && room-- > 0)
        put(out, ' ');
}

static int digits_of(char *end, unsigned long long number, unsigned base, bool upper)
{
    int length = 0;

    do {
        unsigned digit = (unsigned)(number % base);

        *--end = (char)(digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
        length++;
    } while (number /= base);
    return length;
}

static void put_number(struct out *out, struct form form, unsigned long long number, char sign,
                       unsigned base, bool upper)
{
    char text[72];
    int length = digits_of(text + sizeof text, number, base, upper);

    if (form.precision >= 0)
        form.zero = false;
    while (length < form.precision)
        text[sizeof text - (size_t)++length] = '0';
    pad(out, &form, sign, text + sizeof text - length, length);
}

static char sign_of(const struct form *form, bool negative)
{
    return negative ? '-' : form->plus ? '+' : form->blank ? ' ' : 0;
}

static void put_double(struct out *out, const struct form *form, double number)
{
    char text[72];
    int length, precision = form->precision < 0 ? 6 : form->precision;
    bool negative = number < 0;
    double scaled = negative ? -number : number;
    unsigned long long whole;

    for (int i = 0; i < precision; i++)
        scaled *= 10;
    whole = (unsigned long long)__builtin_rint(scaled);
    length = digits_of(text + 40, whole, 10, false);
    while (length < precision + 1)
        text[40 - ++length] = '0';
    if (precision) {
        for (int i = 0; i < length - precision; i++)
            text[39 - length + i] = text[40 - length + i];
        text[39 - precision] = '.';
        length++;
    }
    pad(out, form, sign_of(form, negative), text + 40 - length, length);
}

static void put_text(struct out *out, struct form form, const char *text)
{
    int length = 0;

    form.zero = false;
    if (!text)
        text = "(null)";
    while ((form.precision < 0 || length < form.precision) && text[length])
        length++;
    pad(out, &form, 0, text, length);
}

static int number_in(const char **format, va_list *arguments)
{
    int number = 0;

    if (**format == '*') {
        ++*format;
        return va_arg(*arguments, int);
    }
    for (; **format >= '0' && **format <= '9'; ++*format)
        number = number * 10 + (**format - '0');
    return number;
}

static struct form read_form(const char **format, va_list *arguments)
{
    struct form form = {.precision = -1};

    for (;; ++*format) {
        if (**format == '-')
            form.left = true;
        else if (**format == '0')
            form.zero = true;
        else if (**format == '+')
            form.plus = true;
        else if (**format == ' ')
            form.blank = true;
        else if (**format == '#')
            form.alternate = true;
        else
            break;
    }
    form.width = number_in(format, arguments);
    if (form.width < 0) {
        form.left = true;
        form.width = -form.width;
    }
    if (**format == '.') {
        ++*format;
        form.precision = number_in(format, arguments);
    }
    return form;
}

static void put_one(struct out *out, const char **format, va_list *arguments)
{
    struct form form = read_form(format, arguments);
    bool wide =
        false; /* an argument of 64 bits; long has 32 here, and so have size_t and pointers */
    int longs = 0;
    long long number;
    char character;

    for (; **format == 'l' || **format == 'z' || **format == 'h' || **format == 't' ||
           **format == 'j';
         ++*format) {
        longs += **format == 'l';
        wide = wide || **format == 'j' || longs == 2;
    }
    switch (**format) {
    case 'd':
    case 'i':
        number = wide ? va_arg(*arguments, long long) : va_arg(*arguments, int);
        put_number(out, form,
                   number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number,
                   sign_of(&form, number < 0), 10, false);
        break;
    case 'u':
    case 'x':
    case 'X':
        put_number(out, form,
                   wide ? va_arg(*arguments, unsigned long long) : va_arg(*arguments, unsigned), 0,
                   **format == 'u' ? 10 : 16, **format == 'X');
        break;
    case 'p': put_number(out, form, (uintptr_t)va_arg(*arguments, void *), 0, 16, false); break;
    case 'f': put_double(out, &form, va_arg(*arguments, double)); break;
    case 's': put_text(out, form, va_arg(*arguments, const char *)); break;
    case 'c':
        character = (char)va_arg(*arguments, int);
        pad(out, &form, 0, &character, 1);
        break;
    default: put(out, **format); break;
    }
    ++*format;
}

int vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
    struct out out = {text, size, 0};
    va_list rest;

    va_copy(rest, arguments);
    while (*format) {
        if (*format != '%') {
            put(&out, *format++);
        } else {
            format++;
            put_one(&out, &format, &rest);
        }
    }
    va_end(rest);
    if (size)
        text[out.used < size ? out.used : size - 1] = '\0';
    return (int)out.used;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return length;
}

/* What goes to stderr is not shown. */
struct play_file {
    char none;
};
static struct play_file files[2];
FILE *const stdout = &files[0], *const stderr = &files[1];

int fprintf(FILE *file, const char *format, ...)
{
    (void)file;
    (void)format;
    return 0;
}
