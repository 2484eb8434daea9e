/* pool.h - storage for tasks that come and go: a static pool, or the heap
 * SPDX-License-Identifier: MIT
 *
 *     static PT_POOL(connection, 8) pool;
 *
 *     PT_SPAWN_FROM(&pool, connection, .fd = fd);
 *     if (self->pt.status == PT_ENOMEM) ...           all 8 are in use
 *     PT_SPAWN_WHEN_FREE(&pool, connection, .fd = fd);       or wait for one
 *
 * When a task is done, its storage goes back to its owner: the pool, or the loop's heap.
 *
 * Directly after a start, TAKEN is the new task: in a pool an item, with .task and .frame; in a
 * loop the task on its heap. NULL: there was no storage, or no room in the loop.
 *
 *     if (pool.taken) pt_cancel(&pool.taken->task, PT_ECANCELED);
 *
 *     PT_SPAWN_NEW(connection, .fd = fd);
 *     self->peer = PT_LOOP()->taken;                         a struct pt_task *
 *     if (self->peer)
 *         fd = PT_FRAME(self->peer, connection)->fd;
 *
 * The next start changes it; so no field's value may start a task from the same pool or heap. The
 * task and its frame are there until the task is done: whoever joins it before still gets its code,
 * and then nothing may touch them. */
#ifndef PT_POOL_H
#define PT_POOL_H

#include "complete.h"

#if PT_POOLS

/* What all pools have in common. The macros below write it. */
struct pt_pool {
    struct pt_owner owner;                  /* of all its tasks */
    struct pt_list returned;                /* items that were in use and are free again */
    struct pt_wait_queue_ waiters;          /* tasks that wait for an item, in order of arrival */
    unsigned opened;                        /* items that were ever in use */
    unsigned used;                          /* items in use */
    unsigned granted;                       /* free items that are reserved for woken waiters */
    PT_IF_(PT_HAS_STUCK_, const char *end;) /* behind the last item: inspect/keep.h needs it */
    PT_IF_(PT_HAS_STUCK_, size_t size;)     /* of an item */
};

/* PT_POOL(connection, n) - the type of a pool of N tasks; zero it, as static storage is
 * TAKEN is the item of the last start; NULL: none was free. In C++ its frames are constructed with
 * the pool, and anew at each start; the last ones are destroyed with the pool. */
#define PT_POOL(name, n)     \
    struct {                 \
        struct pt_pool pool; \
        PT_OWNED_TASK(name)  \
        items[n], *taken;    \
    }

/* PT_SPAWN_FROM(&pool, connection, .field = value ...) - PT_SPAWN with storage from a pool
 * self->pt.status is PT_ENOMEM when each item is in use, or is meant for a task that waits for one,
 * or when the loop cannot grow: then no field was evaluated, and what it would have handed over
 * stays where it is. */
#define PT_SPAWN_FROM(from, ...)                                           \
    do {                                                                   \
        PT_CHECK_ONE_(from, "PT_SPAWN_FROM") PT_IN_BODY_;                  \
        if (PT_POOL_TAKE_(from) && PT_POOL_ROOM_(from, pt_current_->loop)) \
            PT_POOL_SPAWN_(from, __VA_ARGS__);                             \
        else                                                               \
            pt_->status = PT_ENOMEM;                                       \
    } while (0)

/* PT_SPAWN_WHEN_FREE(&pool, connection, ...) - PT_SPAWN_FROM, after waiting for an item if need be
 * It does not wait for room in the loop: that is PT_ENOMEM. If a cancel or a timeout ends its wait,
 * TAKEN is what others have started meanwhile. Spawn and wait share one suspension: where
 * labels are line numbers, a macro can have only one. */
#define PT_SPAWN_WHEN_FREE(from, ...)                              \
    do {                                                           \
        PT_CHECK_ONE_(from, "PT_SPAWN_WHEN_FREE") PT_IN_BODY_;     \
        if (!PT_POOL_TAKE_(from)) {                                \
            pt_pool_wait_(&(from)->pool, pt_current_);             \
            pt_->status = PT_EBUSY; /* no spawn leaves this */     \
        } else if (PT_POOL_ROOM_(from, pt_current_->loop)) {       \
            PT_POOL_INIT_LASTS_(from, __VA_ARGS__);                \
            pt_current_->node.link.operand = &(from)->taken->task; \
            pt_->status = PT_OK;                                   \
        } else {                                                   \
            pt_->status = PT_ENOMEM;                               \
        }                                                          \
        if (!PT_POOL_RESERVES_ || pt_->status != PT_ENOMEM)        \
            PT_SUSPEND_(pt_->status ? PT_OP_PARK : PT_OP_SPAWN);   \
    } while (pt_->status == PT_EBUSY && pt_pool_granted_(&(from)->pool, pt_current_))

