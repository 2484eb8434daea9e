/* tools.h - what sanitizers and valgrind must be told about stacks and switches
 * SPDX-License-Identifier: MIT
 *
 * AddressSanitizer is told before a switch where the next stack is, and after it that the switch is
 * done. A fiber that leaves for good gives up its fake stack, and the red zones of its unfinished
 * frames are cleared for the next user of the stack.
 *
 * LeakSanitizer, which comes with it, searches the stacks of fibers from pt_fiber_init to
 * pt_fiber_close, but not fake stacks (detect_stack_use_after_return).
 *
 * ThreadSanitizer has a thread of its own for each fiber. It is told right before the switch, in
 * code inlined into the function that switches: an instrumented function in between would be
 * entered in one thread and left in another.
 *
 * valgrind is told where stacks are; otherwise it mistakes a switch for a stack that grew.
 *
 * Without these tools all of this compiles to nothing.
 *
 * A longjmp off the stack of a fiber is no switch, so the program must report where it landed:
 *
 *     pt_landing_mark(&landing);
 *     if (!setjmp(escape))
 *         pt_loop_turn(&loop, now);           a body panics, and PT_PANIC does longjmp(escape, 1)
 *     else
 *         pt_landing_reached(&landing);
 *
 * ThreadSanitizer does not allow a longjmp off a fiber. Nor does glibc with _FORTIFY_SOURCE, which
 * some compilers set by default, if the fiber's stack is above that of the setjmp: it takes that
 * for a frame that has returned, and ends the program ("longjmp causes uninitialized stack frame").
 * Compile the file that calls longjmp with -U_FORTIFY_SOURCE. */
#ifndef PT_TOOLS_H
#define PT_TOOLS_H

#include "../base/compiler.h"

/* Tell valgrind: this needs its headers, and costs a few instructions per new fiber. */
#ifndef PT_VALGRIND
#define PT_VALGRIND 0
#endif

/* --- a longjmp off a stack ------------------------------------------------------------------ */

/* Where a longjmp lands; written by the functions. */
struct pt_landing {
    const void *low; /* the stack there, as AddressSanitizer knows it */
    size_t bytes;
    void *fake; /* its fake stack for that */
};

/* pt_landing_mark - before a setjmp: a longjmp off the stack of a fiber will land here
 * For a program that continues after PT_PANIC. Costs nothing without AddressSanitizer. */
PT_API void pt_landing_mark(struct pt_landing *landing);

/* pt_landing_reached - after that setjmp, when it returns by a longjmp, from anywhere
 * The fiber that was left by it must not continue. */
PT_API void pt_landing_reached(const struct pt_landing *landing);

/* --- implementation ------------------------------------------------------------------------ */

/* Which tools there are. PT_TOOLS_BLIND_ marks a function that AddressSanitizer does not check, and
 * PT_TOOLS_LOOK_ and PT_TOOLS_LOOKED_ surround reads that valgrind does not check. */
#if defined(__has_feature)
#define PT_TOOLS_FEATURE_(name) __has_feature(name)
#else
#define PT_TOOLS_FEATURE_(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || PT_TOOLS_FEATURE_(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#define PT_HAS_ASAN_ 1
#define PT_TOOLS_BLIND_ __attribute__((__no_sanitize_address__))
#else
#define PT_HAS_ASAN_ 0
#define PT_TOOLS_BLIND_
#endif
#if defined(__SANITIZE_THREAD__) || PT_TOOLS_FEATURE_(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define PT_HAS_TSAN_ 1
#else
#define PT_HAS_TSAN_ 0
#endif
#if PT_VALGRIND
#include <valgrind/memcheck.h>
#define PT_TOOLS_LOOK_() VALGRIND_DISABLE_ERROR_REPORTING
#define PT_TOOLS_LOOKED_(what)       \
    VALGRIND_ENABLE_ERROR_REPORTING; \
    (void)VALGRIND_MAKE_MEM_DEFINED(what, sizeof *(what))
#else
#define PT_TOOLS_LOOK_() ((void)0)
#define PT_TOOLS_LOOKED_(what) ((void)(what))
#endif
#define PT_HAS_TOOLS_ PT_OR_(PT_OR_(PT_HAS_ASAN_, PT_HAS_TSAN_), PT_VALGRIND)

/* What fibers tell the tools, by the functions below. Without tools it is nothing. */
#define PT_TOOLS_(...) PT_IF_(PT_HAS_TOOLS_, __VA_ARGS__)
#define PT_TOOLS_ROOT_(fiber) PT_TOOLS_(pt_tools_root_(&(fiber)->tools))
#define PT_TOOLS_HERE_(fiber) PT_TOOLS_(pt_tools_here_(&(fiber)->tools))
#define PT_TOOLS_OPEN_(fiber, stack, bytes) PT_TOOLS_(pt_tools_open_(&(fiber)->tools, stack, bytes))
#define PT_TOOLS_LEAVE_(from, to) PT_TOOLS_(pt_tools_leave_(&(from)->tools, &(to)->tools, false))
#define PT_TOOLS_END_(from, to) PT_TOOLS_(pt_tools_leave_(&(from)->tools, &(to)->tools, true))
#define PT_TOOLS_ARRIVE_(fiber) PT_TOOLS_(pt_tools_arrive_(&(fiber)->tools))
#define PT_TOOLS_CLOSE_(fiber) PT_TOOLS_(pt_tools_close_(&(fiber)->tools))
#define PT_TOOLS_SHARE_(fiber, stack, bytes) \
    PT_TOOLS_(pt_tools_share_(&(fiber)->tools, stack, bytes))
