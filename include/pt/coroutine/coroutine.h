/* coroutine.h - resumable functions with a frame: PT_ASYNC
 * SPDX-License-Identifier: MIT
 *
 *     struct range { struct pt pt; int next, end; };
 *
 *     PT_ASYNC(range, self)
 *     {
 *         for (; self->next < self->end; self->next++)
 *             PT_YIELD();
 *     }
 *     PT_END
 *
 *     PT_INIT(&range, range, .next = 1, .end = 4);
 *     while (pt_next(&range.pt)) use(range.next);
 *
 * A resumable function keeps a label in its frame: a small number that tells where to continue. To
 * suspend is to store a label and return. To resume is to call the function again, which switches
 * to the label. Data that must survive a suspension belongs in the struct. A local does not
 * survive. The body is inside the switch, so most uses of a local across a suspension are
 * compile errors:
 *
 *     pt_op range_pt_(struct pt *pt_, struct pt_task *pt_current_)
 *     {
 *         struct range *const self = (struct range *)pt_;
 *         switch (pt_->label) case 0: if (0) { default: wrong label } else do
 *         {                                             <- your opening brace
 *             for (; self->next < self->end; self->next++)
 *                 do { pt_->label = 1; return YIELD; case 1:; } while (0);
 *         }                                             <- your closing brace
 *         while (ended = 1, 0);                         <- a stray break would jump over this
 *         ...
 *     }
 */
#ifndef PT_COROUTINE_H
#define PT_COROUTINE_H

#include "frame.h"
#include "../base/fields.h"

/* PT_FN(rocket) - the function that PT_ASYNC(rocket, ...) defines, a pt_fn
 * Its name differs from the struct's, so that a variable can have that name: struct range range. */
#define PT_FN(name) name##_pt_

/* PT_DECLARE(rocket); - in a header: PT_ASYNC(rocket, ...) is in another file */
#define PT_DECLARE(name) pt_op PT_FN(name)(PT_PARAMETERS_) PT_NOEXCEPT_

/* PT_ASYNC(rocket, self) { ... } PT_END - define a resumable function
 * Its frame is struct rocket, which begins with `struct pt pt`; SELF is the name of the pointer to
 * the frame. `static` before PT_ASYNC gives the function internal linkage. C++: the body must catch
 * the exceptions that are thrown in it. If one would leave the body, even a generator's, the throw
 * calls std::terminate. A suspension in a try or catch block is a compile error. */
#define PT_ASYNC(name, self)                                                              \
    PT_DECLARE(name);                                                                     \
    PT_STRICT_OPEN_                                                                       \
    PT_HEAD_(name)                                                                        \
    PT_ANY_CLASS_OPEN_                                                                    \
    PT_STATIC_ASSERT(offsetof(struct name, pt) == 0 &&                                    \
                         sizeof(((struct name *)0)->pt) == sizeof(struct pt),             \
                     "struct pt must be the first member of the frame");                  \
    PT_ANY_CLASS_CLOSE_                                                                   \
    PT_NAME_SITES_(name)                                                                  \
    struct name *const self = (struct name *)(void *)pt_;                                 \
    bool pt_entered_ = false, pt_ask_ = true; /* of PT_EACH_ */                           \
    char pt_blocks_[1];                       /* counts blocks */                         \
    PT_OPEN_(pt_->label, (void)self; (void)pt_current_; (void)pt_entered_; (void)pt_ask_; \
             (void)pt_blocks_; return pt_wrong_label_(pt_, PT_WHERE_(PT_TEXT(name))))

/* PT_END - after the closing brace of each PT_ASYNC; needs no semicolon */
#define PT_END                                                                                     \
    PT_CLOSE_(                                                                                     \
        PT_PANIC("break leaves the body: end it by PT_RETURN", PT_WHERE_(PT_FUNCTION_), __LINE__)) \
    PT_CHECK_BLOCKS_()                                                                             \
    PT_CHECK_PASSED_()                                                                             \
    return pt_end_(pt_);                                                                           \
    }

/* PT_YIELD() - let other tasks run; in a generator: a value is ready */
#define PT_YIELD() PT_SUSPEND_(PT_OP_YIELD)

/* PT_RETURN(code) - end the function with CODE; first run its PT_FINALLY
 * CODE: a code of pt, or the program's own, -128 to -64 (status.h). A function that reaches the end
 * of its body returns PT_OK. */
#define PT_RETURN(code) return (PT_IN_BODY_, pt_return_(pt_, pt_current_, code))

