/* atomic.h - what threads and interrupts may do at the same time: load, swap and replace a word
 * SPDX-License-Identifier: MIT
 *
 * With the compiler's atomics where the processor has them (PT_ATOMICS), else in a critical section
 * of a few instructions (PT_POST_ENTER). These operations are sequentially consistent,
 * except a load without PT_ATOMICS, which has no fence for other cores: a swap follows it;
 * and a peek, which may be late, or half of an older value on an 8-bit part. A count
 * (below) is released and acquired. */
#ifndef PT_ATOMIC_H
#define PT_ATOMIC_H

#include "critical.h"

/* Whether a load of a word is more than one instruction, which an interrupt can split. */
#ifdef __AVR__
#define PT_WIDE_WORDS_ 1
#else
#define PT_WIDE_WORDS_ 0
#endif

#if PT_REMOTE || PT_WAKERS

/* A test defines this to do something before each step. FENCES: the step does not overtake earlier
 * writes. */
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
    PT_ALWAYS type pt_##name##_peek_(type const *word)                                 \
    {                                                                                  \
        PT_ATOMIC_STEP_(false);                                                        \
        return __atomic_load_n(word, __ATOMIC_RELAXED);                                \
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
        unsigned masked = PT_POST_ENTER();                                         \
        type old = *word;                                                          \
                                                                                   \
        PT_ATOMIC_STEP_(false);                                                    \
        *word = value;                                                             \
        PT_POST_LEAVE(masked);                                                     \
        return old;                                                                \
    }                                                                              \
    PT_ALWAYS type pt_##name##_load_(type const volatile *word)                    \
    {                                                                              \
        PT_IF_(PT_WIDE_WORDS_, unsigned masked = PT_POST_ENTER();)                 \
        type value = *word;                                                        \
                                                                                   \
        PT_IF_(PT_WIDE_WORDS_, PT_POST_LEAVE(masked);)                             \
        __atomic_signal_fence(__ATOMIC_SEQ_CST);                                   \
        return value;                                                              \
    }                                                                              \
    PT_ALWAYS type pt_##name##_peek_(type const volatile *word)                    \
    {                                                                              \
        PT_ATOMIC_STEP_(false);                                                    \
        return *word;                                                              \
    }                                                                              \
    PT_ALWAYS bool pt_##name##_replace_(type volatile *word, type old, type value) \
    {                                                                              \
        unsigned masked = PT_POST_ENTER();                                         \
        bool same = *word == old;                                                  \
                                                                                   \
        PT_ATOMIC_STEP_(false);                                                    \
        if (same)                                                                  \
            *word = value;                                                         \
        PT_POST_LEAVE(masked);                                                     \
        return same;                                                               \
    }

#endif

/* What was written before is in memory before the next access to a register, which can enable an
 * interrupt: else the compiler may move a plain store behind that. No instruction. */
