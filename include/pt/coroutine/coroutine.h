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
    PT_REPEATED_(pt_op) PT_FN(name)(PT_PARAMETERS_) PT_NOEXCEPT_;                         \
    PT_REPEATED_CLOSE_                                                                    \
    PT_STRICT_OPEN_                                                                       \
    PT_HEAD_(name)                                                                        \
    PT_ANY_CLASS_OPEN_                                                                    \
    PT_STATIC_ASSERT(offsetof(struct name, pt) == 0 &&                                    \
                         sizeof(((struct name *)0)->pt) == sizeof(struct pt),             \
                     "struct pt must be the first member of the frame");                  \
    PT_ANY_CLASS_CLOSE_                                                                   \
    PT_NAME_SITES_(name)                                                                  \
    struct name *const self = (struct name *)(void *)pt_;                                 \
    bool pt_entered_ = false, pt_ask_ = true, pt_refused_ = false; /* of blocks */        \
    char pt_blocks_[1];                                            /* counts them */      \
    PT_OPEN_(pt_->label, (void)self; (void)pt_current_; (void)pt_entered_; (void)pt_ask_; \
             (void)pt_refused_; (void)pt_blocks_;                                         \
             return pt_label_without_case_(pt_, PT_WHERE_(PT_TEXT(name))))

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
#define PT_RETURN(code) PT_CHOOSE_(PT_SITES, PT_RETURN_FROM_, PT_RETURN_CODE_)(code)

/* PT_FINALLY - the rest of the body is a cleanup: it runs on return, timeout, cancel and close
 * It runs once for each frame that has started, and it may suspend. In it self->pt.result is what
 * the function will end with: PT_OK, the code of PT_RETURN, PT_ETIMEDOUT, or the reason of the
 * cancel; self->pt.status is that of the last operation. Costs nothing until then: an early end is
 * a jump to a reserved label.
 *
 * At most one in a body, in its outermost braces: in a PT_WITH_... block it is a compile error, and
 * PT_DEBUG stops at one in a loop and at one that the body passes over, in an `if` or by goto.
 *
 * Functions that a cleanup awaits can have cleanups, and so on: 63 deep on a 64-bit PC with
 * PT_INSPECT, else 127. The last of them can await nothing: on a PC a PT_WAIT_COMPLETE there ends
 * at once, with PT_ERANGE, and PT_DEBUG stops at it; on a part without PT_DEBUG there must be
 * none. */
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
 * An expression without a value. It evaluates the storage several times (fields.h). Fields that
 * are not named are zero, as in an initializer; PT_KEEP keeps them. They become zero before the
 * values are evaluated. In C a member that is const is an error, in C++ a frame with members of a
 * class is destroyed and constructed. */
#define PT_INIT(storage, ...) PT_INIT_BY_(PT_PUT_, storage, __VA_ARGS__)

/* PT_KEEP - behind the name: fields that are not named keep their values
 * In PT_INIT, PT_START, PT_SPAWN, PT_WAIT_COMPLETE, PT_TRY, PT_YIELD_FROM and all their kin.
 *
 *     PT_WAIT_COMPLETE(&self->part, read_part, PT_KEEP, .from = self->part.from + self->part.size);
 *
 * For members that were prepared before the start, for a large buffer, and for a value that reads
 * the frame itself. To zero a frame takes as long as to zero its bytes: on a PC nothing that counts
 * up to 64 bytes, and about 15 ns for 512; on a part a few cycles a byte. */
#define PT_KEEP (PT_KEEP_stands_behind_the_name)

/* --- implementation ------------------------------------------------------------------------ */

#define PT_RETURN_CODE_(code) return (PT_IN_BODY_, pt_return_(pt_, pt_current_, code))
#define PT_RETURN_FROM_(code) /* with PT_SITES: pt_dump_task prints this line in the end */ \
    do {                                                                                    \
        PT_IN_BODY_;                                                                        \
        PT_MARK_SITE_()                                                                     \
        PT_RETURN_CODE_(code);                                                              \
    } while (0)

/* PT_INIT in a body, for a frame that runs after the next suspension: what a field points to must
 * survive it. */
#define PT_INIT_LASTS_(storage, ...)                          \
    (PT_CHECK_OVERWRITTEN_(pt_current_, storage, __VA_ARGS__) \
         PT_INIT_BY_(PT_PUT_IN_BODY_, storage, __VA_ARGS__))
#define PT_PUT_IN_BODY_(s, a) PT_CHOOSE_(PT_HAS_BODY_CHECKS_, PT_PUT_LASTING_, PT_PUT_)(s, a)

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

