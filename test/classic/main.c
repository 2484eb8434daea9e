/* main.c - runs the tests of the other files, and holds their trace
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "trace.h"

static char trace_text[160];
static unsigned trace_length;

void put(char letter)
{
    if (trace_length < sizeof trace_text)
        trace_text[trace_length++] = letter;
}

void put_said(char said)
{
    put("WYXE"[(int)said]);
}

int traced(const char *expected)
{
    unsigned i, length = trace_length;

    trace_length = 0;
    for (i = 0; i < length; i++)
        if (trace_text[i] != expected[i])
            return 0;
    return expected[length] == '\0';
}

static int failed;

static void report(const char *sentence, int passed)
{
    printf("%s %s\n", passed ? "ok" : "FAIL", sentence);
    failed += !passed;
}

int main(void)
{
#define TEST_RUN(name) report(#name, name());
    TESTS(TEST_RUN)
#undef TEST_RUN
    return failed != 0;
}