/* PT_FINALLY - the rest of the body is a cleanup: it runs on return, timeout, cancel and close
 * It runs once for each frame that has started, and it may suspend. At most one in a body, in its
 * outermost braces: in a PT_WITH_... block it is a compile error, and PT_DEBUG stops at one in a
 * loop and at one that the body passes over, in an `if` or by goto. In the cleanup self->pt.result
 * is what the function will end with: PT_OK, the code of PT_RETURN, PT_ETIMEDOUT, or the reason of
 * the cancel; self->pt.status is that of the last operation. Costs nothing until then: an early end
 * is a jump to a reserved label. Functions that a cleanup awaits can have cleanups, and so on: 63
 * deep on a 64-bit PC with PT_INSPECT, else 127. The last of them can await nothing: on a PC a
 * PT_WAIT_COMPLETE there ends at once, with PT_ERANGE, and PT_DEBUG stops at it; on a part without
 * PT_DEBUG there must be none. */
#define PT_FINALLY                           \
    PT_IN_BODY_;                             \
    PT_CHECK_OUTERMOST_;                     \
    PT_CHECK_BLOCKS_()                       \
    PT_IF_(PT_DEBUG, PT_CHECK_FINALLY_();)   \
    if (0) {                                 \
        PT_LABEL_CASE_(PT_LABEL_FINALLY_);   \
        PT_IF_(PT_DEBUG, PT_CHECK_PROBE_();) \
    }                                        \
    pt_->cleaning |= 1;

/* PT_INIT(&r, rocket, .delay = 5, ...) - make a frame ready to start: up to 16 fields
 * An expression without a value. It evaluates the storage once for each field (fields.h). Fields
 * that are not named keep their values: PT_ZERO. */
#define PT_INIT(storage, ...) \
    (PT_INIT_FN_(storage, PT_FIRST_(__VA_ARGS__)), PT_SET_(storage, __VA_ARGS__))

/* PT_ZERO(&frame) - set all fields of a frame to zero, before it starts or starts again; O(size)
 * PT_INIT, PT_WAIT_COMPLETE, PT_SPAWN and their kin write only the fields that are named. In a
 * frame that ran before, the others have the values that it left. An expression without a value.
 *
 *     PT_ZERO(&self->line);
 *     PT_WAIT_COMPLETE(&self->line, read_line, .io = &self->io);
 *
 * The frame must not be running, nor a task with its storage in it; of a task, zero storage.frame,
 * after its end. C++: a compile error if the frame is not trivially copyable; PT_SPAWN_NEW
 * constructs such a frame. */
#define PT_ZERO(frame) ((void)sizeof((frame)->pt.label), pt_zero_frame_(frame, sizeof *(frame)))

/* --- implementation ------------------------------------------------------------------------ */

/* Whether a body looks for locals that do not last, and for a PT_FINALLY that is passed over. */
#define PT_HAS_BODY_CHECKS_ PT_DEBUG

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

/* PT_INIT in a body, for a frame that runs after the next suspension: what a field points to must
 * survive it. */
#define PT_INIT_KEPT_(storage, ...)                \
    (PT_INIT_FN_(storage, PT_FIRST_(__VA_ARGS__)), \
     PT_SET_BY_(PT_CHOOSE_(PT_HAS_BODY_CHECKS_, PT_KEEP_, PT_PUT_), storage, __VA_ARGS__))
#define PT_KEEP_(s, a) \
    PT_LASTS_((const void *)PT_ADDRESS_IN_((*(s))a), "what a field of the frame points to")

#define PT_NAME_SITES_(name) \
    PT_IF_(PT_SITES, static const char pt_name_[] PT_MAYBE_UNUSED = PT_TEXT(name);)
#define PT_MARK_SITE_()                                                            \
    do {                                                                           \
        static const struct pt_site_ pt_site_of_ = {pt_name_, __FILE__, __LINE__}; \
        pt_site_mark_(pt_, &pt_site_of_);                                          \
    } while (0)

/* Suspend with an opcode: store the label of this place, return, and continue here when resumed.
 * Every suspending macro expands to this. */