/* PT_START_FROM(&loop, &pool, connection, ...) - PT_START with storage from a pool */
#define PT_START_FROM(loop, from, ...)                                              \
    ((pt_status)(PT_CHECK_ONE_(from, "PT_START_FROM") PT_POOL_TAKE_(from) &&        \
                         PT_POOL_ROOM_(from, loop)                                  \
                     ? PT_POOL_START_(PT_POOL_LOOP_(from, loop), from, __VA_ARGS__) \
                     : (pt_status)PT_ENOMEM))

/* --- on the heap --------------------------------------------------------------------------- */

/* PT_SPAWN_NEW(connection, .field = value ...) - PT_SPAWN with storage from the loop's port
 * The storage is zero at first, and freed when the task is done. In C++ the frame is constructed
 * before its fields are set, and destroyed before its storage is freed. PT_LOOP()->taken is the new
 * task. self->pt.status is PT_ENOMEM if there is no memory: then no field was evaluated. A frame
 * aligned more than malloc's memory is a compile error. It needs PT_PORT. */
#define PT_SPAWN_NEW(...)                                                                  \
    do {                                                                                   \
        PT_IN_BODY_;                                                                       \
        if (PT_HEAP_TAKE_(pt_task_spawns_in_(pt_current_), PT_FIRST_(__VA_ARGS__))) {      \
            PT_HEAP_INIT_BY_(PT_PUT_IN_BODY_, pt_current_->loop->taken, pt_current_->loop, \
                             __VA_ARGS__);                                                 \
            pt_current_->node.link.operand = pt_current_->loop->taken;                     \
            PT_SPAWN_OPERAND_();                                                           \
        } else {                                                                           \
            pt_->status = PT_ENOMEM;                                                       \
        }                                                                                  \
    } while (0)

/* PT_START_NEW(&loop, connection, ...) - PT_START with storage from the loop's port
 * It needs PT_PORT. LOOP is evaluated several times; loop.taken is the new task. */
#define PT_START_NEW(loop, ...)                                                                  \
    ((pt_status)(PT_CHECK_ONE_(loop, "PT_START_NEW") PT_HEAP_TAKE_(loop, PT_FIRST_(__VA_ARGS__)) \
                     ? PT_START_TAKEN_(                                                          \
                           loop, PT_HEAP_OWNER_((loop)->taken, loop, PT_FIRST_(__VA_ARGS__)),    \
                           (loop)->taken, PT_HEAP_INIT_((loop)->taken, loop, __VA_ARGS__))       \
                     : (pt_status)PT_ENOMEM))

/* --- the new task -------------------------------------------------------------------------- */

/* PT_LOOP() - in a body: its loop, for functions that ask for one; NULL in a generator */
#define PT_LOOP() (PT_IN_BODY_, pt_current_->loop)

/* PT_FRAME(task, rocket) - the base frame of a task that is alive, a struct rocket *
 * For a task that is known by its address, and was started as a ROCKET. O(its awaits). PT_DEBUG
 * stops if TASK is NULL, or done: its storage can have gone back. */
#define PT_FRAME(task, name) ((struct name *)(void *)pt_task_frame_(task))

/* --- an owner of your own ------------------------------------------------------------------ */

/* PT_OWNED_TASK(rocket) - the type of storage that has an owner: PT_TASK(rocket), and a pointer
 * Its members are .task and .frame, too. Items of a pool and tasks of PT_SPAWN_NEW are such. */
#define PT_OWNED_TASK(name) PT_TASK_AND_OWNER_(name)

/* PT_OWN(&storage, owner) - let the owner's callback get the storage when its task is done
 * STORAGE is a PT_OWNED_TASK, and evaluated several times. OWNER, a struct pt_owner, must outlive
 * the task; NULL: there is none. It stays the owner when another task starts in the storage. */
