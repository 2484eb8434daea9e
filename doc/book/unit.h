/* unit.h - what the unit tests of pt ask for besides the miniature; they find it as pt/posix.h
 * SPDX-License-Identifier: MIT */
#include "virtual.h"

enum { PT_ENOMEM = -7 };

/* A die. Write the seed into state. (SplitMix64, by Sebastiano Vigna) */
struct pt_random {
    uint64_t state;
};

static inline uint64_t pt_random_below(struct pt_random *random, uint64_t limit)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % limit;
}

/* The ports of pt have memory, and its virtual clock has a die. */
struct unit_port {
    struct pt_port plain;
    void *(*resize)(void *context, void *block, size_t bytes);
    void *context;
};

struct unit_virtual {
    struct unit_port port;
    pt_time now;
    struct pt_random random;
};

static inline pt_time unit_virtual_now(void *context)
{
    return ((struct unit_virtual *)context)->now;
}

static inline bool unit_virtual_idle(void *context, pt_time now, pt_time until)
{
    struct pt_virtual plain = {.now = unit_virtual_now(context)};
    bool more = pt_virtual_idle_(&plain, now, until);

    ((struct unit_virtual *)context)->now = plain.now;
    return more;
}

static inline void unit_virtual_init(struct unit_virtual *world, uint64_t seed, const struct unit_port *memory)
{
    (void)memory;
    *world = (struct unit_virtual){
        .port = {.plain = {.now = unit_virtual_now, .idle = unit_virtual_idle, .context = world}, .context = world},
        .random.state = seed};
}

static inline void unit_loop_open(struct pt_loop *loop, const struct unit_port *port)
{
    pt_loop_open(loop, &port->plain);
}

#undef pt_loop_open
#define pt_loop_open unit_loop_open
#define pt_port unit_port
#define pt_virtual unit_virtual
#define pt_virtual_init unit_virtual_init

#define pt_loop_close(loop) ((void)(loop))
#define pt_loop_live(loop) ((loop)->live)
#define pt_loop_idle(loop) (!(loop)->ready.first)
#define pt_loop_current(loop) ((loop)->current)
#define pt_send(...) PT_SEND_N_(__VA_ARGS__, PT_SEND_2_, PT_SEND_1_, ~)(__VA_ARGS__)
#define PT_SEND_N_(frame, a, b, by, ...) by
#define PT_SEND_1_(frame, a) ((void)((*(frame)) a), pt_next(&(frame)->pt))
#define PT_SEND_2_(frame, a, b) ((void)((*(frame)) a), PT_SEND_1_(frame, b))

static inline unsigned pt_loop_ready(const struct pt_loop *loop)
{
    unsigned count = 0;

    for (const struct pt_waiter *waiter = loop->ready.first; waiter; waiter = waiter->next)
        count++;
    return count;
}

static inline const char *pt_status_name(pt_status status)
{
    static const char *const names[] = {"PT_OK",     "PT_ECANCELED", "PT_EBUSY", "PT_EINVAL",
                                        "PT_ERANGE", "PT_EDEADLK",   "PT_ECLOSED", "PT_ENOMEM"};

    return names[-status];
}

static inline const char *pt_op_name(enum pt_opcode op)
{
    static const char *const names[] = {"DONE", "YIELD", "WAIT", "SPAWN", "WAIT_COMPLETE", "PARK"};

    return names[op];
}
