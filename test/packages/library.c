/* library.c - tests the functions of libpt itself: its version, and a loop for each thread
 * SPDX-License-Identifier: MIT
 * --version prints the version. A failed check prints its line number. */
#include <pt/host.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define HOLDS(cond)                                   \
    do {                                              \
        if (!(cond)) {                                \
            printf("line %d: %s\n", __LINE__, #cond); \
            return 1;                                 \
        }                                             \
    } while (0)

struct hop {
    struct pt pt;
    int *hops;
};

static PT_ASYNC(hop, self)
{
    PT_WAIT(1);
    ++*self->hops;
}
PT_END

static void *loop_of_thread(void *argument)
{
    (void)argument;
    return pt_loop_default();
}

int main(int argc, char **argv)
{
    static PT_TASK(hop) storage;
    struct pt_loop *loop = pt_loop_default();
    pthread_t thread;
    void *other;
    char version[40];
    int hops = 0;

    if (argc == 2 && !strcmp(argv[1], "--version"))
        return puts(PT_VERSION) == EOF;
    HOLDS(!strcmp(pt_version(), PT_VERSION));
    snprintf(version, sizeof version, "%d.%d.%d", PT_VERSION_MAJOR, PT_VERSION_MINOR,
             PT_VERSION_PATCH);
    HOLDS(!strcmp(version, PT_VERSION));
    HOLDS(loop == pt_loop_default());
    HOLDS(!pthread_create(&thread, NULL, loop_of_thread, NULL) && !pthread_join(thread, &other));
    HOLDS(other && other != (void *)loop);
    for (int round = 1; round <= 2; round++) { /* round 2 runs after a close */
        HOLDS(PT_START(pt_loop_default(), &storage, hop, .hops = &hops) == PT_OK);
        HOLDS(pt_loop_run(loop) == PT_OK);
        HOLDS(hops == round);
        pt_loop_close(loop);
    }
    return 0;
}
