/* reference_sync.h - waits and objects of the reference
 * SPDX-License-Identifier: MIT */
#ifndef MODEL_REFERENCE_SYNC_H
#define MODEL_REFERENCE_SYNC_H

#include "reference.h"

#define objects (model.objects)

/* --- reference_waits.c --- */

/* next_behind - the first waiter with this wish for an object that came after SINCE, or NULL
 * first_for - the first of all of them */
struct want *next_behind(enum wish wish, int object, long since);
struct want *first_for(enum wish wish, int object);

/* wait_for - add a want to those of a task */
void wait_for(struct task *task, const struct want *want);

/* serve - meet a want, drop its task's other wants, return the task; HANDED: it got something
 * hand - meet a want with a value
 * serve_all - meet the wants of all waiters with a code */
struct task *serve(const struct want *want, bool handed);
void hand(const struct want *want, int value);
void serve_all(enum wish wish, int object, int code, bool handed);

/* --- reference_wants.c --- */

/* wish_of - what an operation waits for, or tries; value_of - the value it sends: a new one, or -1
 * attempt - the result of a want if it is tried at once */
enum wish wish_of(int kind);
int value_of(enum wish wish);
int attempt(struct task *task, struct want *want);

/* --- each of these returns a code, CODE_AGAIN if the task must wait --- */

/* reference_sync.c */
int release_unit(int object);
int lock(int object, struct task *task);
int unlock(int object, const struct task *task);
int let_go(struct want *want, struct task *task);
int notify(int object, bool all);
int set_flags(int object, int bits);
int look_at_flags(const struct want *want, struct task *task);
int meet(int object);
int lock_shared(int object, const struct task *task);
int lock_exclusive(int object, struct task *task);
int unlock_shared(int object);
int unlock_exclusive(int object, const struct task *task);

/* reference_values.c */
int send(int object, int value);
int receive(int object, struct task *task);
int close_channel(int object);
int push(int object, int value);
int pop(int object, struct task *task);
int close_queue(int object);

#endif
