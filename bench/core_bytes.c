/* core_bytes.c - the bytes of a sleeping task without cancel and timeouts
 * SPDX-License-Identifier: MIT */
#define PT_OTHER_KNOBS 1 /* it shares nothing with the other files */
#define PT_CANCEL 0
#define PT_TIMEOUTS 0
#define PT_GROUPS 0
#define PT_INSPECT 0
#include "core.h"

#include <pt/posix.h>

struct nop {
    struct pt pt;
};

double bench_bytes_plain(unsigned long n, void **state)
{
    (void)n;
    (void)state;
    return sizeof(PT_TASK(nop)) + sizeof(struct pt_heap_entry) + sizeof(struct pt_node *);
}
