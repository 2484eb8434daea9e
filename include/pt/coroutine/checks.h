/* checks.h - what a debug build adds to a body: checks, and the place of each suspension
 * SPDX-License-Identifier: MIT */
#ifndef PT_CHECKS_H
#define PT_CHECKS_H

#include "cleaning.h"
#include "../base/fields.h"

/* Whether a body looks for locals that do not last, and for a PT_FINALLY that is passed over. */
#define PT_HAS_BODY_CHECKS_ PT_DEBUG

/* A small part has no room for names. */
#define PT_WHERE_(text) PT_CHOOSE_(PT_OR_(PT_HOSTED, PT_OR_(PT_DEBUG, PT_INSPECT)), text, NULL)

/* PT_DEBUG: in a body, stop if PLACE, which must survive the next suspension, is a local. */
#define PT_NOT_LOCAL_(place, what) PT_IF_(PT_HAS_BODY_CHECKS_, PT_LASTS_(place, what);)
#define PT_NOT_LOCAL_THEN_(place, what) /* before another expression */ \
    PT_IF_(PT_HAS_BODY_CHECKS_, PT_LASTS_(place, what), )
#define PT_LASTS_(place, what)                                                          \
    pt_not_local_(place, PT_FRAME_HIGH_(),                                              \
                  what " is a local, which does not survive the suspension: make it a " \
                       "member, self->..., or static",                                  \
                  PT_WHERE_(PT_FUNCTION_), __LINE__)
#define PT_PUT_LASTING_(s, a) /* PT_PUT_ (fields.h) */ \
    PT_LASTS_((const void *)PT_ADDRESS_IN_((*(s))a), "what a field of the frame points to")

/* PT_DEBUG: before a start, or an await by MACRO, writes anything, stop if FRAME runs already, or
 * if what becomes zero is in use. What needs a loop for that is in run/overwritten.h. */
#define PT_CHECK_AWAIT_(frame, macro, awaits, ...)                                           \
    PT_IF_(PT_DEBUG, pt_check_callers_(pt_, &(frame)->pt, PT_ZEROES_(*(frame), __VA_ARGS__), \
                                       "the frame runs already, and " awaits PT_GIVE_, macro);)
#define PT_GIVE_ ": give each level of a recursion a frame of its own"
#define PT_CHECK_OVERWRITTEN_(task, frame, ...) /* before another expression */
#define PT_CHECK_OUTLIVED_(loop, start, size) ((void)0)
#define PT_ZEROES_(frame, ...) PT_CHOOSE_(PT_KEEPS_(__VA_ARGS__), 0, sizeof(frame))
#define PT_START_OF_(...) PT_WHERE_("the start of " PT_NAME_OF_(PT_FIRST_(__VA_ARGS__)))
#define PT_NAME_OF_(name) PT_TEXT(name)

enum { PT_LOOKS_ = 64 }; /* how many frames, or tasks, a check looks at, to be O(1) */

/* Stop if FRAME is the one that RUNS, or one that awaits it; or has it in its SIZE bytes. */
PT_API void pt_check_callers_(const struct pt *runs, const struct pt *frame, size_t size,
                              const char *what, const char *where)
{
    for (int i = 0; runs && i < PT_LOOKS_; i++, runs = pt_caller_of_(runs))
        PT_ASSERT_(runs != frame && (uintptr_t)runs - (uintptr_t)frame >= size, what, where);
}

/* PT_FINALLY must not be in a block of pt's: its cleanup would run within it. */
#define PT_CHECK_OUTERMOST_                                                                   \
    do {                                                                                      \
        PT_STATIC_ASSERT(sizeof pt_blocks_ == 1,                                              \
                         "PT_FINALLY is in a block: put it at the end of the body, outside"); \
    } while (0)

/* PT_DEBUG: stop if the open blocks of this function are not those around this place. */
#define PT_CHECK_BLOCKS_()                                      \
    PT_IF_(                                                     \
        PT_AND_(PT_DEBUG, PT_AND_(PT_HAS_SCOPES_, PT_COUNTS_)), \
        pt_check_blocks_(pt_current_, pt_, sizeof pt_blocks_, PT_WHERE_(PT_FUNCTION_), __LINE__);)

/* PT_DEBUG: a body has come to its end without a PT_FINALLY. Call it once more, at that label: if
 * it has one, which was passed over, PT_CHECK_PROBE_ there stops. */
#define PT_CHECK_PASSED_()                                                               \
    PT_IF_(                                                                              \
        PT_AND_(PT_HAS_BODY_CHECKS_, PT_CLEANUP), if (pt_->fn && !(pt_->cleaning & 1)) { \
            pt_->status = PT_STATUS_PROBE_;                                              \
            pt_->label = PT_LABEL_FINALLY_;                                              \
            (void)PT_CALL_(pt_->fn, pt_, pt_current_);                                   \
        })
