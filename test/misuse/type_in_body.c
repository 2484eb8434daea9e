/* type_in_body.c - in a body: a pointer to another type, and a name that nothing declares
 * SPDX-License-Identifier: MIT
 * expect error -DPT_MISUSE=pt_wake(&storage): incompatible.*pointer|cannot (convert|initialize)|no (matching|known)
 * expect error -DPT_MISUSE=pt_event_set(&self->pt): incompatible.*pointer|cannot (convert|initialize)|no (matching|known)
 * expect error -DPT_MISUSE=PT_LOCK(&event): incompatible.*pointer|cannot (convert|initialize)|no (matching|known)
 * expect error -DPT_MISUSE=self->n=&storage: makes integer|pointer to integer|invalid conversion|incompatible
 * expect error -DPT_MISUSE=PT_PAUSE_ME(1): implicit|not declared|undeclared
 * expect good -DPT_MISUSE=: */
#include <pt/pt.h>

struct body {
    struct pt pt;
    int n;
    const char *name;
};

static PT_TASK(body) storage;
static struct pt_event event;
static struct pt_lock lock;

PT_ASYNC(body, self)
{
    pt_wake(&storage.task);
    pt_event_set(&event);
    PT_LOCK(&lock);
    self->name = "a name";
    PT_MISUSE;
}
PT_END
