/* sort.c - a stand-in for sort -r, which examples/system/programs.c starts
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int reverse(const void *a, const void *b)
{
    return -strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void)
{
    char text[1000] = "", *lines[100], *rest = text;
    size_t count = 0, used = 0;
    ssize_t got;

    while ((got = read(0, text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)got;
    while (count < 100 && *rest && (lines[count] = strsep(&rest, "\n")))
        count++;
    qsort(lines, count, sizeof *lines, reverse);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(lines[i]);

        lines[i][length] = '\n';
        if (write(1, lines[i], length + 1) < 0)
            return 1;
    }
    return 0;
}
