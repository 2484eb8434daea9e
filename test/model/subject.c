/* subject.c - runs a script on pt
 * SPDX-License-Identifier: MIT */
#include "nests.h"

#include <limits.h>

/* Get the next operation of the list; false at the end of the list or the block. */
static bool next_op(struct position *at, const struct pt *pt)
{
    static const struct op end = {OP_END, {0}};
    const struct code *code = code_of(at);

    log_event(EVENT_STEP, at)->code = from_status(pt->status);
    at->op = at->pc == code->count ? &end : &code->ops[at->pc++];
    return at->op->kind != OP_END;
}

#if PT_TIMEOUTS || PT_GROUPS || PT_HAS_SCOPES_
static void enter(struct position *at, int level)
{
    at->begin[level] = at->pc - 1;
    at->slot[level] = at->op->arg[0];
}

/* The block of LEVEL was left. */
static void left(struct position *at, int level)
{
    static const struct op nothing = {OP_NOTHING, {0}};
    struct tidy *frame = frame_of(MODEL_SELF, at->level);
    const struct op *op = &code_of(at)->ops[at->begin[level]];
    struct event *event;

    at->op = &nothing;
    at->pc = at->begin[level];
    event = log_event(EVENT_LEFT, at);
    at->pc = code_end(code_of(at), at->begin[level]) + 1;
#if PT_GROUPS
    if (op->kind == OP_GROUP) {
        const struct pt_group *group = &frame->groups[op->arg[0]];

        event->b = group->decider ? number_of(group->decider) : -1;
        event->code = from_status(group->status);
        return;
    }
#endif
#if PT_TIMEOUTS
    if (op->kind == OP_TIMED)
        event->a = pt_timed_out(&frame->scopes[op->arg[0]]);
#endif
}
#endif

static void begin_cleanup(struct position *at, const struct pt *pt)
{
    struct event *event;

    at->pc = 0;
    at->cleanup = true;
    event = log_event(EVENT_CLEANUP, at);
    event->code = from_status(pt->result);
#if PT_GROUPS
    for (int i = 0; i < MODEL_SLOTS; i++) /* is this frame the owner of an open group? */
        event->a += pt_group_add(&frame_of(MODEL_SELF, at->level)->groups[i],
                                 task_named(MODEL_SELF)) != PT_EINVAL;
#endif
}

/* The operations that need no macro of a body. */
static void act(struct op op, const struct position *at)
{
    switch (op.kind) {
    case OP_WAKE: pt_wake(task_named(op.arg[0])); break;
#if PT_PAUSE
    case OP_PAUSE: pt_pause(task_named(op.arg[0])); break;
    case OP_RESUME: pt_resume(task_named(op.arg[0])); break;
#endif
#if PT_CANCEL && PT_HAS_MEMBERS_
    case OP_CANCEL: pt_cancel(task_named(op.arg[0]), to_status(op.arg[1])); break;
    case OP_CANCEL_ALL: {
        bool told = pt_loop_cancel(&subject.loops[0], to_status(op.arg[0]));

        log_event(EVENT_CODE, at)->code = told;
        break;
    }
#endif
#if PT_GROUPS
    case OP_GROUP_CANCEL:
        pt_group_cancel(group_named(op.arg[0], op.arg[1], op.arg[2]), to_status(op.arg[3]));
        break;
    case OP_GROUP_ADD: {
        pt_status status =
            pt_group_add(group_named(op.arg[0], op.arg[1], op.arg[2]), task_named(op.arg[3]));

        log_event(EVENT_CODE, at)->code = from_status(status);
        break;
    }
#endif
#if PT_SLOWMO
    case OP_SLOW: pt_loop_slow(&subject.loops[op.arg[0]], (uint64_t)op.arg[1]); break;
#endif
    case OP_UPDATE: update(at, op.arg[0], op.arg[1]); break;
    case OP_WORK: subject.clock = (pt_time)(subject.clock + (pt_time)op.arg[0]); break;
    case OP_NOBODY:
        if (op.arg[0] != NOBODY_JOINS)
            log_event(EVENT_CODE, at)->code = from_status(for_nobody(op.arg[0], op.arg[1]));
        break;
    default:
        if (op.kind >= OP_WAIT_EVENT && op.kind < OP_NEST)
            sync_act(op, at);
        break;
    }
}

/* --- the functions --- */

#define IS(name) (self->at.op->kind == OP_##name)
#define ARG(n) (self->at.op->arg[n])
#define WITHIN_0(scope, delay) PT_WITH_TIMEOUT(scope, to_delay(delay))
#define WITHIN_1(scope, delay) PT_WITH_DEADLINE(scope, (pt_time)(PT_NOW() + (pt_time)((delay)-2)))
#define CASE(n) add_case(pt_current_, &self->kit, n, ARG(n))
#define LEVEL 0

static PT_DECLARE(plain);

static PT_ASYNC(tidy, self)
{
#include "level.h"
    PT_FINALLY
    begin_cleanup(&self->at, pt_);
#include "level.h"
}
PT_END

static PT_ASYNC(plain, self){
#include "level.h"
} PT_END

/* --- the run --- */

