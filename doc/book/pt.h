#if CHAPTER == 2
/* pt.h - a function that continues where it stopped */
#elif CHAPTER == 3
/* pt.h - resumable functions; the place is one byte */
#elif CHAPTER == 4
/* pt.h - resumable functions, and a loop that runs them in turn */
#elif CHAPTER == 5
/* pt.h - resumable functions, a loop that runs them in turn, and sleep */
#else
/* pt.h - pt in miniature */
#endif
#ifndef PT_H
#define PT_H

#if CHAPTER >= 3
#include <assert.h>
#endif
#include <stdbool.h>
#if CHAPTER >= 3
#include <stdint.h>
#include <string.h>
#endif

#if CHAPTER >= 6
//- codes
/* --- codes --- */

/* EBUSY: the task still runs. EINVAL: it was never started. ERANGE: a delay is too long. EDEADLK: nothing
 * can end the wait. */
enum { PT_OK, PT_ECANCELED = -1, PT_EBUSY = -2, PT_EINVAL = -3, PT_ERANGE = -4, PT_EDEADLK = -5, PT_ECLOSED = -6 };
typedef signed char pt_status;

#endif
#if CHAPTER >= 5
//- time
/* --- time: nanoseconds. The clock wraps, so only differences mean something --- */

typedef uint64_t pt_time;
#define PT_MS(n) ((pt_time)(n) * 1000000u)
#define PT_DELAY_NEVER (~(pt_time)0 >> 1)
#define PT_DELAY_MAX (PT_DELAY_NEVER - 1)

#define pt_time_before(a, b) ((pt_time)((a) - (b)) > PT_DELAY_NEVER)

#endif
/* --- a resumable function and its frame --- */

#if CHAPTER == 2
//- frame
/* The first member of every frame: the place where the function continues. */
struct pt {
    int label;
};

//- async
/* PT_ASYNC(name, self) { ... } PT_END - a function whose locals live in struct name */
#define PT_ASYNC(name, self)          \
    bool name##_next(struct name *self) \
    {                                 \
        switch (self->pt.label)       \
        case 0:

//- yield
/* PT_YIELD - return true; the next call continues after it */
#define PT_YIELD()                  \
    do {                            \
        self->pt.label = __LINE__;  \
        return true;                \
    case __LINE__:;                 \
    } while (0)

//- end
#define PT_END            \
    self->pt.label = -1;  \
    return false;         \
    }
#endif
#if CHAPTER >= 3
#if CHAPTER >= 6
//- opcodes
/* What a function asks of the loop when it returns. */
#if CHAPTER == 6
enum pt_opcode { PT_OP_DONE, PT_OP_YIELD, PT_OP_WAIT, PT_OP_SPAWN };
#elif CHAPTER == 7
enum pt_opcode { PT_OP_DONE, PT_OP_YIELD, PT_OP_WAIT, PT_OP_SPAWN, PT_OP_AWAIT };
#else
enum pt_opcode { PT_OP_DONE, PT_OP_YIELD, PT_OP_WAIT, PT_OP_SPAWN, PT_OP_AWAIT, PT_OP_PARK };
#endif
typedef struct { uint8_t code; } pt_op;

#endif
//- fn
struct pt;
#if CHAPTER >= 4
struct pt_task;
#endif
#if CHAPTER == 3
typedef bool pt_fn(struct pt *frame);
#elif CHAPTER <= 5
typedef bool pt_fn(struct pt *frame, struct pt_task *task);
#else
typedef pt_op pt_fn(struct pt *frame, struct pt_task *task);
#endif

//- frame
/* The first member of every frame. */
struct pt {
    pt_fn *fn;
#if CHAPTER >= 7
    struct pt *caller; /* who awaits this frame; NULL: nobody */
#endif
#if CHAPTER >= 9
    uint8_t label;     /* where it continues: 0 at the beginning, or one of those below */
    bool cleaning, shielded; /* it is past PT_FINALLY; a cleanup awaits it */
#else
    uint8_t label; /* where it continues: 0 at the beginning */
#endif
#if CHAPTER >= 6
    pt_status status;  /* how the last operation ended; at the end: the function */
    pt_status result;  /* what the function will return */
#endif
};
#if CHAPTER >= 9
enum { PT_AT_CLEANUP = 254, PT_AT_END = 255 };
#else
enum { PT_AT_END = 255 };
#endif

