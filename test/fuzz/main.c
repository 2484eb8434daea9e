/* main.c - runs a target without a fuzzer, with the bytes of each file or of standard input
 * SPDX-License-Identifier: MIT
 *
 *     scopes corpus/scopes/FILE ...       the regression test; the last name printed is the failure
 *     afl-fuzz ... scopes                 AFL++ writes to standard input */
#include "target.h"

#include <stdio.h>
#include <sys/time.h>

enum { LONGEST = 1 << 16 };

static int try(const char *name, FILE *file)
{
    static uint8_t data[LONGEST];
    const struct itimerval patience = {{0, 0}, {2, 0}}; /* of CPU time: a loop that does not end */
    size_t size;

    if (!file) {
        perror(name);
        return 1;
    }
    size = fread(data, 1, sizeof data, file);
    fclose(file);
    setitimer(ITIMER_VIRTUAL, &patience, NULL);
    return LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv)
{
    if (argc == 1)
        return try("stdin", stdin);
    for (int i = 1; i < argc; i++) {
        puts(argv[i]);
        fflush(stdout);
        if (try(argv[i], fopen(argv[i], "rb")))
            return 1;
    }
    return 0;
}