static void outside(struct op op)
{
    struct pt_loop *loop;
    pt_status status;

    if (op.kind != OP_SPAWN) {
        act(op, NULL);
        return;
    }
    loop = &subject.loops[subject.script->home[op.arg[0]]];
    if (is_tidy(op.arg[0]))
        status = PT_START(loop, &subject.slots[op.arg[0]].tidy, tidy, .at = base(op.arg[0]));
    else
        status = PT_START(loop, &subject.slots[op.arg[0]].plain, plain, .at = base(op.arg[0]));
    log_event(EVENT_CODE, NULL)->code = from_status(status);
}

#if PT_PAUSE
#define PAUSED(task) pt_task_paused(task)
#else
#define PAUSED(task) false
#endif
#if PT_CANCEL
#define CANCELED(task) pt_task_canceled(task)
#else
#define CANCELED(task) false
#endif

static void log_turn(pt_time next, int nap)
{
    struct event *event = log_event(EVENT_TURN, NULL);
    bool never = (pt_time)(next - subject.loops[0].now) == PT_DELAY_NEVER;

    event->a = never ? INT_MAX : from_time(next);
    event->b = nap;
    for (int i = 0; i < MODEL_TASKS; i++) {
        const struct pt_task *task = task_named(i);
        unsigned all = (unsigned)pt_task_alive(task) | (unsigned)pt_task_done(task) << 1 |
                       (unsigned)PAUSED(task) << 2 | (unsigned)CANCELED(task) << 3 |
                       (unsigned)from_status(pt_task_status(task)) << 4;

        event->all |= (uint64_t)all << 8 * i;
    }
}

#if PT_HAS_CLOCK_
static pt_time read_clock(void *context)
{
    (void)context;
    return subject.clock;
}

/* A turn of the outermost loop and the batches after it, as pt_loop_run runs them. */
static pt_time turn_on_port(struct pt_loop *loop)
{
    static struct pt_port port = {read_clock, NULL, NULL, NULL, NULL, NULL, 0, false};

    port.grain = (pt_time)subject.script->grain;
    port.is_cheap = !subject.script->dear;
    loop->port = &port;
    pt_loop_set_delay_clock_(loop, &port);
    if (subject.script->most)
        loop->sleepers.most = loop->sleepers.room = (unsigned)subject.script->most;
#if PT_FAST_
    return pt_fast_turn_(loop, subject.clock, MODEL_STEPS);
#else
    return pt_loop_turn(loop, subject.clock);
#endif
}

/* How long pt_loop_run sleeps before the turn at NEXT. */
static int nap_until(struct pt_loop *loop, pt_time next)
{
    pt_time now = loop->now;

    if (pt_loop_reading_is_old_(loop) || !pt_loop_next_is_ahead_(loop, &now, next))
        return NAP_NONE;
    return (pt_time)(next - now) == PT_DELAY_NEVER ? NAP_ENDLESS : (int)(pt_time)(next - now);
}
#endif

static void run_turn(bool by_hand)
{
    struct pt_loop *loop = &subject.loops[0];

#if PT_HAS_CLOCK_
    if (!by_hand) {
        pt_time next = turn_on_port(loop);

        log_turn(next, nap_until(loop, next));
        return;
    }
#endif
    (void)by_hand;
    pt_loop_set_delay_clock_(loop, NULL);
    log_turn(pt_loop_turn(loop, subject.clock), NAP_NONE);
}

#if PT_HAS_BUCKETS_ && PT_BUCKETS_FROM_ < 16
/* The model has few tasks; so a row of test/model/run has buckets for fewer. */
static void use_buckets(int loop)
{
    enum { CHUNKS = 16 };
    static struct pt_buckets_ far[MODEL_LOOPS];
    static struct pt_heap_entry entries[MODEL_LOOPS][CHUNKS * PT_CHUNK_];
    static struct pt_chunk_ chunks[MODEL_LOOPS][CHUNKS];

    pt_buckets_init_(&far[loop]);
    far[loop].entries = entries[loop];
    far[loop].chunks = chunks[loop];
    far[loop].room = CHUNKS;
    subject.loops[loop].timers.later = &far[loop];
}
#else
#define use_buckets(loop) ((void)(loop))
#endif

void subject_begin(const struct script *script, struct trace *trace)
{
    memset(&subject, 0, sizeof subject);
    subject.script = script;
    subject.trace = trace;
    trace_begin(trace);
    objects_begin();
    subject.clock = START;
    for (int i = 0; i < MODEL_LOOPS; i++) {
        pt_loop_init(&subject.loops[i], START);
        pt_loop_use(&subject.loops[i], &subject.storage[i]);
        use_buckets(i);
#if PT_INSPECT
        if (script_meddles(script))
            watch(i);
#endif
    }
    for (int i = 0; i < MODEL_TASKS; i++)
        if (script->started & 1u << i)
            outside((struct op){OP_SPAWN, {(signed char)i}});
    trace->count = 0; /* all spawns succeeded */
}

void subject_turn(int number)
{
    const struct turn *turn = &subject.script->turn[number];

    subject.turn = number;
#if PT_INSPECT
    count_anew();
#endif
    outside(turn->outside);
    subject.clock = (pt_time)(subject.clock + (pt_time)turn->jump);
    run_turn(turn->by_hand);
    log_objects();
}

void subject_end(void)
{
    unsigned live = 0;

    for (int i = 0; i < MODEL_LOOPS; i++)
        live += pt_loop_live(&subject.loops[i]);
    if (!live)
        settle();
}

void subject_run(const struct script *script, struct trace *trace)
{
    subject_begin(script, trace);
    for (int i = 0; i < script->turns; i++)
        subject_turn(i);
    subject_end();
}
