/* unit.h - what the unit tests of pt ask for besides the miniature; they find it as pt/posix.h
 * SPDX-License-Identifier: MIT */
#include "virtual.h"

enum { PT_ENOMEM = -4 };

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
                                        "PT_ENOMEM", "PT_ERANGE",    "PT_EDEADLK"};

    return names[-status];
}

static inline const char *pt_op_name(enum pt_opcode op)
{
    static const char *const names[] = {"DONE", "YIELD", "WAIT", "SPAWN", "WAIT_COMPLETE", "PARK"};

    return names[op];
}
