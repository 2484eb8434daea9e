/* atomic.h - what threads and interrupts may do at the same time: four operations on a word
 * SPDX-License-Identifier: MIT
 *
 * By the compiler's atomics where the processor has them (PT_ATOMICS), else with the interrupts off
 * for a few instructions: on one core that is the same. All are sequentially consistent. */
#ifndef PT_ATOMIC_H
#define PT_ATOMIC_H

#include "critical.h"

#if PT_REMOTE

/* What a test does before each step; FENCES: the step does not overtake earlier writes. */
#ifndef PT_ATOMIC_STEP_
#define PT_ATOMIC_STEP_(fences) ((void)0)
#endif

#if PT_ATOMICS

#define PT_ATOMIC_(type, name)                                                         \
    PT_ALWAYS type pt_##name##_load_(type const *word)                                 \
    {                                                                                  \
        PT_ATOMIC_STEP_(false);                                                        \
        return __atomic_load_n(word, __ATOMIC_SEQ_CST);                                \
    }                                                                                  \
    PT_ALWAYS type pt_##name##_swap_(type *word, type value)                           \
    {                                                                                  \
        PT_ATOMIC_STEP_(true);                                                         \
        return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);                     \
    }                                                                                  \
    PT_ALWAYS bool pt_##name##_replace_(type *word, type old, type value)              \
    {                                                                                  \
        PT_ATOMIC_STEP_(true);                                                         \
        return __atomic_compare_exchange_n(word, &old, value, false, __ATOMIC_SEQ_CST, \
                                           __ATOMIC_SEQ_CST);                          \
    }

#else

#define PT_ATOMIC_(type, name)                                                     \
    PT_ALWAYS type pt_##name##_swap_(type volatile *word, type value)              \
    {                                                                              \
        unsigned masked = PT_CRITICAL_ENTER();                                     \
        type old = *word;                                                          \
                                                                                   \
        *word = value;                                                             \
        PT_CRITICAL_LEAVE(masked);                                                 \
        return old;                                                                \
    }                                                                              \
    PT_ALWAYS type pt_##name##_load_(type const volatile *word)                    \
    {                                                                              \
        unsigned masked = PT_CRITICAL_ENTER();                                     \
        type value = *word;                                                        \
                                                                                   \
        PT_CRITICAL_LEAVE(masked);                                                 \
        return value;                                                              \
    }                                                                              \
    PT_ALWAYS bool pt_##name##_replace_(type volatile *word, type old, type value) \
    {                                                                              \
        unsigned masked = PT_CRITICAL_ENTER();                                     \
        bool same = *word == old;                                                  \
                                                                                   \
        if (same)                                                                  \
            *word = value;                                                         \
        PT_CRITICAL_LEAVE(masked);                                                 \
        return same;                                                               \
    }

#endif

/* A link of a list that is pushed to by many. */
struct pt_link_ {
    struct pt_link_ *next;
};
typedef struct pt_link_ *pt_link_ref_;

PT_ATOMIC_(pt_link_ref_, link)
PT_ATOMIC_(unsigned, word)

/* --- a count that one writes and another reads ------------------------------------------------ */

/* What a processor reads and writes in one instruction. */
#ifdef __AVR__
typedef uint8_t pt_count_;
#else
typedef unsigned pt_count_;
#endif

/* Read a count, and then what was written before it; write one, behind what was written before. */
PT_ALWAYS pt_count_ pt_count_load_(const pt_count_ *count)
{
    PT_ATOMIC_STEP_(false);
#ifdef __AVR__
    {
        pt_count_ value = *(const volatile pt_count_ *)count;

        __asm__ volatile("" : : : "memory");
        return value;
    }
#else
    return __atomic_load_n(count, __ATOMIC_ACQUIRE);
#endif
}

PT_ALWAYS void pt_count_store_(pt_count_ *count, pt_count_ value)
{
    PT_ATOMIC_STEP_(false);
#ifdef __AVR__
    __asm__ volatile("" : : : "memory");
    *(volatile pt_count_ *)count = value;
#else
    __atomic_store_n(count, value, __ATOMIC_RELEASE);
#endif
}

/* --- an inbox: anybody pushes, its owner takes all ---------------------------------------------- */

/* The inbox. Zero is an empty one. */
struct pt_inbox_ {
    pt_link_ref_ first; /* who came last; NULL; or the inbox itself: it is closed */
};

/* pt_inbox_push_ - put LINK, which is in no inbox, in front: whether it was open; lock-free
 * Treiber's stack (1986). Since the owner takes all at once, no link can come back in between. */
PT_API bool pt_inbox_push_(struct pt_inbox_ *inbox, struct pt_link_ *link)
{
    pt_link_ref_ first;

    do {
        first = pt_link_load_(&inbox->first);
        if ((const void *)first == inbox)
            return false;
        link->next = first;
    } while (!pt_link_replace_(&inbox->first, first, link));
    return true;
}

/* The links from LAST, in the order in which they came. */
PT_API struct pt_link_ *pt_links_turn_(struct pt_link_ *last)
{
    struct pt_link_ *first = NULL, *next;

    for (; last; last = next) {
        next = last->next;
        last->next = first;
        first = last;
    }
    return first;
}

/* pt_inbox_empty_ - whether there is nothing to take; for its owner; O(1) */
PT_API bool pt_inbox_empty_(const struct pt_inbox_ *inbox)
{
    pt_link_ref_ first = pt_link_load_(&inbox->first);

    return !first || (const void *)first == inbox;
}

/* pt_inbox_closed_ - whether nothing comes into it any more; O(1) */
PT_API bool pt_inbox_closed_(const struct pt_inbox_ *inbox)
{
    return (const void *)pt_link_load_(&inbox->first) == inbox;
}

/* pt_inbox_take_ - empty an inbox: the first that came, whose links lead to the others; O(n) */
PT_API struct pt_link_ *pt_inbox_take_(struct pt_inbox_ *inbox)
{
    return pt_inbox_empty_(inbox) ? NULL : pt_links_turn_(pt_link_swap_(&inbox->first, NULL));
}

/* pt_inbox_close_ - the same, and nothing comes into it any more */
PT_API struct pt_link_ *pt_inbox_close_(struct pt_inbox_ *inbox)
{
    pt_link_ref_ last = pt_link_swap_(&inbox->first, (pt_link_ref_)(void *)inbox);

    return last == (pt_link_ref_)(void *)inbox ? NULL : pt_links_turn_(last);
}

#endif
#endif