#define PT_TOOLS_UNSHARE_(fiber) PT_TOOLS_(pt_tools_unshare_(&(fiber)->tools))
#define PT_TOOLS_REVEAL_(stack, bytes) PT_TOOLS_(pt_tools_reveal_(stack, bytes))
#define PT_TOOLS_WIPE_(stack, bytes) PT_TOOLS_(pt_tools_wipe_(stack, bytes))

/* What the tools know about a fiber. */
struct pt_tools_ {
    const void *low;         /* its stack; for a root, filled in after the first switch from it */
    size_t bytes;            /* the size of that */
    void *fake;              /* AddressSanitizer's fake stack, while the fiber is left */
    struct pt_tools_ *whose; /* the fiber that switched here: its low and bytes are filled in */
    void *thread;            /* ThreadSanitizer's handle of the fiber */
    unsigned id;             /* valgrind's handle of its stack */
};

PT_ALWAYS void pt_tools_leave_(struct pt_tools_ *from, struct pt_tools_ *to, bool for_good)
{
    to->whose = from;
    PT_IF_(PT_HAS_ASAN_,
           __sanitizer_start_switch_fiber(for_good ? NULL : &from->fake, to->low, to->bytes);)
    PT_IF_(PT_HAS_TSAN_, __tsan_switch_to_fiber(to->thread, 0);)
}

PT_ALWAYS void pt_tools_arrive_(struct pt_tools_ *self)
{
    PT_IF_(PT_HAS_ASAN_,
           __sanitizer_finish_switch_fiber(self->fake, &self->whose->low, &self->whose->bytes);)
    self->fake = NULL;
}

/* The running fiber is a root again, and ThreadSanitizer may have another handle for it now. */
PT_ALWAYS void pt_tools_here_(struct pt_tools_ *self)
{
    self->thread = NULL;
    PT_IF_(PT_HAS_TSAN_, self->thread = __tsan_get_current_fiber();)
}

PT_API void pt_tools_root_(struct pt_tools_ *self)
{
    self->low = self->fake = NULL;
    self->bytes = 0;
    pt_tools_here_(self);
}

/* A fiber with a stack of its own, or a shared one. */
PT_API void pt_tools_share_(struct pt_tools_ *self, void *stack, size_t bytes)
{
    self->low = stack;
    self->bytes = bytes;
    self->fake = self->thread = NULL;
    PT_IF_(PT_HAS_TSAN_, self->thread = __tsan_create_fiber(0);)
}

PT_API void pt_tools_unshare_(struct pt_tools_ *self)
{
    PT_IF_(PT_HAS_TSAN_, __tsan_destroy_fiber(self->thread);)
    self->thread = NULL;
}

/* Make all of a stack readable: clear the red zones of unfinished frames. */
PT_ALWAYS void pt_tools_reveal_(const void *stack, size_t bytes)
{
    PT_IF_(PT_HAS_ASAN_, __asan_unpoison_memory_region(stack, bytes);)
}

/* The contents of a stack are gone; all of it may be written, even below what was in use. */
PT_API void pt_tools_wipe_(const void *stack, size_t bytes)
{
    pt_tools_reveal_(stack, bytes);
    PT_IF_(PT_VALGRIND, (void)VALGRIND_MAKE_MEM_UNDEFINED(stack, bytes);)
}

PT_API void pt_tools_open_(struct pt_tools_ *self, void *stack, size_t bytes)
{
    pt_tools_share_(self, stack, bytes);
    PT_IF_(PT_HAS_ASAN_, __lsan_register_root_region(stack, bytes);)
    self->id = 0;
    PT_IF_(PT_VALGRIND, self->id = (unsigned)VALGRIND_STACK_REGISTER(stack, (char *)stack + bytes);)
}

PT_API void pt_tools_close_(struct pt_tools_ *self)
{
    pt_tools_unshare_(self);
    PT_IF_(PT_HAS_ASAN_, __lsan_unregister_root_region(self->low, self->bytes);)
    PT_IF_(PT_VALGRIND, VALGRIND_STACK_DEREGISTER(self->id);)
    pt_tools_wipe_(self->low, self->bytes);
}

#if PT_HAS_ASAN_

/* AddressSanitizer tells where a stack is when a switch away from it is reported: so report two. */
PT_API void pt_landing_mark(struct pt_landing *landing)
{
    void *fake = NULL;

    __sanitizer_start_switch_fiber(&fake, NULL, 0);
    __sanitizer_finish_switch_fiber(fake, &landing->low, &landing->bytes);
    __sanitizer_start_switch_fiber(&fake, landing->low, landing->bytes);
    __sanitizer_finish_switch_fiber(fake, NULL, NULL);
    landing->fake = fake;
}

PT_API void pt_landing_reached(const struct pt_landing *landing)
{
    void *fake = __asan_get_current_fake_stack();

    __sanitizer_start_switch_fiber(fake == landing->fake ? &fake : NULL, landing->low,
                                   landing->bytes);
    __sanitizer_finish_switch_fiber(landing->fake, NULL, NULL);
    __asan_unpoison_memory_region(
        landing->low, (size_t)((char *)__builtin_frame_address(0) - (const char *)landing->low));
}

#else

PT_API void pt_landing_mark(struct pt_landing *landing)
{
}

PT_API void pt_landing_reached(const struct pt_landing *landing)
{
}

#endif

#endif
