/* native.h - the test framework of the fiber tests, which also run on bare parts
 * SPDX-License-Identifier: MIT
 *
 *     TEST(one_is_one)
 *     {
 *         EXPECT(1 == 1);
 *     }
 *
 *     int main(void)
 *     {
 *         RUN(one_is_one);
 *         return native_end();
 *     }
 *
 * A test that fails prints where, and the next one runs. */
#ifndef PT_NATIVE_TEST_H
#define PT_NATIVE_TEST_H

#include <pt/fiber.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int native_passed, native_failed, native_bad;

#define TEST(sentence) static void sentence(void)
#define RUN(sentence) native_run(sentence, #sentence)
#define EXPECT(cond) native_expect(cond, #cond, __FILE__, __LINE__)

static inline void native_expect(int holds, const char *what, const char *file, int line)
{
    if (holds)
        return;
    native_bad = 1;
    printf("%s:%d: %s\n", file, line, what);
}

/* --- the trace --- */

static char native_text[256];
static size_t native_length;

#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
static inline void
trace(const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(native_text + native_length, sizeof native_text - native_length, format,
                       arguments);
    va_end(arguments);
    if (length > 0)
        native_length += (size_t)length;
}

#define EXPECT_TRACE(expected) \
    native_expect(!strcmp(native_text, expected), native_text, __FILE__, __LINE__)

/* --- running --- */

static inline void native_run(void (*test)(void), const char *sentence)
{
    native_bad = 0;
    native_length = 0;
    native_text[0] = '\0';
    test();
    if (native_bad) {
        native_failed++;
        printf("FAIL %s\n", sentence);
    } else {
        native_passed++;
        printf("ok %s\n", sentence);
    }
}

static inline int native_end(void)
{
    printf("%d passed, %d failed\n", native_passed, native_failed);
    return native_failed != 0;
}

#endif
