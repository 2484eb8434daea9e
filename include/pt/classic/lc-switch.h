/* lc-switch.h - local continuations by a switch: two bytes a thread
 * SPDX-License-Identifier: MIT
 *
 * lc.h explains the names. No LC_SET may be inside a switch of the program's own: the function
 * would end, where it should continue there. In C gcc and clang warn, and in C++ they refuse;
 * lc-addrlabels.h allows it. */
#ifndef PT_CLASSIC_LC_SWITCH_H
#define PT_CLASSIC_LC_SWITCH_H

/* Whether the waits are numbered with __COUNTER__, or by their line where it is missing. By line,
 * two waits cannot be on one line. */
#ifdef PT_COUNTER_ /* a test has it, or suspend.h */
#elif defined(__COUNTER__)
#define PT_COUNTER_ 1
#else
#define PT_COUNTER_ 0
#endif

/* lc_t - where a thread continues; 0 at its start */
typedef unsigned short lc_t;

/* The semicolon was always in it: some programs write none. */
#define LC_INIT(s) (s) = 0;

#define LC_RESUME(s)                  \
    {                                 \
        enum { pt_base_ = PT_BASE_ }; \
        switch (PT_SWITCH_(s)) {      \
        case 0:

#define LC_SET(s)                                    \
    {                                                \
        enum { pt_here_ = PT_LABEL_(PT_HERE_) };     \
        (s) = pt_here_;                              \
        if (0) { /* so that nothing falls through */ \
            PT_CASE_(pt_here_);                      \
        }                                            \
    }

#define LC_END(s) \
    }             \
    }

/* LC_RETURN_ - return VALUE, and continue behind it */
#define LC_RETURN_(s, value)                     \
    do {                                         \
        enum { pt_here_ = PT_LABEL_(PT_HERE_) }; \
        (s) = pt_here_;                          \
        return value;                            \
        PT_CASE_(pt_here_);                      \
    } while (0)

/* The label of the place HERE; a compile error if lc_t cannot hold it. */
#define PT_LABEL_(here) PT_LABEL_CHECKED_((here)-pt_base_)
#define PT_LABEL_CHECKED_(label) ((int)sizeof(char[(label) <= 0xffff ? 1 : -1]) * (label))

#if PT_COUNTER_
#define PT_HERE_ __COUNTER__
#define PT_BASE_ (__COUNTER__ - PT_FIRST_)
#else
#define PT_HERE_ __LINE__
#define PT_BASE_ 0
#endif

/* Each label has a second case, which lc_t cannot reach: an optimizer leaves it out. It is too big
 * for a switch over an int, and the compiler's message contains the name of that case. Where it
 * costs nothing, labels are no small numbers, which a switch of the program's own could have. */
#ifdef __LP64__
#define PT_FIRST_ 0x4000
#else
#define PT_FIRST_ 0
#endif
#ifdef __GNUC__
__extension__ typedef unsigned long long pt_wide_;
#define PT_SWITCH_(s) (pt_wide_)(s)
#define pt_no_wait_inside_your_own_switch_(n) ((pt_wide_)-1 / 3 + (n))
#define PT_CASE_(n) \
    case n:         \
    case pt_no_wait_inside_your_own_switch_(n):
#else
#define PT_SWITCH_(s) (s)
#define PT_CASE_(n) case n:
#endif

#endif
