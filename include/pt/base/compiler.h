/* compiler.h - what differs between compilers; and text that depends on knobs
 * SPDX-License-Identifier: MIT */
#ifndef PT_COMPILER_H
#define PT_COMPILER_H

#ifdef PT_CLASSIC_H
#error "a file includes <pt/pt.h> or the classic pt.h, not both: see pt/classic/adapter.h"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 1: for a desktop or server, 0: for a microcontroller. A default of knobs; 1 is fast, 0 small. */
#if defined(__STDC_HOSTED__) && __STDC_HOSTED__ && \
    (defined(__unix__) || defined(__APPLE__) || defined(_WIN32))
#define PT_HOSTED 1
#else
#define PT_HOSTED 0
#endif

/* PT_TEXT(x) - make text of X, which is expanded first */
#define PT_TEXT(x) PT_TEXT_(x)

/* --- linkage, and what to inline ------------------------------------------------------------ */

/* By default each file has its own copy of the functions that are not inlined, and drops those that
 * it does not use. If many files of a program include pt, -DPT_CODE_ONCE=1 saves the copies: every
 * file has all these functions as weak ones, and the linker keeps one of each. Then
 * -ffunction-sections with --gc-sections, or -flto, removes the unused ones. Language and knobs
 * must be the same in all files. */
#ifndef PT_CODE_ONCE
#define PT_CODE_ONCE 0
#endif

/* Linkage of all functions in the portable core: the headers are the library, and a function that a
 * program does not call costs nothing. PT_ALWAYS and PT_NOINLINE, below, instruct the compiler. */
#define PT_API static inline

/* A slow path. On a PC, or with PT_CODE_ONCE, it is not inlined, so that it takes no registers from
 * the fast path; elsewhere the compiler decides. */
#define PT_COLD PT_CHOOSE_(PT_HOSTED, PT_NOINLINE, PT_API)

/* A function with several callers: inlined on a PC, one copy on a small part. */
#define PT_SHARED PT_CHOOSE_(PT_HOSTED, PT_API, PT_NOINLINE)

/* --- processors ------------------------------------------------------------------------------ */

/* PT_TRAP() - stop the program
 * PT_SHORT - a very short function: inlined, but one copy on an 8-bit part, where pointers are long
 * pt_register_: an unsigned number that the processor loads or stores in one instruction. */
#if defined(__AVR__) /* it has no trap instruction: gcc would call abort, which is in libc */
#define PT_TRAP()                 \
    __extension__({               \
        for (;;)                  \
            __asm__ volatile(""); \
    })
#define PT_SHORT PT_NOINLINE
typedef unsigned char pt_register_;
#else
#define PT_TRAP() PT_STOP_()
#define PT_SHORT PT_API
typedef unsigned pt_register_;
#endif

/* --- languages ------------------------------------------------------------------------------- */

/* PT_STATIC_ASSERT(cond, text) - stop the compilation, with TEXT in the message, unless COND holds
 * Usable wherever a declaration is allowed. */
#if defined(__cplusplus)
#define PT_STATIC_ASSERT(cond, text) static_assert(cond, text)
#elif defined(__GNUC__) || defined(__clang__)
#define PT_STATIC_ASSERT(cond, text) __extension__ _Static_assert PT_NOTHING_(cond, text)
#define PT_NOTHING_ /* keeps out glibc's macro _Static_assert of -std=c99: it has no message */
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define PT_STATIC_ASSERT(cond, text) _Static_assert(cond, text)
#else
#define PT_STATIC_ASSERT(cond, text) extern char pt_static_assert_[(cond) ? 1 : -1]
#endif

/* PT_NO_SUCH_(text) - as a statement, stop the compilation with TEXT */
#define PT_NO_SUCH_(text)          \
    do {                           \
        PT_STATIC_ASSERT(0, text); \
    } while (0)

/* PT_ASSERT_SIZE(type, bytes) - stop the compilation if TYPE, or a variable, takes more than BYTES
 * A budget for a task's RAM: PT_ASSERT_SIZE(led, 60) for a static PT_TASK(blink) led. Usable
 * wherever a declaration is allowed. */
