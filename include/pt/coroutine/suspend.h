/* suspend.h - how a body is suspended and resumed: the switch over labels
 * SPDX-License-Identifier: MIT
 *
 * A body is a switch over labels: PT_OPEN_, a case for each label, PT_CLOSE_. To suspend is to
 * store a label and return an opcode; to resume is to call the function, which switches to the
 * label. */
#ifndef PT_SUSPEND_H
#define PT_SUSPEND_H

#include "checks.h"

/* How a body is entered and left. PT_HEAD_: the head of the function that has the body, and its
 * opening brace. PT_FUNCTION_: the name of that function. PT_AGAIN_: continue at the label that the
 * frame has now. PT_LEAVE_: leave the body with an opcode, until the label HERE. */
#ifdef PT_BACKEND
#include PT_BACKEND
#else
#define PT_HEAD_(name)                             \
    pt_op PT_FN(name)(PT_PARAMETERS_) PT_NOEXCEPT_ \
    {
#define PT_FUNCTION_ __func__
#define PT_AGAIN_(pt, task) PT_CALL_((pt)->fn, pt, task)
#define PT_LEAVE_(here, op) return op;
#endif

/* Suspend with an opcode: store the label of this place, return, and continue here when resumed.
 * Every suspending macro expands to this. */
/* clang-format off */
#define PT_SUSPEND_(opcode)                         \
    do {                                            \
        enum { pt_here_ = PT_LABEL_OF_(PT_HERE_) }; \
        PT_CHECK_LABEL_(pt_here_);                  \
        PT_CHECK_BLOCKS_()                          \
        PT_MARK_SITE_()                             \
        pt_->label = pt_here_;                      \
        PT_LEAVE_(pt_here_, pt_op_of_(opcode))      \
        {                                           \
            PT_STRICT_CASE_OPEN_                    \
        case pt_here_:                              \
        case PT_TWIN_(pt_here_): /* in a switch, or past a local: doc/messages.md */ \
            PT_STRICT_CASE_CLOSE_;                  \
        }                                           \
    } while (0)
/* clang-format on */

/* As PT_SUSPEND_, but continue at the label of another place; OP is a pt_op. The enumerator has no
 * use in the program: by its line a debugger finds that of the label. */
#define PT_LEAVE_TO_(here, op)  \
    enum { pt_here_ = (here) }; \
    PT_CHECK_LABEL_(pt_here_);  \
    PT_MARK_SITE_()             \
    pt_->label = pt_here_;      \
    PT_LEAVE_(pt_here_, op)     \
    {                           \
    }

/* Make a suspension in a switch of the program's own a compile error: each label has a second case,
 * whose number is too big for that switch; on a part, not for one over 64 bits. A body's switch is
 * over a wide type. No label has that number: an optimizer leaves the case out. Cut to 32 or 64
 * bits the number is large, too, so that it equals no case of the program's switch. */
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

/* Every operation of a body begins with this expression, so the first message has the base's name.
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

/* Call the body: it switches to its label. */
PT_ALWAYS pt_op pt_body_resume_(struct pt *pt, struct pt_task *task)
{
    pt_fn *PT_IF_(PT_DEBUG, volatile) fn = pt->fn;

    PT_IF_(PT_DEBUG, pt_scribble_();)
    return PT_CALL_(fn, pt, task);
}

#endif
