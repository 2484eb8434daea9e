/* slow.c - a step takes too long, and is named while it runs: the coroutine, and the C calls that it is in
 * SPDX-License-Identifier: MIT
 *
 *     slow            on a virtual clock, which the painter moves; and it sends the signal by itself
 *     slow real       on the clock of the system: the painter paints until the watchdog has seen it
 *
 * What to notice:
 *   - The watchdog does not wait for the end of the step: a step that never ends is named, too.
 *   - The report goes to stderr. It shows where the coroutine was resumed, what awaits it, and where it
 *     is now: link with -rdynamic, so that the calls have names.
 *   - It costs two readings of the clock a step, as a struct pt_watch, which it contains. */
#include <pt/host.h>

#include <stdio.h>
#include <string.h>

static struct pt_watchdog dog;
static struct pt_virtual world;
static struct pt_loop loop;

void mix_colors(bool real);
void paint_sky(bool real);

static void print(void *file, const char *text)
{
    fputs(text, (FILE *)file);
}

__attribute__((noinline)) void mix_colors(bool real)
{
    if (!real) {
        world.now += PT_MS(61);
        pt_watch_report(&dog.watch, world.now, print, stdout); /* as an interrupt of a part can */
        raise(PT_WATCHDOG_SIGNAL); /* the thread does it, if the clock is real */
    }
    while (real && !pt_watchdog_barks(&dog)) {
    }
    __asm__ volatile(""); /* the call below is not the last thing that its caller does */
}

__attribute__((noinline)) void paint_sky(bool real)
{
    mix_colors(real);
    __asm__ volatile("");
}

struct painter {
    struct pt pt;
    bool real;
};

PT_ASYNC(painter, self)
{
    PT_YIELD();
    paint_sky(self->real);
}
PT_END

struct gallery {
    struct pt pt;
    bool real;
    struct painter painter;
};

PT_ASYNC(gallery, self)
{
    PT_WAIT_COMPLETE(&self->painter, painter, .real = self->real);
}
PT_END

int main(int count, char **arguments)
{
    static PT_TASK(gallery) task;
    bool real = count > 1 && !strcmp(arguments[1], "real");

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, real ? &pt_posix : &world.port);
    if (pt_watchdog_start(&dog, &loop, PT_MS(50)) != PT_OK)
        return 1;
    PT_START(&loop, &task, gallery, .real = real);
    pt_loop_run(&loop);
    printf("%u slow step, of %s\n", pt_watchdog_barks(&dog), dog.watch.longest_name);
    pt_watchdog_stop(&dog);
    pt_loop_close(&loop);
    return 0;
}