#define PT_ASSERT_SIZE(type, bytes) \
    PT_STATIC_ASSERT(sizeof(type) <= (bytes), #type " is over its budget of " #bytes " bytes")

/* --- compilers ------------------------------------------------------------------------------- */

/* PT_ALWAYS - a function that is always inlined
 * PT_EXPORT - a function of libpt, which is C: its name is the same in a C++ program
 * PT_LIKELY(x), PT_UNLIKELY(x) - which way a condition mostly goes
 * PT_PREFETCH(address) - a read from there comes soon
 * PT_MAYBE_UNUSED, PT_MUST_CHECK - what can be unused; a result that the caller must check
 * PT_EXTENSION - before a union without a name, which is unknown to C99
 *
 * Private: a type's alignment; hide where a pointer comes from; copy or set bytes, on a PC; stop;
 * what is known to hold; a type that may alias others, a function that may read any memory; the tag
 * of a type that is off. PT_DO_IF_(cond, statement) runs a statement, which can return, in the head
 * of a loop. Without statements in expressions PT_ELSE_DO_(cond, statement) after it does so: with
 * that alone `if (c) PT_WITH_TIMEOUT(...) { ... }` would cause -Wdangling-else. */
#if defined(__GNUC__) || defined(__clang__)
#define PT_ALWAYS static inline __attribute__((__always_inline__))
#define PT_EXPORT PT_C_LINKAGE_ __attribute__((__visibility__("default")))
#define PT_LIKELY(x) __builtin_expect(!!(x), 1)
#define PT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PT_PREFETCH(address) __builtin_prefetch(address)
#define PT_MAYBE_UNUSED __attribute__((__unused__))
#if !defined(__clang__) && __GNUC__ >= 10 /* a cast to void is silent by this form, with gcc */
#define PT_MUST_CHECK __extension__ [[__nodiscard__]]
#else
#define PT_MUST_CHECK __attribute__((__warn_unused_result__))
#endif
#define PT_EXTENSION __extension__
#define PT_ALIGN_OF_(type) __alignof__(type)
#define PT_OPAQUE_(pointer) __asm__("" : "+r"(pointer))
#define PT_MEMCPY_(to, from, size) __builtin_memcpy(to, from, size)
#define PT_MEMSET_(to, byte, size) __builtin_memset(to, byte, size)
#define PT_STOP_() __builtin_trap()
#define PT_KNOWN_(condition) ((condition) ? (void)0 : __builtin_unreachable())
#define PT_ALIASES_ __attribute__((__may_alias__))
#define PT_READS_ALL_ __attribute__((__no_sanitize_address__, __no_sanitize_thread__))
#define PT_OFF_TYPE_(name, needs) \
    __attribute__((__aligned__(sizeof(struct name##_needs_##needs)))) name##_needs_##needs
#define PT_PRAGMA_(x) _Pragma(#x)
#define PT_DO_IF_(cond, statement) \
    __extension__({                \
        if (cond) {                \
            statement              \
        }                          \
        (void)0;                   \
    })
#define PT_ELSE_DO_(cond, statement)
#define PT_ELSE_DOES_ 0
#else
#define PT_ALWAYS static inline
#define PT_EXPORT PT_C_LINKAGE_
#define PT_LIKELY(x) (x)
#define PT_UNLIKELY(x) (x)
#define PT_PREFETCH(address) ((void)(address))
#define PT_MAYBE_UNUSED
#define PT_MUST_CHECK
#define PT_EXTENSION
#define PT_ALIGN_OF_(type) 1
#define PT_OPAQUE_(pointer) ((void)0)
#define PT_MEMCPY_(to, from, size) pt_copy_bytes_(to, from, size)
#define PT_MEMSET_(to, byte, size) pt_zero_bytes_(to, byte, size)
#define PT_STOP_() (*(volatile int *)0 = 0)
#define PT_KNOWN_(condition) ((void)0)
#define PT_ALIASES_
#define PT_READS_ALL_
#define PT_OFF_TYPE_(name, needs) name##_needs_##needs
#define PT_PRAGMA_(x)
#define PT_DO_IF_(cond, statement) ((void)0)
#define PT_ELSE_DO_(cond, statement) \
    if (cond) {                      \
        statement                    \
    } else
#define PT_ELSE_DOES_ 1
#endif

/* PT_NOINLINE - a function that is never inlined; gcc must not pass the address of a member
 * instead, which each caller would have to compute
 *
 * PT_FRAME_LOW_, PT_FRAME_HIGH_: every local of a function lies between the first of a function
 * that it calls and its own second. NULL where the compiler cannot tell. */
#if defined(__clang__)
#define PT_NOINLINE PT_LINKAGE_ __attribute__((__noinline__, __unused__))
#define PT_FRAME_LOW_() __builtin_frame_address(0)
#define PT_FRAME_HIGH_() __builtin_frame_address(0)
#elif defined(__GNUC__)
#if defined(__OPTIMIZE__)
#define PT_NOINLINE PT_LINKAGE_ __attribute__((__noinline__, __noclone__, __unused__))
#else /* nothing is inlined, and only what is inline is left out if it is not called */
#define PT_NOINLINE                                                           \
    PT_CHOOSE_(PT_CODE_ONCE, extern __attribute__((__weak__)), static inline) \
    __attribute__((__unused__))
#endif
#define PT_FRAME_LOW_() __builtin_frame_address(0)
#define PT_FRAME_HIGH_() __builtin_dwarf_cfa() /* on AArch64 the other is below the locals */
#else
#define PT_NOINLINE static inline
#define PT_FRAME_LOW_() NULL
#define PT_FRAME_HIGH_() NULL
#endif

/* PT_COUNTING_FOR_(array, condition, step): the head of a loop, in which sizeof ARRAY is one more
 * than around it: a count by the compiler, without memory once optimized. -Wshadow is off there;
 * gcc before 6 takes the pragma for the body, and has a plain loop. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 6
#define PT_COUNTS_ 0
#define PT_COUNTING_FOR_(array, condition, step) for (; condition; step)
#else
#define PT_COUNTS_ 1
#define PT_COUNTING_FOR_(array, condition, step)                        \
    PT_PRAGMA_(GCC diagnostic push)                                     \
    PT_PRAGMA_(GCC diagnostic ignored "-Wshadow")                       \
    for (char array[sizeof array + 1] PT_MAYBE_UNUSED; condition; step) \
        PT_PRAGMA_(GCC diagnostic pop)
#endif

/* PT_QUIET_OPEN_, PT_QUIET_CLOSE_ enclose the functions of headers: the knobs decide which of their
 * parameters are used, so -Wunused-parameter is off in between. Faces enclose what they include. A
 * program that includes a room's header alone, without a face, has the warning off from here on. */
#define PT_QUIET_OPEN_              \
    PT_PRAGMA_(GCC diagnostic push) \
    PT_QUIET_
#define PT_QUIET_ PT_PRAGMA_(GCC diagnostic ignored "-Wunused-parameter")
#define PT_QUIET_CLOSE_ PT_PRAGMA_(GCC diagnostic pop)
PT_QUIET_

/* --- implementation ------------------------------------------------------------------------ */

#define PT_TEXT_(x) #x

/* Paste tokens, which are expanded first. */
#define PT_GLUE_(a, b) PT_GLUED_(a, b)
#define PT_GLUED_(a, b) a##b
#define PT_UINT_(bits) PT_GLUE_(PT_GLUE_(uint, bits), _t)

/* PT_IF_(PT_JOINS, text) is the text if the knob is on, else nothing. PT_CHOOSE_(PT_JOINS, yes, no)
 * is one of two texts. A knob is a plain 0 or 1, and so is every combination of knobs by NOT, AND
 * and OR. */
#define PT_IF_(knob, ...) PT_GLUE_(PT_IF_, knob)(__VA_ARGS__)
#define PT_IF_0(...)
#define PT_IF_1(...) __VA_ARGS__
#define PT_CHOOSE_(knob, yes, no) PT_GLUE_(PT_CHOOSE_, knob)(yes, no)
#define PT_CHOOSE_0(yes, no) no
#define PT_CHOOSE_1(yes, no) yes

/* PT_FIELD_(knob, pt_loop, pt_loop, host, type, none): pt_loop_host_(loop) gets the field `host` of
 * a struct pt_loop, and pt_loop_set_host_(loop, value) sets it. Where the knob is 0, the struct has
 * no such field: it is NONE, and stays so. Then bodies need no condition. */
#define PT_FIELD_(knob, tag, prefix, name, type, none)                 \
    PT_ALWAYS type prefix##_##name##_(const struct tag *its)           \
    {                                                                  \
        return PT_CHOOSE_(knob, its->name, none);                      \
    }                                                                  \
    PT_ALWAYS void prefix##_set_##name##_(struct tag *its, type value) \
    {                                                                  \
        PT_IF_(knob, its->name = value;)                               \
    }

#define PT_NOT_(a) PT_GLUE_(PT_NOT_, a)
#define PT_NOT_0 1
#define PT_NOT_1 0
#define PT_PASTE_(name, a, b) name##a##b
#define PT_AND_(a, b) PT_PASTE_(PT_AND_, a, b)
#define PT_AND_00 0
#define PT_AND_01 0
#define PT_AND_10 0
#define PT_AND_11 1
#define PT_OR_(a, b) PT_PASTE_(PT_OR_, a, b)
#define PT_OR_00 0
#define PT_OR_01 1
#define PT_OR_10 1
#define PT_OR_11 1

#define PT_LINKAGE_ PT_CHOOSE_(PT_CODE_ONCE, extern __attribute__((__weak__)), static)

PT_API void pt_copy_bytes_(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

/* Copy SIZE bytes, mostly a constant, from one object to another, or to itself, which memcpy does
 * not allow. A part without libc can be without memcpy. */
PT_API void pt_copy_(void *to, const void *from, size_t size)
{
    if (!PT_HOSTED)
        pt_copy_bytes_(to, from, size);
    else if (to != from)
        PT_MEMCPY_(to, from, size);
}

/* Zero an object of SIZE bytes, from its byte FIRST on. gcc calls memset if it is not volatile. */
PT_API void pt_zero_bytes_(void *object, size_t first, size_t size)
{
    while (size > first) /* pt-bounds: loop bytes */
        ((volatile char *)object)[--size] = 0;
}

/* The same. For a large size that it knows gcc takes `rep stos`, which is slower than a call. */
PT_ALWAYS void pt_zero_(void *object, size_t first, size_t size)
{
    if (PT_HOSTED && size - first > 80)
        PT_OPAQUE_(size);
    if (PT_HOSTED)
        PT_MEMSET_((char *)object + first, 0, size - first);
    else
        pt_zero_bytes_(object, first, size);
}

#endif
