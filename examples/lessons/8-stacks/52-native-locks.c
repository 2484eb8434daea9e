/* 52-native-locks.c - native tasks and locks: two desks, one book, one pen
 * SPDX-License-Identifier: MIT
 *
 * In a reading room three readers read and write a note each. A binder takes the book away for a
 * while, and a clerk collects the notes.
 *
 *     pt_native_function        the type of a native task's body
 *     pt_native_wait            PT_WAIT for a native task; pt_native_now is PT_NOW
 *     pt_native_acquire         PT_ACQUIRE: wait for a semaphore, here for a desk
 *     pt_native_lock            PT_LOCK; pt_native_unlock is PT_UNLOCK, and pt_native_holds
 *                               PT_HOLDS
 *     pt_native_wait_condition  PT_WAIT_CONDITION
 *     pt_native_lock_shared     PT_LOCK_SHARED, to read
 *     pt_native_lock_exclusive  PT_LOCK_EXCLUSIVE, to write, until pt_native_unlock_exclusive
 *
 * What to notice:
 *   - Each operation does what the macro of the same name does, and returns its code (here PT_OK).
 *   - write_note waits for the pen while its caller has a desk: the stack remembers both.
 *   - The readers share the book. The binder is alone with it, and Cid reads only after that.
 *
 * Try: put a third desk into the room. When does Cid read then? */
#include <pt/native.h>
#include <pt/posix.h>

#include <stdio.h>

#define MINUTES(n) PT_SEC(60 * (n))
#define SAY(...) \
    (printf("%2u  ", (unsigned)(pt_native_now(self) / MINUTES(1))), printf(__VA_ARGS__))
enum { READERS = 3, ALL = 5 };

static struct pt_semaphore desks;
static struct pt_rwlock book;
static struct pt_lock pen;
static struct pt_condition written;
static int notes;

static void write_note(struct pt_native *self, const char *name)
{
    pt_native_lock(self, &pen);
    pt_native_wait(self, MINUTES(1));
    SAY("%s %s the pen: note %d\n", name, pt_native_holds(self, &pen) ? "has" : "lost", ++notes);
    pt_condition_notify(&written);
    pt_native_unlock(self, &pen);
}

static pt_status reader(struct pt_native *self)
{
    pt_native_acquire(self, &desks);
    pt_native_lock_shared(self, &book);
    SAY("%s reads\n", (const char *)self->argument);
    pt_native_wait(self, MINUTES(5));
    pt_rwlock_release_shared(&book);
    write_note(self, (const char *)self->argument);
    return pt_semaphore_release(&desks);
}

static pt_status binder(struct pt_native *self)
{
    pt_native_lock_exclusive(self, &book);
    SAY("    the binder is alone with the book\n");
    pt_native_wait(self, MINUTES(10));
    return pt_native_unlock_exclusive(self, &book);
}

static pt_status clerk(struct pt_native *self)
{
    pt_native_lock(self, &pen);
    while (notes < READERS)
        pt_native_wait_condition(self, &written, &pen); /* others can have the pen meanwhile */
    SAY("the clerk has %d notes\n", notes);
    return pt_native_unlock(self, &pen);
}

int main(void)
{
    static pt_native_function *const bodies[ALL] = {reader, reader, reader, binder, clerk};
    static char names[ALL][4] = {"Ann", "Bob", "Cid"}, stacks[ALL][32 << 10];
    static PT_TASK(pt_native) tasks[ALL];
    struct pt_virtual world;
    struct pt_loop loop;

    pt_semaphore_init(&desks, 2, 2);
    pt_rwlock_init(&book);
    pt_lock_init(&pen);
    pt_condition_init(&written);
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
    for (int i = 0; i < ALL; i++)
        PT_START(&loop, &tasks[i], pt_native, .function = bodies[i], .argument = names[i],
                 .stack = stacks[i], .bytes = sizeof stacks[i]);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
}
