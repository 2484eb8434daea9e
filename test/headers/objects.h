/* objects.h - what the uses of macros in `uses` operate on: four objects of each kind, all ready for it
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#define PT_PANIC(what, where, line) stopped(what)
static void stopped(const char *what);
#include <netinet/in.h>
#include <pt/host.h>
#include <pt/host/native_io.h>
#include <pt/native.h>
#include <pt/stack/tasklet.h>
#include <pt/virtual.h>
#include <string.h>
#include <unistd.h>

enum { FOUR = 4 };

#ifdef CLASSES /* fields.py: of C++ */
#include <string>
#endif
#ifndef REST
#define REST 1
#endif

struct child {
    struct pt pt;
    int n;
    unsigned char rest[REST]; /* what no use names */
#ifdef CLASSES
    std::string text;
    int five = 5;
#endif
};

static int n, finished;
static int children,
    kept; /* those with .n = 7, and how many of their other members are not as at first */

/* A misuse ends the program; it tells how often the argument was evaluated before. */
static void stopped(const char *what)
{
    printf("stopped: %s\n", what);
    fflush(stdout);
    _Exit(0);
}

static PT_ASYNC(child, self)
{
    if (self->n == 7) {
        children++;
        for (int i = 0; i < REST; i++)
            kept += self->rest[i] != 0;
#ifdef CLASSES
        kept += !self->text.empty() + (self->five != 5);
#endif
    }
    PT_YIELD();
}
PT_END

static pt_status tasklet(struct pt_native *self)
{
    (void)self;
    return PT_OK;
}

static struct pt_virtual world;
static struct pt_system host;
static struct pt_loop loop, loops[FOUR], opened[FOUR];
static PT_LOOP_STORAGE(4) storages[FOUR];
static PT_TASK(child) tasks[FOUR], running[FOUR];
static PT_OWNED_TASK(child) owned[FOUR];
static struct pt_owner owners[FOUR];
static PT_POOL(child, 4) pools[FOUR];
static struct child frames[FOUR], generators[FOUR];
static struct pt_heap heaps[FOUR];
static struct pt_heap_entry entries[FOUR];
static struct pt_scope scopes[FOUR];
static struct pt_group groups[FOUR];
static struct pt_local locals[FOUR];
static struct pt_held holds[FOUR];
static PT_SELECTION(1) choices[FOUR];
static struct pt_resolve lookups[FOUR];
static const char *const hosts[FOUR] = {"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"};
static const int families[FOUR] = {AF_INET, AF_INET, AF_INET, AF_INET};
static PT_CHANNEL(int) channels[FOUR];
static PT_QUEUE(int, 4) queues[FOUR];
static PT_RING(int, 4) rings[FOUR], open_rings[FOUR];
static PT_LATEST(int) latest[FOUR];
static PT_BROADCAST(int, 4) broadcasts[FOUR];
static struct pt_subscriber subscribers[FOUR];
static struct pt_mailbox mailboxes[FOUR];
static struct pt_mail mail, *mails[FOUR];
static struct pt_event events[FOUR];
static struct pt_flags flags[FOUR];
static struct pt_flags_wanted wanted[FOUR];
static struct pt_lock locks[FOUR];
static struct pt_rwlock rwlocks[FOUR];
static struct pt_semaphore semaphores[FOUR];
static struct pt_condition conditions[FOUR];
static struct pt_barrier barriers[FOUR];
static struct pt_ticker tickers[FOUR];
static struct pt_tasklet tasklets[FOUR];
static struct pt_stacks stacks[FOUR];
static struct pt_io ios[FOUR], outs[FOUR], listeners[FOUR], peers[FOUR], fresh[FOUR];
static struct pt_signals signal_sets[FOUR];
static struct iovec parts[FOUR];
static struct sockaddr_in addresses[FOUR];
static struct sockaddr_storage froms[FOUR];
static const struct sockaddr *to[FOUR];
static size_t got[FOUR];
static char bytes[FOUR], written[FOUR][8];
static struct pt_writer texts[FOUR];
static int number, numbers[FOUR], keys[FOUR], readers[FOUR][2], writers[FOUR][2];
static unsigned seen[FOUR];
static pt_label bare_labels[FOUR];

