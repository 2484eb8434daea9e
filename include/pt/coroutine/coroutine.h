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

#include "cleaning.h"
#include "suspend.h"
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

/* PT_INIT in a body, for a frame that runs after the next suspension: what a field points to must
 * survive it. */
#define PT_INIT_KEPT_(storage, ...)                \
    (PT_INIT_FN_(storage, PT_FIRST_(__VA_ARGS__)), \
     PT_SET_BY_(PT_CHOOSE_(PT_HAS_BODY_CHECKS_, PT_KEEP_, PT_PUT_), storage, __VA_ARGS__))

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

PT_ALWAYS pt_op pt_return_(struct pt *pt, struct pt_task *task, pt_code_ code)
{
    pt_status status = pt_status_of_(code, "PT_RETURN");

    pt_frame_set_result_(pt, status);
    if (!PT_CLEANUP || (pt_frame_cleaning_(pt) & 1)) {
        pt->label = PT_LABEL_DONE_;
        pt->status = status;
        return pt_op_of_(PT_OP_DONE);
    }
    pt->label = PT_LABEL_FINALLY_;
    if (PT_UNLIKELY(pt_task_scopes_(task) != NULL))
        return pt_op_of_(PT_OP_LEAVE_);
    return PT_AGAIN_(pt, task);
}

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

PT_ALWAYS void pt_init_(struct pt *pt, pt_fn *fn)
{
    pt->fn = fn;
    pt_frame_set_caller_(pt, NULL);
    pt->label = PT_LABEL_START_;
    pt->status = PT_OK;
    pt_frame_set_result_(pt, PT_OK);
    pt_frame_set_cleaning_(pt, 0);
    pt_frame_set_site_(pt, 0);
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

#endif