#define PT_OWN(storage, by)                                                          \
    (PT_CHECK_ONE_(storage, "PT_OWN")(void)((storage)->task.flags |= PT_FLAG_OWNED_, \
                                            PT_OWNER_OF_(storage) = (by)))

/* --- implementation ------------------------------------------------------------------------ */

#if !PT_AWAIT
#define PT_TASK_AND_OWNER_(name) PT_TASK(name)
#define PT_OWNER_OF_(storage) (storage)->task.owner
#elif defined(__cplusplus)
extern "C++" template <class Frame> struct pt_owned_task_ {
    struct pt_task task;
    struct pt_owner *owner;
    Frame frame;
};
#define PT_TASK_AND_OWNER_(name) pt_owned_task_<struct name>
#define PT_OWNER_OF_(storage) (storage)->owner
#else
#define PT_TASK_AND_OWNER_(name) \
    struct {                     \
        struct pt_task task;     \
        struct pt_owner *owner;  \
        struct name frame;       \
    }
#define PT_OWNER_OF_(storage) (storage)->owner
#endif

PT_API struct pt *pt_task_frame_(const struct pt_task *task)
{
    struct pt *frame;

    PT_ASSERT_(task, "the task is NULL: did its start fail?", "PT_FRAME");
    PT_ASSERT_(pt_task_alive(task), "the task is done, and its frame can be gone", "PT_FRAME");
    for (frame = pt_task_top_(task); pt_caller_of_(frame); frame = pt_caller_of_(frame))
        continue;
    return frame;
}

#define PT_POOL_SPAWN_(from, ...)                              \
    do {                                                       \
        PT_POOL_INIT_LASTS_(from, __VA_ARGS__);                \
        pt_current_->node.link.operand = &(from)->taken->task; \
        PT_SPAWN_OPERAND_();                                   \
    } while (0)

#define PT_POOL_START_(loop, from, ...)                                                           \
    PT_START_TAKEN_(                                                                              \
        PT_STARTED_IN_(loop, (from)->taken), pt_pool_owner_(&(from)->pool), &(from)->taken->task, \
        (PT_CHECK_START_(loop, (from)->taken, __VA_ARGS__) PT_POOL_INIT_(from, __VA_ARGS__)))

/* Set the fields of a task in storage that was taken from OWNER, and spawn it: an expression. In
 * C++ the value of a field can throw: then the storage returns to its owner. Braces evaluate from
 * left to right. */
#if defined(__cplusplus)
struct pt_taken_ {
    struct pt_owner *owner;
    struct pt_task *task; /* NULL: it was given to its loop */

    ~pt_taken_()
    {
        if (task)
            owner->release(owner, task);
    }
};
struct pt_started_ {
    pt_status status;

    pt_started_(pt_taken_ &&taken, struct pt_loop *loop)
    {
        struct pt_task *task = taken.task;

        taken.task = NULL;
        status = pt_spawn(loop, task);
    }
};
#define PT_START_TAKEN_(loop, owner, task, ...) \
    pt_started_{pt_taken_{owner, task}, (__VA_ARGS__, loop)}.status
#else
#define PT_START_TAKEN_(loop, owner, task, ...) (__VA_ARGS__, pt_spawn(loop, task))
#endif

#define PT_POOL_INIT_(from, ...) PT_POOL_INIT_BY_(PT_TASK_INIT_, from, __VA_ARGS__)
#define PT_POOL_INIT_LASTS_(from, ...) PT_POOL_INIT_BY_(PT_TASK_INIT_LASTS_, from, __VA_ARGS__)
#define PT_POOL_INIT_BY_(init, from, ...) \
    (init((from)->taken, __VA_ARGS__), PT_OWN((from)->taken, pt_pool_owner_(&(from)->pool)))

/* Take an item into from->taken; false when there is none. */
#define PT_POOL_TAKE_(from)                                                                   \
    (((from)->taken =                                                                         \
          PT_POOL_ITEM_((from)->items,                                                        \
                        pt_pool_take_(&(from)->pool, (from)->items, sizeof((from)->items[0]), \
                                      sizeof((from)->items) / sizeof((from)->items[0])))) != NULL)

PT_API void *pt_pool_take_(struct pt_pool *pool, void *items, size_t size, size_t count)
{
    PT_IF_(PT_HAS_STUCK_, pool->end = (const char *)items + size * count; pool->size = size;)
    if (count - pool->used <= pool->granted)
        return NULL;
    pool->used++;
    if (pool->returned.first)
        return pt_task_of(pt_list_pop(&pool->returned));
    return (char *)items + size * pool->opened++;
}

