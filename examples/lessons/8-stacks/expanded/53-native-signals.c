/* expanded/53-native-signals.c - the bodies of lesson 53, their operations expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_wait_event     wait only if the event is not set; the same for flags and a barrier
 *     pt_native_park           suspend with the opcode PARK, without any queue */

#define SAY(...) \
    (printf("%3u s  ", (unsigned)(pt_now_(self->task) / PT_SEC(1))), printf(__VA_ARGS__))
enum { ANN_IS_IN = 1, BOB_IS_IN = 2, BOTH = 3, ALL = 4 };

static pt_status runner(struct pt_native *self)
{
    const char *name = (const char *)self->argument;
    int seconds = name[0] == 'A' ? 180 : 200;

    pt_native_sleep_(self, PT_SEC(seconds / 10)); /* warm up */
    warm++;
    pt_wake(starter_task);
    pt_native_wait_if_(self, pt_barrier_must_wait_(self->task, &self->pt, &ready));
    SAY("%s stands at the line\n", name);
    pt_native_wait_if_(self, pt_event_must_wait_(self->task, &self->pt, &shot));
    pt_native_sleep_(self, PT_SEC(seconds));
    pt_flags_set(&finish, name[0] == 'A' ? ANN_IS_IN : BOB_IS_IN);
    return PT_OK;
}

static pt_status starter(struct pt_native *self)
{
    for (starter_task = self->task; warm < 2;) {
        pt_native_suspend_(self, PT_OP_PARK);
        SAY("    %d warm\n", warm);
    }
    pt_native_sleep_(self, PT_SEC(10));
    SAY("    bang\n");
    pt_event_set(&shot);
    return PT_OK;
}

static pt_status judge(struct pt_native *self)
{
    struct pt_flags_wanted want;

    pt_native_wait_if_(self,
                       pt_flags_must_wait_(self->task, &self->pt, &finish, &want, BOTH, PT_FLAGS_ANY));
    SAY("        %s wins\n", want.found & ANN_IS_IN ? "Ann" : "Bob");
    pt_native_wait_if_(self, pt_flags_must_wait_(self->task, &self->pt, &finish, &want, BOTH,
                                            PT_FLAGS_ALL | PT_FLAGS_CLEAR));
    SAY("        both are in\n");
    return PT_OK;
}
