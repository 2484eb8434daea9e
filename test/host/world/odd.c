/* odd.c - a program that ends, or does not, as its word says: for the tests of pt-sim itself
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int no_source_has_this(void);

static void rest(int milliseconds)
{
    while (milliseconds--)
        usleep(1000);
}

static void compute(void)
{
    for (volatile int turns = 0;; turns = turns + 1)
        continue;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (!strcmp(word, "rest"))
        rest(20);
    else if (!strcmp(word, "compute"))
        compute();
    else if (!strcmp(word, "misspelt"))
        return no_source_has_this();
    else if (!strcmp(word, "print"))
        printf("<b>\033[31m\r\xff\nwithout an end");
    else if (!strcmp(word, "many"))
        for (int i = 0; i < 200000; i++)
            printf("a long line ");
    return !strcmp(word, "print") ? 77 : 0;
}