static void ready(void)
{
    pt_virtual_init(&world, 1, &pt_posix);
    pt_loop_open(&loop, &world.port);
    for (int i = 0; i < FOUR; i++) {
        pt_writer_init_memory(&texts[i], written[i], sizeof written[i]);
        pt_loop_init(&loops[i], 0);
        pt_loop_open(&opened[i], &world.port);
        PT_INIT(&generators[i], child, .n = 0);
        (void)PT_START(&loop, &running[i], child, .n = 0);
        pt_channel_init(&channels[i].channel, PT_PREFER_NEITHER);
        pt_queue_init(&queues[i].queue, queues[i].items, 4);
        pt_ring_open_(&open_rings[i].ring, &loop, open_rings[i].items, sizeof(int), 4);
        pt_mailbox_open(&mailboxes[i], &loop);
        pt_event_init(&events[i]);
        pt_flags_init(&flags[i]);
        pt_lock_init(&locks[i]);
        pt_rwlock_init(&rwlocks[i]);
        pt_semaphore_init(&semaphores[i], 0, 9);
        pt_condition_init(&conditions[i]);
        pt_barrier_init(&barriers[i], 1);
        pt_ticker_begin_(&tickers[i], 0, 5, PT_TICKS_DELAY);
    }
}

/* Let tasks be spawned in the groups. */
static void open_groups(void)
{
    for (int i = 0; i < FOUR; i++) {
        groups[i].scope.state = PT_SCOPE_ENTERED_;
        groups[i].owner = &running[i].task;
        pt_wait_queue_init_(&groups[i].members);
    }
}

/* What tasks before have left in a frame. */
static void leave(struct child *frame)
{
    frame->n = rand();
    for (int i = 0; i < REST; i++)
        frame->rest[i] = (unsigned char)(1 + rand() % 255);
#ifdef CLASSES
    frame->text = "left";
    frame->five = 6;
#endif
}

static void leave_in_all(void)
{
    for (int i = 0; i < FOUR; i++) {
        leave(&frames[i]);
        leave(&tasks[i].frame);
        for (int j = 0; j < 4; j++)
            leave(&pools[i].items[j].frame);
    }
}

/* The same, on the system. Nothing can be read yet. */
static void ready_on_the_host(void)
{
    pt_system_open(&host, &loop, NULL);
    for (int i = 0; i < FOUR; i++) {
        socklen_t length = sizeof addresses[i];
        int listener = socket(AF_INET, SOCK_STREAM, 0);

        pt_writer_init_memory(&texts[i], written[i], sizeof written[i]);
        addresses[i].sin_family = AF_INET;
        addresses[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (bind(listener, (struct sockaddr *)&addresses[i], length) || listen(listener, 9) ||
            getsockname(listener, (struct sockaddr *)&addresses[i], &length) ||
            socketpair(AF_UNIX, SOCK_STREAM, 0, readers[i]) ||
            socketpair(AF_UNIX, SOCK_STREAM, 0, writers[i]))
            exit(2);
        to[i] = i ? (struct sockaddr *)&addresses[i] : NULL;
        parts[i].iov_base = &bytes[i];
        parts[i].iov_len = 1;
        pt_io_open(&listeners[i], &host, listener);
        pt_io_open(&ios[i], &host, readers[i][0]);
        pt_io_open(&outs[i], &host, writers[i][0]);
        pt_io_open(&fresh[i], &host, socket(AF_INET, SOCK_STREAM, 0));
        pt_signals_open(&signal_sets[i], &host);
    }
    pt_signals_watch(&signal_sets[0], SIGUSR1);
}

static void put(void)
{
    if (write(readers[0][1], bytes, 1) != 1)
        exit(2);
}

static void hang_up(void)
{
    close(readers[0][1]);
}

/* Nothing more can be written to outs[0], until it is drained. */
static void fill(void)
{
    while (send(writers[0][0], &number, sizeof number, MSG_DONTWAIT) > 0)
        ;
}

static void drain(void)
{
    while (recv(writers[0][1], &number, sizeof number, MSG_DONTWAIT) > 0)
        ;
}

static void dial(void)
{
    if (connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&addresses[0],
                sizeof addresses[0]))
        exit(2);
}