//- lost
/* No case has this label: false, and the body is skipped. That is right only at the end. */
#if CHAPTER < 9
#define PT_NO_CASE_(label) \
    (assert((label) == PT_AT_END && "there is no PT_YIELD in a switch of your own"), false)
#else
#define PT_NO_CASE_(label) \
    (assert((label) >= PT_AT_CLEANUP && "there is no PT_YIELD in a switch of your own"), false)
#endif

//- async
/* PT_ASYNC(name, self) { ... } PT_END - a function whose locals live in struct name */
#define PT_FN(name) name##_pt_
#if CHAPTER == 3
#define PT_ASYNC(name, self)                            \
    bool PT_FN(name)(struct pt *pt_)                    \
    {                                                   \
        enum { pt_base_ = __COUNTER__ };                \
        struct name *self = (struct name *)(void *)pt_; \
        (void)self;                                     \
        switch (pt_->label)                             \
        default: if (PT_NO_CASE_(pt_->label))           \
        case 0:
#elif CHAPTER <= 5
#define PT_ASYNC(name, self)                                 \
    bool PT_FN(name)(struct pt *pt_, struct pt_task *task_)  \
    {                                                        \
        enum { pt_base_ = __COUNTER__ };                     \
        struct name *self = (struct name *)(void *)pt_;      \
        (void)self, (void)task_;                             \
        switch (pt_->label)                                  \
        default: if (PT_NO_CASE_(pt_->label))                \
        case 0:
#else
#define PT_ASYNC(name, self)                                 \
    pt_op PT_FN(name)(struct pt *pt_, struct pt_task *task_) \
    {                                                        \
        enum { pt_base_ = __COUNTER__ };                     \
        struct name *self = (struct name *)(void *)pt_;      \
        (void)self, (void)task_;                             \
    pt_again_: __attribute__((unused));                      \
        switch (pt_->label)                                  \
        default: if (PT_NO_CASE_(pt_->label))                \
        case 0:
#endif

//- end
#if CHAPTER <= 5
#define PT_END               \
    pt_->label = PT_AT_END;  \
    return false;            \
    }
#else
#define PT_END                   \
    pt_->label = PT_AT_END;      \
    pt_->status = pt_->result;   \
    return (pt_op){PT_OP_DONE};  \
    }
#endif

//- suspend
#if CHAPTER <= 5
/* PT_SUSPEND - store the place, return, and continue here at the next call */
#define PT_SUSPEND() PT_SUSPEND_AT_(__COUNTER__ - pt_base_)
#define PT_SUSPEND_AT_(place)  \
    do { pt_->label = (place); return true; case place:; } while (0)
#define PT_YIELD() PT_SUSPEND()
#else
/* PT_SUSPEND - store the place, return the opcode, and go on here at the next call */
#define PT_SUSPEND(op) PT_SUSPEND_AT_(op, __COUNTER__ - pt_base_)
#define PT_SUSPEND_AT_(op, place)  \
    do { pt_->label = (place); return (pt_op){op}; case place:; } while (0)
#define PT_YIELD() PT_SUSPEND(PT_OP_YIELD)

//- return
#if CHAPTER < 9
/* PT_RETURN - end with CODE */
#define PT_RETURN(code) \
    do { pt_->result = (pt_status)(code); pt_->label = PT_AT_END; goto pt_again_; } while (0)
#else
/* PT_RETURN - end with CODE; the cleanup runs first */
#define PT_RETURN(code)                                          \
    do {                                                         \
        pt_->result = (pt_status)(code);                         \
        pt_->label = pt_->cleaning ? PT_AT_END : PT_AT_CLEANUP;  \
        goto pt_again_;                                          \
    } while (0)

//- finally
/* PT_FINALLY - what follows runs once, however the function ends */
#define PT_FINALLY if (false) { case PT_AT_CLEANUP:; } pt_->cleaning = true;
#endif
#endif

//- init
/* PT_INIT(&frame, name, .a = 1) - a frame at its beginning; the fields that are not named are zero */
#define PT_INIT(frame, ...) PT_INIT_(frame, __VA_ARGS__, )
#define PT_INIT_(frame, name, ...) \
    ((void)(*(frame) = (struct name){.pt = {.fn = PT_FN(name)}, __VA_ARGS__}))

//- next
/* --- generators: a function without a loop --- */

/* pt_next - to the next PT_YIELD; false: it has ended */
static inline bool pt_next(struct pt *frame)
{
#if CHAPTER == 3
    return frame->fn(frame);
#elif CHAPTER <= 5
    return frame->fn(frame, NULL);
#else
    pt_op op = frame->fn(frame, NULL);

    assert(op.code <= PT_OP_YIELD && "pt_next cannot wait: start it in a loop");
    return op.code != PT_OP_DONE;
#endif
}
#if CHAPTER >= 9

//- close
/* End a function early: its next resume is its cleanup, if it has begun. */
static inline void pt_unwind_(struct pt *frame, pt_status reason)
{
    if (!frame->cleaning && frame->label != PT_AT_END) {
        frame->result = reason;
        frame->label = frame->label ? PT_AT_CLEANUP : PT_AT_END;
    }
}

/* pt_close - end a generator early: its cleanup runs to its end */
static inline pt_status pt_close(struct pt *frame)
{
    pt_unwind_(frame, PT_ECANCELED);
    while (pt_next(frame))
        ;
    return frame->status;
}
#endif
#endif
#if CHAPTER >= 4

//- states
/* --- tasks and loops --- */

#if CHAPTER == 4
enum pt_state { PT_IDLE, PT_READY, PT_ENDED };
#elif CHAPTER <= 7
enum pt_state { PT_IDLE, PT_READY, PT_SLEEPING, PT_ENDED };
#else
/* LISTED: in the lists of its waiters. */
enum pt_state { PT_IDLE, PT_READY, PT_SLEEPING, PT_PARKED, PT_LISTED, PT_ENDED };
#endif

//- list
/* One place in one list. */
struct pt_waiter {
    struct pt_waiter *next;
    struct pt_task *task;
#if CHAPTER >= 8
    struct pt_list *list; /* NULL: in none */
#endif
#if CHAPTER >= 10
    void *item;           /* the value to send, or where the received one goes */
#endif
};

struct pt_list { struct pt_waiter *first, *last; };

//- task
struct pt_task {
#if CHAPTER < 7
    struct pt *base; /* its frame */
#else
    struct pt *top, *base; /* the innermost frame, and the outermost */
#endif
    struct pt_loop *loop;
    struct pt_waiter turn; /* its place among the ready ones */
    enum pt_state state;
#if CHAPTER >= 5
    pt_time at;     /* when it wakes */
    uint64_t order; /* among equal times */
    size_t place;   /* in the heap */
#endif
#if CHAPTER >= 6
    void *operand;  /* of the opcode: a task, a frame */
#endif
#if CHAPTER >= 8
    bool permit;    /* woken before it parked */
    struct pt_list joiners;
    struct pt_waiter own, *waiters; /* its place in another list; all its places */
    int count, chosen;              /* how many places; which one ended the wait */
    pt_status given;                /* how the wait ended */
#endif
#if CHAPTER >= 9
    bool canceled;                  /* its frames go to their cleanups */
    pt_status reason;
#endif
};

/* PT_TASK(name) - storage of a task and its frame. It must be zero at first. */
#define PT_TASK(name) struct { struct pt_task task; struct name frame; }

#if CHAPTER >= 5
//- port
/* How a loop reaches its system. */
struct pt_port {
    pt_time (*now)(void *context);
    bool (*idle)(void *context, pt_time now, pt_time until); /* false: nothing can happen any more */
    void *context; /* what the functions get first */
};

/* Room in the heap. A program with more sleepers defines it before. */
#ifndef PT_LOOP_TASKS
#define PT_LOOP_TASKS 1024
#endif
#endif
//- loop
struct pt_loop {
    struct pt_list ready;
    struct pt_task *current;
    unsigned live;
#if CHAPTER >= 5
    struct pt_task *sleepers[PT_LOOP_TASKS]; /* a heap: no task wakes later than its children */
    size_t sleeping; /* how many they are */
    uint64_t armed;  /* how many sleeps began: each gets its number as its order */
    pt_time now;     /* of this turn */
    const struct pt_port *port;
#endif
};

//- lists
/* --- lists --- */

static inline void pt_list_add(struct pt_list *list, struct pt_waiter *waiter)
{
    waiter->next = NULL;
#if CHAPTER >= 8
    waiter->list = list;
#endif
    if (list->first)
        list->last->next = waiter;
    else
        list->first = waiter;
    list->last = waiter;
}

#if CHAPTER < 8
static inline struct pt_waiter *pt_list_take(struct pt_list *list)
{
    struct pt_waiter *first = list->first;

    list->first = first->next;
    return first;
}
#else
static inline void pt_list_remove(struct pt_waiter *waiter)
{
    struct pt_list *list = waiter->list;
    struct pt_waiter **link = &list->first, *before = NULL;

    for (; *link != waiter; link = &before->next)
        before = *link;
    *link = waiter->next;
    if (list->last == waiter)
        list->last = before;
    waiter->list = NULL;
}
#endif

static inline void pt_make_ready_(struct pt_task *task)
{
    task->state = PT_READY;
    pt_list_add(&task->loop->ready, &task->turn);
}

#if CHAPTER >= 5
//- heap
/* --- the heap of sleepers --- */

static inline bool pt_earlier_(const struct pt_task *a, const struct pt_task *b)
{
    return a->at != b->at ? pt_time_before(a->at, b->at) : a->order < b->order;
}

static inline void pt_heap_put_(struct pt_loop *loop, size_t place, struct pt_task *task)
{
    loop->sleepers[place] = task;
    task->place = place;
}

/* Put TASK at PLACE, or where it belongs above or below. */
static inline void pt_heap_settle_(struct pt_loop *loop, size_t place, struct pt_task *task)
{
    struct pt_task **heap = loop->sleepers;

    for (; place > 0 && pt_earlier_(task, heap[(place - 1) / 2]); place = (place - 1) / 2)
        pt_heap_put_(loop, place, heap[(place - 1) / 2]);
    for (size_t child = 2 * place + 1; child < loop->sleeping; child = 2 * place + 1) {
        if (child + 1 < loop->sleeping && pt_earlier_(heap[child + 1], heap[child]))
            child++;
        if (!pt_earlier_(heap[child], task))
            break;
        pt_heap_put_(loop, place, heap[child]);
        place = child;
    }
    pt_heap_put_(loop, place, task);
}

//- remove
static inline void pt_heap_remove_(struct pt_loop *loop, struct pt_task *task)
{
    struct pt_task *last = loop->sleepers[--loop->sleeping];

    if (last != task)
        pt_heap_settle_(loop, task->place, last);
}

//- sleep
static inline void pt_sleep_(struct pt_loop *loop, struct pt_task *task)
{
    if (pt_time_before(task->at, loop->now))
        task->at = loop->now;
    assert(loop->sleeping < PT_LOOP_TASKS && "PT_LOOP_TASKS is too small");
    task->state = PT_SLEEPING;
    task->order = loop->armed++;
    pt_heap_settle_(loop, loop->sleeping++, task);
}

#endif
//- alive
/* --- the states of a task --- */

#define pt_task_alive(task) ((task)->state != PT_IDLE && (task)->state != PT_ENDED)
#if CHAPTER >= 8
#define pt_task_done(task) ((task)->state == PT_ENDED)
#define pt_task_status(task) ((pt_status)(pt_task_done(task) ? (task)->base->status : PT_EINVAL))

//- wake
/* pt_wake - end the park of a task, or its next one */
static inline void pt_wake(struct pt_task *task)
{
    if (task->state == PT_PARKED)
        pt_make_ready_(task);
    else if (pt_task_alive(task))
        task->permit = true;
}

//- enlist
/* Wait in these places. */
static inline void pt_enlist_(struct pt_task *task, struct pt_waiter *waiters, int count)
{
    task->state = PT_LISTED;
    task->waiters = waiters;
    task->count = count;
    for (int i = 0; i < count; i++)
        waiters[i] = (struct pt_waiter){.task = task};
}

/* The wait of this place is over: its task leaves all its lists, this one too. */
static inline void pt_release_(struct pt_waiter *waiter, pt_status status)
{
    struct pt_task *task = waiter->task;

    task->chosen = (int)(waiter - task->waiters);
    task->given = status;
    for (int i = 0; i < task->count; i++)
        if (task->waiters[i].list)
            pt_list_remove(&task->waiters[i]);
    pt_make_ready_(task);
}
#endif
#if CHAPTER >= 9

//- cancel
/* End what a canceled task waits for; a cleanup is not interrupted. */
static inline void pt_cut_(struct pt_task *task)
{
    if (task->state == PT_READY || task->top->cleaning || task->top->shielded)
        return;
    if (task->state == PT_SLEEPING)
        pt_heap_remove_(task->loop, task);
    if (task->state == PT_LISTED)
        pt_release_(task->waiters, task->reason);
    else
        pt_make_ready_(task);
}

/* pt_cancel - make a task end; each of its frames runs its cleanup, the innermost first */
static inline void pt_cancel(struct pt_task *task, pt_status reason)
{
    if (pt_task_alive(task) && !task->canceled) {
        task->canceled = true;
        task->reason = reason;
        pt_cut_(task);
    }
}
#endif

//- begin
static inline void pt_begin_(struct pt_loop *loop, struct pt_task *task)
{
    task->loop = loop;
    task->turn.task = task;
#if CHAPTER >= 7
    task->top = task->base;
#endif
#if CHAPTER >= 8
#if CHAPTER == 8
    task->permit = false;
#else
    task->permit = task->canceled = false;
#endif
#endif
    loop->live++;
    pt_make_ready_(task);
}

static inline void pt_end_(struct pt_task *task)
{
    task->state = PT_ENDED;
    task->loop->live--;
#if CHAPTER >= 8
    while (task->joiners.first)
        pt_release_(task->joiners.first, task->base->status);
#endif
}

//- resume
/* --- a task runs --- */

#if CHAPTER == 4
static inline void pt_resume_(struct pt_task *task)
{
    if (task->base->fn(task->base, task))
        pt_make_ready_(task);
    else
        pt_end_(task);
}
#elif CHAPTER == 5
static inline void pt_resume_(struct pt_task *task)
{
    if (!task->base->fn(task->base, task))
        pt_end_(task);
    else if (task->state == PT_READY) /* it has not gone to sleep */
        pt_make_ready_(task);
}
#elif CHAPTER == 6
/* Resume the task until it suspends: carry out what its function asks for. */
static inline void pt_resume_(struct pt_task *task)
{
    for (;;) {
        switch (task->base->fn(task->base, task).code) {
        case PT_OP_DONE:
            pt_end_(task);
            return;
        case PT_OP_YIELD:
            pt_make_ready_(task);
            return;
        case PT_OP_WAIT:
            pt_sleep_(task->loop, task);
            return;
        case PT_OP_SPAWN:
            pt_begin_(task->loop, (struct pt_task *)task->operand);
        }
    }
}
#else
/* Resume the task until it suspends: carry out what its functions ask for. */
static inline void pt_resume_(struct pt_task *task)
{
    for (;;) {
        struct pt *top = task->top;
#if CHAPTER >= 9
        pt_op op;

        if (task->canceled && !top->shielded)
            pt_unwind_(top, task->reason);
        while ((op = top->fn(top, task)).code == PT_OP_SPAWN)
            pt_begin_(task->loop, (struct pt_task *)task->operand);
        switch (op.code) {
#else
        switch (top->fn(top, task).code) {
#endif
        case PT_OP_DONE:
            if (top == task->base) {
                pt_end_(task);
                return;
            }
            task->top = top->caller;
            task->top->status = top->status;
            break;
        case PT_OP_AWAIT:
            task->top = (struct pt *)task->operand;
            task->top->caller = top;
#if CHAPTER < 9
            break;
        case PT_OP_SPAWN:
            pt_begin_(task->loop, (struct pt_task *)task->operand);
#else
            task->top->shielded = top->cleaning || top->shielded;
#endif
            break;
        case PT_OP_YIELD:
            pt_make_ready_(task);
            return;
        case PT_OP_WAIT:
            pt_sleep_(task->loop, task);
            return;
#if CHAPTER >= 8
        case PT_OP_PARK:
            if (task->state == PT_LISTED)
                return;
            if (!task->permit) {
                task->state = PT_PARKED;
                return;
            }
            task->permit = false; /* the wake came first */
            break;
#endif
        }
    }
}
#endif

//- turn
#if CHAPTER == 4
/* pt_loop_turn - run each ready task once */
static inline void pt_loop_turn(struct pt_loop *loop)
{
#else
/* pt_loop_turn - wake who is due, and run each ready task once; returns when to call again */
static inline pt_time pt_loop_turn(struct pt_loop *loop, pt_time now)
{
#endif
    struct pt_waiter *last, *first = NULL;

#if CHAPTER >= 5
    loop->now = now;
    while (loop->sleeping && !pt_time_before(now, loop->sleepers[0]->at)) {
        struct pt_task *task = loop->sleepers[0];

        pt_heap_remove_(loop, task);
        pt_make_ready_(task);
    }
#endif
    for (last = loop->ready.first ? loop->ready.last : NULL; first != last;) {
#if CHAPTER < 8
        first = pt_list_take(&loop->ready);
#else
        first = loop->ready.first;
        pt_list_remove(first);
#endif
        loop->current = first->task;
        pt_resume_(first->task);
#if CHAPTER >= 9
        if (first->task->canceled && pt_task_alive(first->task))
            pt_cut_(first->task); /* it canceled itself, and now it waits */
#endif
    }
    loop->current = NULL;
#if CHAPTER >= 5
    return loop->ready.first ? now : loop->sleeping ? loop->sleepers[0]->at : now + PT_DELAY_NEVER;
#endif
}

//- run
#if CHAPTER == 4
/* pt_loop_run - turns until no task is left */
static inline void pt_loop_run(struct pt_loop *loop)
{
    while (loop->live)
        pt_loop_turn(loop);
}
#else
#if CHAPTER == 5
/* pt_loop_run - turns until no task is left; false: nothing can wake the rest */
static inline bool pt_loop_run(struct pt_loop *loop)
#else
/* pt_loop_run - turns until no task is left; PT_EDEADLK: nothing can wake the rest */
static inline pt_status pt_loop_run(struct pt_loop *loop)
#endif
{
    while (loop->live) {
        pt_time next = pt_loop_turn(loop, loop->port->now(loop->port->context));

        if (loop->live && !loop->ready.first && !loop->port->idle(loop->port->context, loop->now, next))
#if CHAPTER == 5
            return false;
#else
            return PT_EDEADLK;
#endif
    }
#if CHAPTER == 5
    return true;
#else
    return PT_OK;
#endif
}

/* pt_loop_open - an empty loop */
#define pt_loop_open(loop, by) (void)(*(loop) = (struct pt_loop){.port = (by)})
#endif

//- start
#if CHAPTER < 6
/* PT_START - a new task; false: this one still runs */
#define PT_START(in, storage, ...)                                                     \
    (!pt_task_alive(&(storage)->task) &&                                               \
     (PT_INIT(&(storage)->frame, __VA_ARGS__),                                         \
      (storage)->task.base = &(storage)->frame.pt, pt_begin_(in, &(storage)->task), true))
#else
/* PT_START - a new task */
#define PT_START(in, storage, ...) \
    (PT_MAKE_(storage, __VA_ARGS__) ? PT_EBUSY : (pt_begin_(in, &(storage)->task), PT_OK))
#define PT_MAKE_(storage, ...)                                                                   \
    (pt_task_alive(&(storage)->task) ? PT_EBUSY : (PT_INIT(&(storage)->frame, __VA_ARGS__),      \
                                                   (storage)->task.base = &(storage)->frame.pt, PT_OK))
#endif
#if CHAPTER >= 5

//- wait
/* --- what a body asks for --- */

/* The task that runs; a function that pt_next resumes has none. */
#define PT_CURRENT_ (assert(task_ && "pt_next cannot wait: start it in a loop"), task_)

#define PT_NOW() (PT_CURRENT_->loop->now)
#if CHAPTER == 5
#define PT_WAIT(delay)                         \
    do {                                       \
        PT_CURRENT_->at = PT_NOW() + (delay);  \
        pt_sleep_(task_->loop, task_);         \
        PT_SUSPEND();                          \
    } while (0)
#else
#define PT_WAIT_DEADLINE(time) do { PT_CURRENT_->at = (time); PT_SUSPEND(PT_OP_WAIT); } while (0)
#define PT_WAIT(delay)                                                                   \
    do { PT_CURRENT_->at = (delay); if (task_->at > PT_DELAY_MAX) PT_RETURN(PT_ERANGE);  \
         PT_WAIT_DEADLINE(PT_NOW() + task_->at); } while (0)

//- spawn
/* PT_SPAWN - a new task, from a body */
#define PT_SPAWN(storage, ...)                         \
    do {                                               \
        pt_->status = (pt_status)PT_MAKE_(storage, __VA_ARGS__);  \
        PT_CURRENT_->operand = &(storage)->task;       \
        if (!pt_->status) PT_SUSPEND(PT_OP_SPAWN);     \
    } while (0)
#endif
#endif
#if CHAPTER >= 7

//- await
/* PT_WAIT_COMPLETE - run another function to its end; its code is in self->pt.status */
#define PT_WAIT_COMPLETE(callee, ...) \
    do { PT_INIT(callee, __VA_ARGS__); PT_CURRENT_->operand = &(callee)->pt; PT_SUSPEND(PT_OP_AWAIT); } while (0)

/* PT_TRY - the same, and return if it failed */
#define PT_TRY(callee, ...) \
    do { PT_WAIT_COMPLETE(callee, __VA_ARGS__); if (pt_->status) PT_RETURN(pt_->status); } while (0)
#endif
#if CHAPTER >= 8

//- park
#define PT_PARK() PT_SUSPEND(PT_OP_PARK)

//- join
/* PT_JOIN - wait for the end of a task; its code is in self->pt.status */
#define PT_JOIN(target) \
    do { if (pt_join_(PT_CURRENT_, target)) PT_PARK(); pt_->status = task_->given; } while (0)

/* Whether the task must wait. */
static inline bool pt_join_(struct pt_task *task, struct pt_task *target)
{
    task->given = task == target ? PT_EDEADLK : pt_task_status(target);
    if (task == target || !pt_task_alive(target))
        return false;
    pt_enlist_(task, &task->own, 1);
    pt_list_add(&target->joiners, &task->own);
    return true;
}
#endif
#endif
#if CHAPTER >= 10

//- channel
/* --- channels: a sender and a receiver meet, and the value goes from one to the other --- */

struct pt_channel { struct pt_list senders, receivers; bool closed; };

struct pt_case { struct pt_channel *channel; bool send; void *item; size_t bytes; };

#define PT_CASE_SEND(to, value) {to, true, value, sizeof *(value)}
#define PT_CASE_RECV(from, value) {from, false, value, sizeof *(value)}

/* PT_SEND, PT_RECV - pass a value; self->pt.status is PT_OK or PT_ECLOSED */
#define PT_SEND(to, value) PT_CHOOSE_(&task_->own, {PT_CASE_SEND(to, value)})
#define PT_RECV(from, value) PT_CHOOSE_(&task_->own, {PT_CASE_RECV(from, value)})

/* PT_SELECT - whichever case comes first; WAITERS is an array in the frame, with one for each case */
#define PT_SELECT(waiters, ...) PT_CHOOSE_(waiters, {__VA_ARGS__})
#define PT_SELECTED() (task_->chosen)
//- choose
#define PT_CHOOSE_(waiters, ...)                                                                \
    do {                                                                                        \
        if (pt_choose_(PT_CURRENT_, waiters, (struct pt_case[])__VA_ARGS__,                     \
                       (int)(sizeof((struct pt_case[])__VA_ARGS__) / sizeof(struct pt_case))))  \
            PT_PARK();                                                                          \
        pt_->status = task_->given;                                                             \
    } while (0)

/* Whether the task must wait. */
static inline bool pt_choose_(struct pt_task *task, struct pt_waiter *waiters, const struct pt_case *cases,
                              int count)
{
    for (int i = 0; i < count; i++) {
        const struct pt_case *way = &cases[i];
        struct pt_waiter *other = way->send ? way->channel->receivers.first : way->channel->senders.first;

        task->chosen = i;
        task->given = way->channel->closed ? PT_ECLOSED : PT_OK;
        if (way->channel->closed)
            return false;
        if (other) {
            memcpy(way->send ? other->item : way->item, way->send ? way->item : other->item, way->bytes);
            pt_release_(other, PT_OK);
            return false;
        }
    }
    pt_enlist_(task, waiters, count);
    for (int i = 0; i < count; i++) {
        waiters[i].item = cases[i].item;
        pt_list_add(cases[i].send ? &cases[i].channel->senders : &cases[i].channel->receivers, &waiters[i]);
    }
    return true;
}

//- channel-close
static inline void pt_channel_close(struct pt_channel *channel)
{
    channel->closed = true;
    for (struct pt_waiter *one; (one = channel->senders.first) || (one = channel->receivers.first);)
        pt_release_(one, PT_ECLOSED);
}
#endif

//- tail
#endif