/* clang-format off */
#define PT_SUSPEND_(opcode)                         \
    do {                                            \
        enum { pt_here_ = PT_LABEL_OF_(PT_HERE_) }; \
        PT_CHECK_LABEL_(pt_here_);                  \
        PT_CHECK_BLOCKS_()                          \
        PT_IF_(PT_SITES, PT_MARK_SITE_();)          \
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

/* Park if WAIT, a call that puts the task where something wakes it, returns true. */
#define PT_PARK_IF_(wait)            \
    do {                             \
        PT_IN_BODY_;                 \
        if (wait)                    \
            PT_SUSPEND_(PT_OP_PARK); \
    } while (0)

/* As PT_SUSPEND_, but continue at the label of another place; OP is a pt_op. The enumerator has no
 * use in the program: by its line a debugger finds that of the label. */
#define PT_LEAVE_TO_(here, op)         \
    enum { pt_here_ = (here) };        \
    PT_CHECK_LABEL_(pt_here_);         \
    PT_IF_(PT_SITES, PT_MARK_SITE_();) \
    pt_->label = pt_here_;             \
    PT_LEAVE_(pt_here_, op)            \
    {                                  \
    }

/* The status of a frame that reaches the end of its body. */
PT_ALWAYS pt_status pt_result_(const struct pt *pt)
{
    return pt_frame_result_(pt);
}

/* Complete a frame: it does not run again. */
PT_ALWAYS pt_op pt_end_(struct pt *pt)
{
    pt->label = PT_LABEL_DONE_;
    pt->status = pt_result_(pt);
    return pt_op_of_(PT_OP_DONE);
}

#if PT_CLEANUP

PT_ALWAYS pt_op pt_return_(struct pt *pt, struct pt_task *task, pt_code_ code)
{
    pt->result = pt_status_of_(code, "PT_RETURN");
    if (pt->cleaning & 1)
        return pt_end_(pt);
    pt->label = PT_LABEL_FINALLY_;
    if (PT_HAS_SCOPES_ && PT_UNLIKELY(pt_task_scopes_(task) != NULL))
        return pt_op_of_(PT_OP_LEAVE_);
    return PT_AGAIN_(pt, task);
}

#else

PT_ALWAYS pt_op pt_return_(struct pt *pt, struct pt_task *task, pt_code_ code)
{
    pt->label = PT_LABEL_DONE_;
    pt->status = pt_status_of_(code, "PT_RETURN");
    return pt_op_of_(PT_OP_DONE);
}

#endif

/* The body has no case for the label: the function has ended, it has no PT_FINALLY, or a suspension
 * is inside a switch of the user's own. */
PT_NOINLINE pt_op pt_wrong_label_(struct pt *pt, const char *where)
{
    if (pt->label == PT_LABEL_DONE_)
        return pt_op_of_(PT_OP_DONE);
    if (PT_CLEANUP && pt->label == PT_LABEL_FINALLY_)
        return pt_end_(pt);
    PT_PANIC(PT_WRONG_LABEL_, where, 0);
    return pt_op_of_(PT_OP_DONE);
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
#if PT_DEBUG && PT_HAS_SCOPES_
PT_API void pt_check_blocks_(const struct pt_task *task, const struct pt *frame, size_t around,
                             const char *where, unsigned line)
{
    if (!task->loop) /* a generator, which has no blocks */
        return;
    for (const struct pt_scope *open = task->scopes; open && open->frame == frame;
         open = open->outer)
        around--;
    if (around != 1)
        PT_PANIC("a block was left, or entered, by goto: leave it by break or PT_RETURN", where,
                 line);
}
#endif

/* PT_DEBUG: a body comes to its end, but not by way of a PT_FINALLY. Call it once more, to see if
 * it has one: its cleanup does not run at a normal end. */
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

PT_ALWAYS void pt_init_(struct pt *pt, pt_fn *fn)
{
    pt->fn = fn;
    pt_frame_set_caller_(pt, NULL);
    pt->label = PT_LABEL_START_;
    pt->status = PT_OK;
    pt_frame_set_result_(pt, PT_OK);
    pt_frame_set_cleaning_(pt, 0);
    PT_IF_(PT_SITE_FITS_, pt->site = 0;)
    PT_IF_(PT_HAS_SITE_, pt->site = NULL;)
}

/* A compile error if STORAGE is not that of the function; evaluates nothing. */
#define PT_CHECK_FRAME_(storage, name)  \
    PT_POINTS_TO_(storage, struct name, \
                  "declare this storage as a PT_TASK, or a frame as a struct, of " PT_TEXT(name))

PT_API void pt_zero_bytes_(void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)bytes)[i] = 0;
}

#if defined(__cplusplus)
extern "C++" {
template <class Frame> PT_ALWAYS void pt_zero_frame_(Frame *frame, size_t size)
{
    static_assert(__is_trivially_copyable(Frame), "PT_ZERO of a frame with members of a class");
    pt_zero_bytes_(frame, size);
}
}
#else
#define pt_zero_frame_(frame, size) pt_zero_bytes_(frame, size)
#endif

#define PT_INIT_FN_(storage, name) PT_INIT_NAME_(storage, name)
#define PT_INIT_NAME_(storage, name)                                                           \
    (PT_CHECK_FRAME_(storage, name), PT_CHECK_ONE_(storage, "PT_INIT, or a start or an await") \
                                         pt_init_(&(storage)->pt, PT_FN(name)))

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

PT_ALWAYS pt_op pt_body_resume_(struct pt *pt, struct pt_task *task)
{
    pt_fn *PT_IF_(PT_DEBUG, volatile) fn = pt->fn;

    PT_IF_(PT_DEBUG, pt_scribble_();)
    return PT_CALL_(fn, pt, task);
}

#endif
