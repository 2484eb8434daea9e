/* fake_scopes.c - runs the code of doc/recipes.md about blocks and groups, in virtual time
 * SPDX-License-Identifier: MIT */
#include "scopes.c"

#include <pt/virtual.h>

#include <stdio.h>
#include <stdlib.h>

static struct pt_virtual world;
static struct pt_loop loop;
static char stack[64 << 10];

#define EXPECT(condition) (condition) ? (void)0 : failed(#condition, __LINE__)

static void failed(const char *condition, int line)
{
    printf("line %d: not %s, at %d ms\n", line, condition, (int)(world.now / PT_MS(1)));
    exit(1);
}

static void open_world(void)
{
    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_open(&loop, &world.port);
}

/* Run until MS. */
static void run(int ms)
{
    while (pt_loop_live(&loop) && world.now < (pt_time)ms * PT_MS(1)) {
        pt_time next = pt_loop_turn(&loop, world.now), end = (pt_time)ms * PT_MS(1);

        if (pt_loop_idle(&loop))
            world.now = pt_time_before(next, end) ? next : end;
    }
}

static void close_world(pt_time ends)
{
    EXPECT(pt_loop_run(&loop) == PT_OK);
    EXPECT(world.now == ends);
    pt_loop_close(&loop);
}

static void scope(void)
{
    static PT_TASK(editor) editor;

    open_world();
    PT_START(&loop, &editor, editor);
    run(5000);
    key_escape(&editor.frame);
    run(5500);
    EXPECT(editor.frame.found == PT_ECANCELED && pt_task_alive(&editor.task));
    key_escape(&editor.frame); /* too late: no search runs */
    close_world(PT_SEC(6));
    EXPECT(pt_task_status(&editor.task) == PT_OK);
}

static struct pt_group part;
static pt_status found;

static pt_status native_editor(struct pt_native *self)
{
    found = search(self, &part);
    return pt_native_wait(self, PT_SEC(1));
}

static void native_scope(void)
{
    static PT_TASK(pt_native) task;

    open_world();
    PT_START(&loop, &task, pt_native, .function = native_editor, .stack = stack,
             .bytes = sizeof stack);
    run(5000);
    pt_group_cancel(&part, PT_ECANCELED);
    close_world(PT_SEC(6));
    EXPECT(found == PT_ECANCELED && pt_task_status(&task.task) == PT_OK);
}

static void moved(pt_time to, pt_time ends)
{
    static PT_TASK(rental) rental;

    open_world();
    PT_START(&loop, &rental, rental);
    run(5000);
    extend(&rental.frame, to);
    close_world(ends);
    EXPECT(rental.frame.returned == (ends == PT_SEC(60)));
}

static void left(void)
{
    static PT_TASK(request) request;

    open_world();
    PT_START(&loop, &request, request);
    close_world(PT_SEC(2));
    EXPECT(request.frame.query.left == PT_SEC(3));
}

static void shielded(pt_time at, bool all)
{
    static PT_TASK(saver) saver;

    open_world();
    PT_START(&loop, &saver, saver);
    run(100);
    if (all)
        pt_loop_cancel(&loop, PT_ECANCELED);
    else
        pt_cancel(&saver.task, PT_ECANCELED);
    close_world(at);
    EXPECT(saver.frame.commit.written == 2 && !saver.frame.went_on);
    EXPECT(pt_task_status(&saver.task) == PT_ECANCELED);
}

/* It is canceled before it awaits the part. */
struct late_saver {
    struct pt pt;
    struct commit commit;
};

static PT_ASYNC(late_saver, self)
{
    PT_YIELD();
    pt_loop_cancel(&loop, PT_ECANCELED);
    PT_WAIT_COMPLETE(&self->commit, commit);
    failed("the cancel comes", __LINE__);
}
PT_END

static void shielded_late(void)
{
    static PT_TASK(late_saver) saver;

    open_world();
    PT_START(&loop, &saver, late_saver);
    close_world(PT_SEC(1) + PT_MS(500));
    EXPECT(saver.frame.commit.written == 2);
}