/* Take an item back. If tasks wait, it is reserved for the first of them. */
PT_API void pt_pool_release_(struct pt_owner *owner, struct pt_task *task)
{
    struct pt_pool *pool = (struct pt_pool *)(void *)owner; /* its first member */

    pt_list_push(&pool->returned, &task->node);
    pool->used--;
    if (pt_wait_queue_first_(&pool->waiters)) {
        pool->granted++;
        pt_wait_queue_complete_first_(&pool->waiters, PT_FLAG_GIVEN_);
    }
}

/* The owner of an item that was taken. The first call initializes the wait queue: nothing can wait
 * before it. */
PT_API struct pt_owner *pt_pool_owner_(struct pt_pool *pool)
{
    if (!pool->owner.release) {
        pt_wait_queue_init_(&pool->waiters);
        PT_IF_(PT_INSPECT, pool->owner.pool = pool;)
    }
    pool->owner.release = pt_pool_release_;
    return &pool->owner;
}

/* Room in the loop is made before the fields of a task are evaluated: what they hand over would be
 * lost with a task that cannot start. PT_POOL_ROOM_: an item was taken for a task of loop IN. If
 * there is no room for it, the item goes back, and the result is false. */
#define PT_POOL_RESERVES_ PT_AND_(PT_LOOP_HAS_STORAGE_, PT_HAS_LOOP_)
#define PT_POOL_ROOM_(from, in)                                                                    \
    PT_CHOOSE_(                                                                                    \
        PT_POOL_RESERVES_,                                                                         \
        (pt_pool_room_(&(from)->pool, &(from)->taken->task, in) || ((from)->taken = NULL, false)), \
        true)
#define PT_POOL_LOOP_(from, in) PT_CHOOSE_(PT_POOL_RESERVES_, (from)->taken->task.loop, in)

#if PT_POOL_RESERVES_
PT_API bool pt_pool_room_(struct pt_pool *pool, struct pt_task *task, struct pt_loop *loop)
{
    if (loop && !pt_loop_reserve_(loop)) { /* a generator has no loop: its spawn tells so */
        pt_pool_release_(pt_pool_owner_(pool), task);
        return false;
    }
    task->loop = loop; /* so that PT_START_FROM evaluates it once */
    return true;
}
#endif

PT_API void pt_pool_wait_(struct pt_pool *pool, struct pt_task *task)
{
    pt_task_wait_in_queue_(task, &pool->waiters, PT_WHY_POOL, PT_WAITS_FOR_(pool));
}

/* A woken waiter continues, and takes the item that was reserved for it, even if it was canceled
 * meanwhile. Returns true. */
PT_API bool pt_pool_granted_(struct pt_pool *pool, struct pt_task *task)
{
    pool->granted--;
    pt_task_take_(task);
    return true;
}

#if PT_PORT

/* Whether malloc aligns memory to BYTES, in every C library. */
#define PT_HEAP_ALIGNS_(bytes) ((bytes) <= 2 * sizeof(void *) || (bytes) <= sizeof(long double))

#define PT_HEAP_INIT_(task, loop, ...) PT_HEAP_INIT_BY_(PT_PUT_, task, loop, __VA_ARGS__)
#define PT_HEAP_INIT_BY_(put, task, loop, ...)                                                   \
    (PT_INIT_AS_(PT_INIT_KEPT_, put, PT_HEAP_FRAME_(task, PT_FIRST_(__VA_ARGS__)), __VA_ARGS__), \
     pt_task_init_(task, &PT_HEAP_FRAME_(task, PT_FIRST_(__VA_ARGS__))->pt,                      \
                   PT_WHERE_(PT_TASK_NAME_(PT_FIRST_(__VA_ARGS__)))),                            \
     pt_task_own_(task, PT_HEAP_OWNER_(task, loop, PT_FIRST_(__VA_ARGS__))))

/* The loop of a running body; a generator has none. */
PT_ALWAYS struct pt_loop *pt_task_spawns_in_(const struct pt_task *task)
{
    if (PT_UNLIKELY(!task->loop))
        PT_PANIC("a generator has no loop to spawn in", "PT_SPAWN_NEW", 0);
    return task->loop;
}