#define PT_STATUS_PROBE_ INT8_MAX /* no operation has this code */
#define PT_CHECK_PROBE_()                                                                       \
    (pt_->status == PT_STATUS_PROBE_                                                            \
         ? (void)PT_PANIC("PT_FINALLY was passed over: put it at the end of the body, outside " \
                          "of every if and loop",                                               \
                          PT_FUNCTION_, __LINE__)                                               \
         : (void)0)

/* A loop comes to its PT_FINALLY a second time, in the cleanup. */
#define PT_CHECK_FINALLY_()                                                                  \
    ((pt_->cleaning & 1)                                                                     \
         ? (void)PT_PANIC("PT_FINALLY is in a loop: put it at the end of the body, outside", \
                          PT_FUNCTION_, __LINE__)                                            \
         : (void)0)

/* PT_DEBUG: stop if PLACE, an argument of the macro WHERE, is another one at each evaluation.
 * Stands before another expression. */
#define PT_CHECK_ONE_(place, where) \
    PT_IF_(PT_DEBUG, pt_check_one_((uintptr_t)(place), (uintptr_t)(place), where), )
PT_API void pt_check_one_(uintptr_t first, uintptr_t second, const char *where)
{
    PT_ASSERT_(first == second, "an argument has a side effect, and is evaluated several times",
               where);
}

#if PT_DEBUG
PT_API void pt_check_blocks_(const struct pt_task *task, const struct pt *frame, size_t around,
                             const char *where, unsigned line)
{
    if (!pt_task_loop_(task)) /* a generator, which has no blocks */
        return;
    for (const struct pt_scope *open = pt_task_scopes_(task); open && open->frame == frame;
         open = open->outer)
        around--;
    if (around != 1)
        PT_PANIC("a block was left, or entered, by goto: leave it by break or PT_RETURN", where,
                 line);
}

/* Overwrite the stack below this call, so that a stale pointer to a local finds garbage. The call
 * of the body is opaque: if it were inlined, its locals would be above the overwritten stack. */
PT_NOINLINE void pt_scribble_(void)
{
    volatile unsigned char dead[PT_HOSTED ? 1024 : 64];

    for (size_t i = 0; i < sizeof dead; i++)
        dead[i] = 0xa5;
}

/* Stop if PLACE is between this frame and HIGH, the end of the caller's: a local of the caller. */
PT_NOINLINE void pt_not_local_(const void *place, const void *high, const char *what,
                               const char *where, unsigned line)
{
    uintptr_t at = (uintptr_t)place;

    if ((at > (uintptr_t)PT_FRAME_LOW_()) != (at >= (uintptr_t)high))
        PT_PANIC(what, where, line);
}
#endif

/* A suspension's place in the source. */
struct pt_site_ {
    const char *function, *file;
    unsigned line;
};

/* Where a frame last suspended; NULL if that is not known. */
PT_ALWAYS const struct pt_site_ *pt_site_of_(const struct pt *pt)
{
    intptr_t site = (intptr_t)pt_frame_site_(pt);

    if (PT_SITE_FITS_ && site)
        site += (intptr_t)pt->fn;
    return (const struct pt_site_ *)site;
}

/* The frame suspends at SITE. A site too far from fn for the offset, in another shared library, is
 * not stored. */
PT_ALWAYS void pt_site_mark_(struct pt *pt, const struct pt_site_ *site)
{
    intptr_t kept = (intptr_t)site;

    if (PT_SITE_FITS_) {
        kept = (intptr_t)((uintptr_t)site - (uintptr_t)pt->fn);
        kept = kept == (int32_t)kept ? kept : 0;
    }
    pt_frame_set_site_(pt, (pt_kept_site_)kept);
}

/* The place of FROM becomes that of PT, unless it is not known, or too far. */
PT_ALWAYS void pt_site_take_(struct pt *pt, const struct pt *from)
{
    const pt_kept_site_ own = pt_frame_site_(pt);

    if (!pt_site_of_(from))
        return;
    pt_site_mark_(pt, pt_site_of_(from));
    if (!pt_frame_site_(pt))
        pt_frame_set_site_(pt, own);
}

#define PT_NAME_SITES_(name) \
    PT_IF_(PT_SITES, static const char pt_name_[] PT_MAYBE_UNUSED = PT_TEXT(name);)
#define PT_MARK_SITE_() PT_IF_(PT_SITES, PT_MARK_SITE_HERE_();) /* a statement */
#define PT_MARK_SITE_HERE_()                                                       \
    do {                                                                           \
        static const struct pt_site_ pt_site_of_ = {pt_name_, __FILE__, __LINE__}; \
        pt_site_mark_(pt_, &pt_site_of_);                                          \
    } while (0)

#endif
