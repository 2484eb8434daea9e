/* sh.c - a stand-in for sh, which does what the commands of examples/system/programs.c say
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *script = argc == 3 ? argv[2] : "";
    char name[80];
    ssize_t got;

    if (!strcmp(script, "echo no fruit is left >&2; exit 3")) {
        fputs("no fruit is left\n", stderr);
        return 3;
    }
    if (!strcmp(script, "echo soon >&2; sleep 1000")) {
        fputs("soon\n", stderr);
        sleep(1000);
        return 0;
    }
    if (strcmp(script, "read name; echo \"$GREETING, $name!\"") != 0)
        return 127;
    got = read(0, name, sizeof name - 1);
    name[got > 0 ? got : 0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    printf("%s, %s!\n", getenv("GREETING"), name);
    return 0;
}