PT_API struct pt_task *pt_loop_new_task_(struct pt_loop *loop, size_t size)
{
    const struct pt_port *port = loop->port;
    bool room = port && port->resize && pt_loop_reserve_(loop); /* as PT_POOL_ROOM_ */
    void *block = room ? port->resize(port->context, NULL, size) : NULL;

    if (block)
        pt_zero_(block, 0, size);
    return (struct pt_task *)block;
}

#endif

#ifndef __cplusplus

#define PT_POOL_ITEM_(items, item) (item)

#define PT_HEAP_TAKE_(loop, name) \
    (((loop)->taken = pt_loop_new_task_(loop, PT_HEAP_SIZE_(PT_OWNED_TASK(name)))) != NULL)
#define PT_HEAP_SIZE_(type) \
    (sizeof(type) * sizeof(char[PT_HEAP_ALIGNS_(PT_ALIGN_OF_(type)) ? 1 : -1]))
#define PT_HEAP_FRAME_(task, name) \
    ((struct name *)(void *)((char *)(task) + offsetof(PT_OWNED_TASK(name), frame)))
#define PT_HEAP_OWNER_(task, loop, name) (&(loop)->heap)

#else

extern "C++" template <class Item> Item *pt_pool_item_(Item *, void *item)
{
    return static_cast<Item *>(item);
}
#define PT_POOL_ITEM_(items, item) pt_pool_item_(items, item)

#define PT_HEAP_TAKE_(loop, name) (((loop)->taken = pt_new_<struct name>::take(loop)) != NULL)
#define PT_HEAP_FRAME_(task, name) pt_new_<struct name>::frame(task)
#define PT_HEAP_OWNER_(task, loop, name) pt_new_<struct name>::owner(task, loop)

#endif
#endif

#if PT_POOLS && PT_PORT && defined(__cplusplus)

/* A block of a loop's memory. Its type selects the operators below, which need no header of the C++
 * library: a small part may have none. If a constructor throws, the block is freed. */
struct pt_block_ {
    struct pt_loop *loop;
    void *start;
};

inline void *operator new(size_t, pt_block_ block) noexcept
{
    return block.start;
}

inline void operator delete(void *, pt_block_ block) noexcept
{
    block.loop->port->resize(block.loop->port->context, block.start, 0);
}

/* A task and its frame: PT_OWNED_TASK(name). */
extern "C++" template <class Frame>
PT_CHOOSE_(
    PT_AWAIT, using pt_storage_ = pt_owned_task_<Frame>, struct pt_storage_ { Frame frame; });

/* A task with a frame as in C, which needs no construction. */
extern "C++" template <class Frame, bool = __is_trivial(Frame)> struct pt_new_ {
    typedef pt_storage_<Frame> storage;
    static_assert(PT_HEAP_ALIGNS_(alignof(storage)), "the frame is aligned more than the heap is");

    static struct pt_task *take(struct pt_loop *loop)
    {
        return pt_loop_new_task_(loop, sizeof(storage));
    }
    static Frame *frame(struct pt_task *task)
    {
        return &static_cast<storage *>(static_cast<void *>(task))->frame;
    }
    static struct pt_owner *owner(struct pt_task *, struct pt_loop *loop)
    {
        return &loop->heap;
    }
};

/* A task with a frame that is constructed, and destroyed, also if its spawn fails. */
extern "C++" template <class Frame> struct pt_new_<Frame, false> : pt_new_<Frame, true> {
    typedef pt_storage_<Frame> storage;

    static struct pt_task *take(struct pt_loop *loop)
    {
        pt_block_ block = {loop, pt_loop_new_task_(loop, sizeof(storage))};

        if (block.start)
            block.start = new (block) storage();
        return static_cast<struct pt_task *>(block.start); /* its first member */
    }
    static struct pt_owner *owner(struct pt_task *task, struct pt_loop *loop)
    {
        static struct pt_owner owner = {release PT_IF_(PT_INSPECT, , NULL)}; /* for all threads */

        task->loop = loop;
        return &owner;
    }
    static void release(struct pt_owner *, struct pt_task *task)
    {
        struct pt_loop *loop = task->loop;

        static_cast<storage *>(static_cast<void *>(task))->~storage();
        loop->heap.release(&loop->heap, task);
    }
};

#endif
#endif
