/* label.h - where a resumable function continues: one byte of state
 * SPDX-License-Identifier: MIT
 *
 * A body is a switch over labels: PT_OPEN_, a case for each label, PT_CLOSE_. PT_BARE, below, is a
 * body with nothing else; coroutine.h adds a frame. */
#ifndef PT_LABEL_H
#define PT_LABEL_H

#include "../base/config.h"

/* pt_label - where a function continues; 0 at its start: an unsigned number of PT_LABEL_BITS */
#define PT_LABEL_TYPE_ PT_UINT_(PT_LABEL_BITS)
typedef PT_LABEL_TYPE_ pt_label;

/* PT_BARE - a resumable function with a label as its only state: one byte
 *
 *     int blink(pt_label *label)
 *     {
 *         PT_BARE(*label)
 *         {
 *             for (;;) {
 *                 PT_BARE_YIELD(1);
 *                 PT_BARE_YIELD(0);
 *             }
 *         }
 *         PT_BARE_END(-1);
 *     }
 *
 * LABEL: an lvalue, 0 at the start. PT_BARE_YIELD(value) returns VALUE from the function; the next
 * call continues after it. PT_BARE_END(value) returns VALUE at the end and at every later call.
 * Cost of a resume: a call, a load, a jump. */
#define PT_BARE(label)                   \
    pt_label *const pt_bare_ = &(label); \
    PT_STRICT_OPEN_                      \
    PT_OPEN_(*pt_bare_, (void)(pt_bare_wrong_(*pt_bare_), pt_ended_ = true))

/* PT_BARE_YIELD(value) - return VALUE; the next call continues here */
#define PT_BARE_YIELD(value)                        \
    do {                                            \
        enum { pt_here_ = PT_LABEL_OF_(PT_HERE_) }; \
        PT_CHECK_LABEL_(pt_here_);                  \
        *pt_bare_ = pt_here_;                       \
        return value;                               \
        PT_LABEL_CASE_(pt_here_);                   \
    } while (0)

/* PT_BARE_END(value) - end the body: the function returns VALUE from now on */
#define PT_BARE_END(value)                                                                 \
    PT_CLOSE_(PT_PANIC("break leaves the body: end it by PT_RETURN", __func__, __LINE__)); \
    *pt_bare_ = PT_LABEL_DONE_;                                                            \
    return value

/* --- implementation ------------------------------------------------------------------------ */

#define PT_LABEL_START_ 0 /* never resumed */
#define PT_LABEL_DONE_ ((pt_label)-1)
#define PT_LABEL_FINALLY_ ((pt_label)-2)
#define PT_LABEL_LAST_ ((pt_label)-3) /* the largest label of a suspension */

/* The switch of a body is over a wide type, and each label has a second case, which no label can
 * reach: an optimizer leaves it out. It is too big for a switch of the program's own, so a
 * suspension there is a compile error; on a part, not in a switch over 64 bits. Cut to 32 or 64
 * bits it is large too, so that it equals no case of that switch. */
#if defined(__SIZEOF_INT128__)
PT_EXTENSION typedef unsigned __int128 pt_suspension_in_a_switch_;
#else
typedef unsigned long long pt_suspension_in_a_switch_;
#endif
#define PT_TWIN_(label) ((pt_suspension_in_a_switch_)-1 / 3 + (label))

/* The number of a place: another one at each use, or its line. By line, two suspensions cannot be
 * on one line, nor a suspension and the opening of its block. */
#ifdef PT_COUNTER_ /* a test has it */
#elif defined(__COUNTER__)
#define PT_COUNTER_ 1
#else
#define PT_COUNTER_ 0
#endif
#define PT_HERE_ PT_GLUE_(PT_HERE_BY_, PT_COUNTER_)
#define PT_HERE_BY_0 __LINE__
#define PT_HERE_BY_1 __COUNTER__

/* The base of the labels. Outside of PT_ASYNC it is missing, and the compiler prints its name. */
#define PT_LABEL_BASE_ pt_suspension_outside_PT_ASYNC

/* Every operation of a body begins with it, so that the first message has that name: an expression.
 * clang reports a name in the bound of an array at once, another at the end of the statement. A
 * lambda, a function in the body and a member of a class there see the base, but not a label of C
 * with that name. */
#define PT_IN_BODY_ ((void)sizeof(char[PT_LABEL_BASE_ == 0 ? 1 : 2]), PT_REACHES_(PT_LABEL_BASE_))

/* clang-format off */
#define PT_OPEN_(label, wrong)                                         \
    enum { PT_LABEL_BASE_ = PT_HERE_ };                                \
    bool pt_ended_ = false;                                            \
    PT_LABEL_BASE_:                                                    \
    PT_MAYBE_UNUSED;                                                   \
    switch ((pt_suspension_in_a_switch_)(label)) case PT_LABEL_START_: \
    if (0) {                                                           \
    default:                                                           \
        wrong;                                                         \
    } else                                                             \
        do
/* clang-format on */

#define PT_CLOSE_(stray)                \
    while ((pt_ended_ = true) == false) \
        ;                               \
    if (!pt_ended_)                     \
        stray;                          \
    PT_STRICT_CLOSE_

/* The cases of a label. */
#define PT_LABEL_CASE_(label)         \
    PT_STRICT_CASE_OPEN_ case (label) \
        : case PT_TWIN_(label)        \
        : PT_STRICT_CASE_CLOSE_ /* in a switch, or past a local: doc/messages.md */

/* PT_LABEL_OF_: the label of the place HERE. A body that is the argument of a macro has its places
 * before its base: its labels count down from the last. PT_CHECK_LABEL_: a declaration that checks
 * a label; every macro that makes a label uses it. */
#define PT_LABEL_OF_(here) \
    ((here)-PT_LABEL_BASE_ + ((here) < PT_LABEL_BASE_ ? PT_LABEL_LAST_ + 1 : 0))
#define PT_CHECK_LABEL_(label)                            \
    PT_STATIC_ASSERT((unsigned)(label) <= PT_LABEL_LAST_, \
                     "too many suspensions in one function: set PT_LABEL_BITS 16")

#define PT_WRONG_LABEL_ \
    "resumed at an unknown label: was the frame overwritten, or is there a suspension in a switch?"

PT_API void pt_bare_wrong_(pt_label label)
{
    if (label != PT_LABEL_DONE_)
        PT_PANIC(PT_WRONG_LABEL_, "PT_BARE", 0);
}

#endif
