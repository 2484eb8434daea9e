/* each.h - what the operations of a body need, for the cases that try each of them where it does not belong
 * SPDX-License-Identifier: MIT */
#include <pt/host.h>

struct nap {
    struct pt pt;
    int n;
};

PT_ASYNC(nap, self)
{
    PT_YIELD();
}
PT_END

PT_TASK(nap) rest;
PT_POOL(nap, 2) pool;
PT_SELECTION(1) choice;
PT_CHANNEL(int) channel;
PT_QUEUE(int, 2) queue;
PT_LATEST(int) latest;
PT_BROADCAST(int, 2) news;
struct pt_subscriber subscriber;
struct pt_group group;
struct pt_scope limit;
struct pt_local local;
struct pt_held held;
struct pt_event event;
struct pt_flags flags;
struct pt_flags_wanted wanted;
struct pt_lock lock;
struct pt_condition condition;
struct pt_rwlock shared;
struct pt_mailbox mailbox;
struct pt_mail *mail;
struct pt_io io;
struct pt_signals signals;
size_t size;
unsigned seen;
int value;
char key;
