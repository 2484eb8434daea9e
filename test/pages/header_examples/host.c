/* host.c - the same for the headers of stack/ and host/
 * SPDX-License-Identifier: MIT */
#include <pt/host.h>
#include <pt/host/default_loop.h>
#include <pt/host/native_io.h>
#include <pt/native.h>
#include <pt/net/native_net.h>
#include <pt/stack/copied.h>
#include <pt/stack/tasklet.h>

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

struct blink {
    struct pt pt;
};
PT_DECLARE(blink);
struct rocket {
    struct pt pt;
    pt_time delay;
};
PT_DECLARE(rocket);
static struct pt_workers workers;
static struct pt_loop loop;
static char stack[8192], memory[8192];
static struct pt_fiber root;
static struct pt_lock lock;
static PT_CHANNEL(int) numbers;
static int total, price, number;
static pt_time now;

/* --- stack --------------------------------------------------------------------------------- */

void heads_of_stack(void), head_of_context(void), head_of_stacks(void), head_of_copied(void);
void head_of_native(void), head_of_tasklet(void), head_of_tools(void);
void entry(struct pt_context *self), parse(struct pt_fiber *self);
void *resize(void *context, void *block, size_t bytes);

#define think think_of_fiber
//@ stack/fiber.h 1

void heads_of_stack(void)
{
    static struct pt_fiber a, b;

    //@ stack/fiber.h 2
}

void head_of_copied(void)
{
    static struct pt_copied_stack stack;
    static struct pt_copied a, b;
    pt_status status;

    //@ stack/copied.h 1
    (void)status;
}
#undef think

void head_of_context(void)
{
    //@ stack/context.h 1 2
}

void head_of_stacks(void)
{
    static struct pt_stacks stacks;
    static struct pt_fiber fiber;
    char *stack;

    //@ stack/stack.h 1
}

//@ stack/native.h 1 2
void head_of_native(void)
{
    static PT_TASK(pt_native) task;

    //@ stack/native.h 3
}

struct page {
    int size;
};
pt_status fetch(struct pt_native *self, struct page *page);
pt_status serve(struct pt_native *self, struct pt_io *io);
pt_status heads_of_native(struct pt_native *self);
pt_status heads_of_native(struct pt_native *self)
{
    static PT_TASK(blink) helper, led;
    static struct pt_io io;
    PT_SELECTION(2) choice;
    struct pt_scope limit;
    struct page page;
    pt_status status;

    //@ stack/native_task.h 1
    //@ stack/native_block.h 1
    //@ stack/native_sync.h 1
    //@ stack/native_channel.h 1
    //@ stack/native_select.h 1
    //@ stack/native.h 5
}

//@ stack/tasklet.h 1
void head_of_tasklet(void)
{
    static struct pt_tasklet tasklet;
    static void *argument;

    //@ stack/tasklet.h 2
}

static jmp_buf escape;
void head_of_tools(void)
{
    static struct pt_landing landing;

    //@ stack/tools.h 1
}

/* --- host ---------------------------------------------------------------------------------- */

//@ host/native_io.h 1 2
void head_of_default_loop(void), head_of_system(void), head_of_team(void);
static struct pt_system sys; /* stdlib.h has a function `system` */
static const struct sockaddr *address;
static socklen_t length;

void head_of_default_loop(void)
{
    static PT_TASK(rocket) task;

    //@ host/default_loop.h 1 2
}

struct server {
    struct pt pt;
    struct pt_system *system;
    struct pt_io *io;
};
PT_DECLARE(server);
#define serve server
void head_of_system(void)
{
    static PT_TASK(server) server;

    //@ host/system.h 1 2 3
}

//@ host/find_stuck.h 1

//@ host/live.h 1
void head_of_live(void)
{
    //@ host/live.h 2
}

void head_of_team(void)
{
    static struct pt_team team;
    static struct {
        struct pt_io io;
        PT_TASK(server) task;
    } servers[8];

    //@ host/team.h 1
    //@ host/find_stuck.h 2
}

//@ host/io.h 1
PT_ASYNC(echo, self)
{
    //@ host/io.h 2 3
}
PT_END

void library_process(void *library, int fd, int events);
void library_free(void *library);
//@ host/pollset.h 1
struct head_of_pollset {
    struct pt pt;
    struct pt_pollset set;
    struct pt_pollset_wait next;
    void *library;
};
PT_ASYNC(head_of_pollset, self)
{
    (void)want;
    //@ host/pollset.h 2 3
}
PT_END

//@ host/stream.h 1
PT_ASYNC(talk, self)
{
    //@ host/stream.h 2
}
PT_END

struct head_of_file {
    struct pt pt;
    struct pt_io io;
    struct pt_file_load load;
    struct pt_file_replace replace;
    struct pt_file_open open;
    struct pt_send_file send;
    int fd;
    size_t length;
    char page[80], text[80];
};
PT_ASYNC(head_of_file, self)
{
    //@ host/blocking.h 3 4
}
PT_END

struct feed {
    struct pt pt;
    struct pt_io *io;
};
PT_DECLARE(feed);
struct print_lines {
    struct pt pt;
    struct pt_io *io;
};
PT_DECLARE(print_lines);
struct head_of_process {
    struct pt pt;
    struct pt_scope limit;
    struct pt_run_process sort;
    char text[80], why[80];
    struct pt_process child;
    struct pt_group group;
    PT_TASK(pt_wait_process) end;
    PT_TASK(feed) feeder;
    struct print_lines lines;
};
PT_ASYNC(head_of_process, self)
{
    //@ host/process.h 1
    //@ host/process.h 2
}
PT_END

struct head_of_resolve {
    struct pt pt;
    struct pt_resolve lookup;
};
PT_ASYNC(head_of_resolve, self)
{
    const struct pt_address *address;

    //@ host/resolve.h 1
    (void)address;
}
PT_END

struct head_of_net {
    struct pt pt;
    struct pt_io io;
    struct pt_dial dial;
    struct pt_scope limit;
};
PT_ASYNC(head_of_net, self)
{
    static struct pt_io listener;
    pt_status status;

    //@ net/net.h 1 2
}
PT_END

void head_of_native_net(struct pt_native *self);
void head_of_native_net(struct pt_native *self)
{
    static struct pt_io io;
    pt_status status;

    //@ net/native_net.h 1
}

pt_status talk(struct pt_native *self);
void start_of_native_net(struct pt_loop *loop, struct pt_io *peer);
void start_of_native_net(struct pt_loop *loop, struct pt_io *peer)
{
    static struct pt_stacks stacks;
    pt_status status;

    //@ net/native_net.h 2 3
    (void)status;
}

#define echo served_echo
struct echo {
    struct pt pt;
    struct pt_io io;
};
PT_DECLARE(echo);
//@ net/serve.h 1 2
void head_of_serve(void);
void head_of_serve(void)
{
    static PT_TASK(pt_serve) server;
    static struct pt_io listener;

    //@ net/serve.h 3
}
#undef echo

static struct pt_signals signals;
struct head_of_signals {
    struct pt pt;
    int number;
};
PT_ASYNC(head_of_signals, self)
{
    //@ host/signals.h 1 2
}
PT_END

void head_of_watchdog(void)
{
    //@ host/watchdog.h 1 2
}

void load(void *argument);
struct head_of_blocking {
    struct pt pt;
    struct pt_blocking call;
};
PT_ASYNC(head_of_blocking, self)
{
    //@ host/blocking.h 2
}
PT_END

void head_of_save(void);
static struct pt_trace trace;
void head_of_save(void)
{
    //@ host/save.h 1
}