PT_ALWAYS void pt_opened_(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* A link of a list to which many threads and interrupts push. */
struct pt_link_ {
    struct pt_link_ *next;
};
typedef struct pt_link_ *pt_link_ref_;

PT_ATOMIC_(pt_link_ref_, link)
PT_ATOMIC_(unsigned, word)

/* --- a count that one writes and another reads ------------------------------------------------ */

typedef pt_register_ pt_count_;

/* Load or store a count. A reader that sees a count also sees all that was written before it.
 * Without atomics the processor accesses a count in one instruction, and the interrupts of its own
 * core see its accesses in order: only the compiler must keep it. (clang would call libatomic.) For
 * other cores the processor must, too. */
#if PT_ATOMICS
#define PT_COUNT_LOAD_(count) __atomic_load_n(count, __ATOMIC_ACQUIRE)
#define PT_COUNT_STORE_(count, value) __atomic_store_n(count, value, __ATOMIC_RELEASE)
#define PT_ORDER_() ((void)0)
#else
#define PT_COUNT_LOAD_(count) (*(const volatile pt_count_ *)(count))
#define PT_COUNT_STORE_(count, value) ((void)(*(volatile pt_count_ *)(count) = (value)))
#define PT_ORDER_() PT_CHOOSE_(PT_CORES_, __atomic_thread_fence(__ATOMIC_SEQ_CST), PT_KEEP_ORDER_)
#define PT_KEEP_ORDER_ __asm__ volatile("" : : : "memory")
#endif

PT_ALWAYS pt_count_ pt_count_load_(const pt_count_ *count)
{
    pt_count_ value;

    PT_ATOMIC_STEP_(false);
    value = PT_COUNT_LOAD_(count);
    PT_ORDER_();
    return value;
}

PT_ALWAYS void pt_count_store_(pt_count_ *count, pt_count_ value)
{
    PT_ATOMIC_STEP_(false);
    PT_ORDER_();
    PT_COUNT_STORE_(count, value);
}

/* --- a mark that interrupts set and a loop clears, all on one
 * processor ------------------------ */

typedef pt_register_ pt_mark_;

/* Set a mark, after everything that was written before: one store. */
PT_ALWAYS void pt_mark_set_(pt_mark_ *mark)
{
    PT_ATOMIC_STEP_(false);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(volatile pt_mark_ *)mark = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

PT_ALWAYS bool pt_mark_is_set_(const pt_mark_ *mark)
{
    PT_ATOMIC_STEP_(false);
    return *(const volatile pt_mark_ *)mark;
}

/* Clear a mark, before a look at what it was set for: whatever comes later sets it again. */
PT_ALWAYS void pt_mark_clear_(pt_mark_ *mark)
{
    PT_ATOMIC_STEP_(false);
    *(volatile pt_mark_ *)mark = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* --- an inbox: any thread pushes, its owner takes all ----------------------------------------- */

/* The inbox. A zeroed inbox is empty. */
struct pt_inbox_ {
    pt_link_ref_ first; /* the link that came last; NULL: empty; the inbox itself: closed */
};

#define PT_POSTED_TWICE_ "a message was posted again before it was received"
#define PT_CLOSED_TWICE_ "it is closed already: close it once"

/* pt_inbox_push_ - put LINK, which is in no inbox, at the front; false: closed; lock-free
 * Treiber's stack (1986). The owner takes all links in one swap, so there is no ABA problem. */
#if PT_ATOMICS
PT_API bool pt_inbox_push_(struct pt_inbox_ *inbox, struct pt_link_ *link)
{
    pt_link_ref_ first;

    do {
        first = pt_link_peek_(&inbox->first);
        if ((const void *)first == inbox)
            return false;
        link->next = first;
    } while (!pt_link_replace_(&inbox->first, first, link));
    PT_ATOMIC_STEP_(false); /* from now on the link is the owner's */
    return true;
}
#else
/* As pt_inbox_push_, in a critical section. */
PT_ALWAYS bool pt_inbox_push_masked_(struct pt_inbox_ *inbox, struct pt_link_ *link)
{
    pt_link_ref_ first = inbox->first;

    PT_ATOMIC_STEP_(false);
    if ((const void *)first == inbox)
        return false;
    link->next = first;
    inbox->first = link;
    return true;
}

PT_API bool pt_inbox_push_(struct pt_inbox_ *inbox, struct pt_link_ *link)
{
    unsigned masked = PT_POST_ENTER();
    bool open = pt_inbox_push_masked_(inbox, link);

    PT_POST_LEAVE(masked);
    return open;
}
#endif

/* Reverse the links from LAST, into the order in which they came. PT_DEBUG: stop if one was pushed
 * twice. Then they lead in a circle, and the way back leads to LAST again. */
PT_API struct pt_link_ *pt_links_turn_(struct pt_link_ *last)
{
    struct pt_link_ *first = NULL, *next;
    const struct pt_link_ *const newest PT_MAYBE_UNUSED = last;

    for (; last; last = next) {
        PT_ASSERT_(!first || last != newest, PT_POSTED_TWICE_, "a post");
        next = last->next;
        last->next = first;
        first = last;
    }
    return first;
}

/* pt_inbox_empty_ - whether there is nothing to take; for its owner; O(1) */
PT_ALWAYS bool pt_inbox_empty_(const struct pt_inbox_ *inbox)
{
    pt_link_ref_ first = pt_link_load_(&inbox->first);

    return !first || (const void *)first == inbox;
}

/* The last link of an inbox; NULL if it seems to be empty and not closed, the usual case; for its
 * owner; O(1). Neither a fence nor a lock: it may miss a push that comes now. */
PT_ALWAYS const void *pt_inbox_peek_(const struct pt_inbox_ *inbox)
{
    return pt_link_peek_(&inbox->first);
}

/* pt_inbox_closed_ - whether the inbox is closed; O(1) */
PT_API bool pt_inbox_closed_(const struct pt_inbox_ *inbox)
{
    return (const void *)pt_link_load_(&inbox->first) == inbox;
}

/* pt_inbox_has_ - whether a link is in the inbox; for its owner; O(n) */
PT_API bool pt_inbox_has_(const struct pt_inbox_ *inbox, const struct pt_link_ *link)
{
    const struct pt_link_ *one = pt_inbox_empty_(inbox) ? NULL : pt_link_load_(&inbox->first);

    while (one && one != link)
        one = one->next;
    return one;
}

/* pt_inbox_take_ - take all links: returns the first that came, linked to the others; O(n) */
PT_API struct pt_link_ *pt_inbox_take_(struct pt_inbox_ *inbox)
{
    return pt_inbox_empty_(inbox) ? NULL : pt_links_turn_(pt_link_swap_(&inbox->first, NULL));
}

/* pt_inbox_close_ - take all links and refuse all that come later; O(n) */
PT_API struct pt_link_ *pt_inbox_close_(struct pt_inbox_ *inbox)
{
    pt_link_ref_ last = pt_link_swap_(&inbox->first, (pt_link_ref_)(void *)inbox);

    return last == (pt_link_ref_)(void *)inbox ? NULL : pt_links_turn_(last);
}

#endif
#endif
