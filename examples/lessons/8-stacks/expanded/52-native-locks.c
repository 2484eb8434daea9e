/* expanded/52-native-locks.c - the bodies of lesson 52, their operations expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_lock      take it, or join its queue; pt_native_wait_if_ parks in that case
 *     pt_native_unlock    the function that PT_UNLOCK calls: an unlock never waits
 *     pt_native_wait      a deadline for the task, and the opcode WAIT */

#define SAY(...) \
    (printf("%2u  ", (unsigned)(pt_now_(self->task) / MINUTES(1))), printf(__VA_ARGS__))
enum { READERS = 3, ALL = 5 };

static void write_note(struct pt_native *self, const char *name)
{
    pt_native_wait_if_(self, pt_lock_must_wait_(self->task, &self->pt, &pen));
    pt_native_sleep_(self, MINUTES(1));
    SAY("%s %s the pen: note %d\n", name, pen.owner == self->task ? "has" : "lost", ++notes);
    pt_condition_notify(&written);
    pt_lock_release(&pen, self->task);
}

static pt_status reader(struct pt_native *self)
{
    pt_native_wait_if_(self, pt_semaphore_must_wait_(self->task, &self->pt, &desks));
    pt_native_wait_if_(self, pt_rwlock_shared_(self->task, &self->pt, &book));
    SAY("%s reads\n", (const char *)self->argument);
    pt_native_sleep_(self, MINUTES(5));
    pt_rwlock_release_shared(&book);
    write_note(self, (const char *)self->argument);
    return pt_semaphore_release(&desks);
}

static pt_status binder(struct pt_native *self)
{
    pt_native_wait_if_(self, pt_rwlock_exclusive_(self->task, &self->pt, &book));
    SAY("    the binder is alone with the book\n");
    pt_native_sleep_(self, MINUTES(10));
    return pt_rwlock_release_exclusive(&book, self->task);
}

static pt_status clerk(struct pt_native *self)
{
    pt_native_wait_if_(self, pt_lock_must_wait_(self->task, &self->pt, &pen));
    while (notes < READERS)
        pt_native_wait_if_(self, pt_condition_must_wait_(self->task, &self->pt, &written,
                                                    &pen)); /* others can have the pen meanwhile */
    SAY("the clerk has %d notes\n", notes);
    return pt_lock_release(&pen, self->task);
}