PT_SHARED pt_op pt_return_(struct pt *pt, struct pt_task *task, pt_code_ code)
{
    pt_status status = pt_status_of_(code, "PT_RETURN");

    pt_frame_set_result_(pt, status);
    if (!PT_CLEANUP || (pt_frame_cleaning_(pt) & 1)) {
        pt->label = PT_LABEL_DONE_;
        pt->status = status;
        return pt_op_of_(PT_OP_DONE);
    }
    pt->label = PT_LABEL_FINALLY_;
    if (PT_HAS_SCOPES_ && (!PT_FAST_ || PT_UNLIKELY(pt_task_scopes_(task) != NULL)))
        return pt_op_of_(PT_OP_LEAVE_);
    return PT_AGAIN_(pt, task);
}

/* The body has no case for the label: the function has ended, it has no PT_FINALLY, or a suspension
 * is inside a switch of the user's own. */
PT_NOINLINE pt_op pt_label_without_case_(struct pt *pt, const char *where)
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

/* PT_INIT, each field by PUT; PREPARE: what becomes of the frame before. */
#define PT_INIT_BY_(put, storage, ...)                                                            \
    PT_INIT_AS_(PT_CHOOSE_(PT_KEEPS_(__VA_ARGS__), PT_INIT_KEPT_, PT_INIT_ZEROED_), put, storage, \
                __VA_ARGS__)
#define PT_INIT_AS_(prepare, put, storage, ...)                                                \
    (PT_CHECK_INIT_(storage, PT_FIRST_(__VA_ARGS__)) prepare(storage, PT_FIRST_(__VA_ARGS__)), \
     PT_SET_BY_(put, storage, __VA_ARGS__))
#define PT_CHECK_INIT_(storage, name) PT_CHECK_INIT_OF_(storage, name)
#define PT_CHECK_INIT_OF_(storage, name) \
    PT_CHECK_FRAME_(storage, name), PT_CHECK_ONE_(storage, "PT_INIT, or a start or an await")
#define PT_INIT_KEPT_(storage, name) PT_INIT_KEPT_OF_(storage, name)
#define PT_INIT_KEPT_OF_(storage, name) pt_init_(&(storage)->pt, PT_FN(name))
#define PT_INIT_ZEROED_(storage, name) PT_INIT_ZEROED_OF_(storage, name)

/* The members of a frame from the label on become zero, as in struct pt at a start; on a part each
 * start calls this. */
PT_CHOOSE_(PT_HOSTED, PT_ALWAYS, PT_NOINLINE)
void pt_init_members_(struct pt *pt, pt_fn *fn, size_t size)
{
    pt->fn = fn;
    pt_frame_set_caller_(pt, NULL);
    pt_zero_(pt, offsetof(struct pt, label), size);
}

/* As pt_init_, and the fields of the frame of SIZE bytes become zero, if it has any. */
PT_ALWAYS void pt_init_zeroed_(struct pt *pt, pt_fn *fn, size_t size)
{
    if (size == sizeof *pt)
        pt_init_(pt, fn);
    else
        pt_init_members_(pt, fn, size);
}

#if defined(__cplusplus)
#define PT_INIT_ZEROED_OF_(storage, name) pt_made_<struct name>::init(storage, PT_FN(name))

/* Where to construct an object. Its type selects the operator below, which needs no header of the
 * C++ library: a small part may have none. */
struct pt_place_ {
    void *start;
};

extern "C++" {
inline void *operator new(size_t, pt_place_ place) noexcept
{
    return place.start;
}
/* A compile error if a new Frame cannot be made. */
template <class Frame> struct pt_makes_ {
    template <class One>
    static constexpr auto able(One *) -> decltype(One(), ((One *)nullptr)->~One(), true)
    {
        return true;
    }
    template <class One> static constexpr bool able(...)
    {
        return false;
    }
    static_assert(able<Frame>(nullptr), "the frame has a member that cannot be constructed "
                                        "without arguments: put PT_KEEP behind the name");
};
template <class Frame, bool = __is_trivial(Frame)> struct pt_made_ : pt_makes_<Frame> {
    PT_ALWAYS void init(Frame *frame, pt_fn *fn)
    {
        pt_init_zeroed_(&frame->pt, fn, sizeof *frame);
    }
};
/* A frame with members of a class, or with default values, is destroyed, and a new one constructed
 * in its place: so a constructor can keep a pointer to its object, as that of a lock does, and a
 * large frame takes no stack. If it throws, the program ends: there is no object to go back to. */
template <class Frame> struct pt_made_<Frame, false> : pt_makes_<Frame> {
    static void init(Frame *frame, pt_fn *fn) noexcept
    {
        struct pt pt = frame->pt; /* without PT_AWAIT the task is in it */

        frame->~Frame();
        frame = ::new (pt_place_{frame}) Frame();
        frame->pt = pt;
        pt_init_(&frame->pt, fn);
    }
};
}
#else
/* An error if a member is const, and would become zero: the frame is read-only. */
#define PT_INIT_ZEROED_OF_(storage, name)                   \
    ((void)(1 ? (void)0 : (void)(*(storage) = *(storage))), \
     pt_init_zeroed_(&(storage)->pt, PT_FN(name), sizeof(struct name)))
#endif

#endif