static int written;

static pt_status native_saver(struct pt_native *self)
{
    written = native_commit(self);
    return pt_native_wait(self, PT_SEC(1));
}

static void native_shielded(void)
{
    static PT_TASK(pt_native) task;

    open_world();
    PT_START(&loop, &task, pt_native, .function = native_saver, .stack = stack,
             .bytes = sizeof stack);
    run(100);
    pt_cancel(&task.task, PT_ECANCELED);
    close_world(PT_SEC(1));
    EXPECT(written == 1 && pt_task_status(&task.task) == PT_ECANCELED);
}

static int shown;

static void show(const struct answer *answer)
{
    EXPECT(answer->mirror == MIRRORS - 1 - shown);
    EXPECT(answer->status == (answer->mirror ? PT_OK : PT_EIO));
    shown++;
    EXPECT(world.now == PT_SEC(shown));
}

static void in_order(void)
{
    static PT_TASK(mirrors) mirrors;
    static const struct answer stale = {0, PT_OK};

    open_world();
    PT_QUEUE_INIT(&answers);
    EXPECT(PT_TRY_PUSH(&answers, &stale) == PT_OK); /* as a run that was canceled leaves one */
    PT_START(&loop, &mirrors, mirrors, .show = show);
    close_world(PT_SEC(3));
    EXPECT(shown == MIRRORS);
}

/* There is room for the owner and two tasks: it does not wait for the third answer. */
static void in_a_full_loop(void)
{
    static PT_TASK(mirrors) mirrors;
    static PT_LOOP_STORAGE(MIRRORS) storage;

    pt_virtual_init(&world, 0, &pt_posix);
    pt_loop_init(&loop, world.now);
    pt_loop_use(&loop, &storage);
    shown = 1; /* not the fastest, which is the third */
    PT_START(&loop, &mirrors, mirrors, .show = show);
    run(4000);
    EXPECT(shown == MIRRORS);
    EXPECT(!pt_task_alive(&mirrors.task));
}

static void background(void)
{
    static PT_TASK(service) service;

    open_world();
    PT_START(&loop, &service, service);
    close_world(PT_SEC(3) + PT_MS(500));
    EXPECT(service.frame.heart.frame.beats == 3);
}

struct guest {
    struct pt pt;
    struct pt_group *group;
    PT_TASK(find) find;
};

static PT_ASYNC(guest, self)
{
    PT_SPAWN_IN(self->group, &self->find, find);
    PT_WAIT(PT_SEC(1));
}
PT_END

static void bundled(void)
{
    static PT_TASK(bundle) bundle;
    static PT_TASK(guest) guests[2];
    static PT_TASK(find) early;

    open_world();
    PT_START(&loop, &bundle, bundle, .complete = false);
    PT_START(&loop, &early, find);
    EXPECT(pt_group_add(&bundle.frame.group, &early.task) == PT_EINVAL); /* it has not begun */
    pt_cancel(&early.task, PT_ECANCELED);
    pt_loop_turn(&loop, world.now);
    for (int i = 0; i < 2; i++)
        PT_START(&loop, &guests[i], guest, .group = &bundle.frame.group);
    run(10000);
    bundle.frame.complete = true;
    pt_wake(&bundle.task);
    run(11000);
    EXPECT(pt_task_alive(&bundle.task) && !pt_task_alive(&guests[0].task));
    close_world(PT_SEC(60));
    EXPECT(pt_task_status(&bundle.task) == PT_OK);
}

int main(void)
{
    scope();
    native_scope();
    moved(PT_SEC(20), PT_SEC(20));
    moved(PT_SEC(7), PT_SEC(7));
    moved(PT_SEC(70), PT_SEC(60));
    left();
    shielded(PT_SEC(1) + PT_MS(500), false);
    shielded(PT_SEC(1) + PT_MS(500), true);
    shielded_late();
    native_shielded();
    in_order();
    in_a_full_loop();
    background();
    bundled();
    return 0;
}
