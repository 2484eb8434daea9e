/* compiler.h - what differs between compilers and languages, and nothing else
 * SPDX-License-Identifier: MIT */
#ifndef PT_COMPILER_H
#define PT_COMPILER_H

#ifdef PT_CLASSIC_H
#error "a file includes <pt/pt.h> or the classic pt.h, not both: see pt/classic/adapter.h"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 1: a program for a desktop or server, 0: for a microcontroller. It sets defaults; 1 also prefers
 * speed to size. */
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
#define PT_COLD PT_CHOOSE_(PT_OR_(PT_HOSTED, PT_CODE_ONCE), PT_NOINLINE, PT_API)

/* A function with several callers: inlined on a PC, one copy on a small part. */
#define PT_SHARED PT_CHOOSE_(PT_HOSTED, PT_API, PT_NOINLINE)

/* --- processors ------------------------------------------------------------------------------ */

/* PT_TRAP() - stop the program
 * PT_SHORT - a very short function: inlined, but one copy on an 8-bit part, which takes two
 * instructions to load a pointer
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
#elif defined(__GNUC__)
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

/* PT_NOEXCEPT_: in C++ an exception that would leave the function ends the program at the throw.
 * PT_ANY_CLASS_OPEN_ and _CLOSE_ enclose an offsetof in any class of C++. The standard does not
 * guarantee that it works, and compilers warn, but it works. PT_STRICT_JUMP_, _TYPES_ and
 * _INSTALLED_ are explained below, with PT_STRICT_OPEN_. C++ does not need them: there the language
 * itself forbids the jump.
 *
 * PT_POINTS_TO_(pointer, type, text) is a compile error, with TEXT if the compiler can compare
 * types, unless POINTER points to TYPE. It evaluates nothing. In C a wrong argument is only a
 * warning; but two pointers to different types have no difference.
 *
 * PT_NO_FRAME_(storage, type) is a compile error if STORAGE points to a TYPE,
 * a frame: a start takes a task.
 *
 * PT_WHOLE_(n) is 0u, of type size_t, or a compile error if N is a floating-point number: cut to an
 * integer, half a second would be none. It is a constant, and evaluates nothing. In C++
 * N stands where it would be evaluated, and so can be a lambda or, by g++, a statement:
 * not in sizeof nor in a template.
 *
 * PT_IN_TIME_(n, over) is 0u likewise, or a compile error if N is a constant and OVER, a constant
 * then, is true: a delay that no stamp has room for. g++ before 9 sees that only without -O. */
#if defined(__cplusplus)
#define PT_NOEXCEPT_ noexcept
#define PT_C_LINKAGE_ extern "C"
#define PT_STRICT_JUMP_
#define PT_STRICT_TYPES_
#define PT_STRICT_INSTALLED_
#define PT_POINTS_TO_(pointer, type, text) ((void)sizeof(((int (*)(type *))0)(pointer)))
extern "C++" {
template <class Frame> char pt_start_takes_a_PT_TASK_not_a_frame_(...);
template <class Frame> char pt_start_takes_a_PT_TASK_not_a_frame_(Frame *) = delete;
template <class Number> constexpr size_t pt_times_are_whole_numbers_use_a_smaller_unit_(Number)
{
    return 0;
}
size_t pt_times_are_whole_numbers_use_a_smaller_unit_(float) = delete;
size_t pt_times_are_whole_numbers_use_a_smaller_unit_(double) = delete;
size_t pt_times_are_whole_numbers_use_a_smaller_unit_(long double) = delete;
}
#define PT_NO_FRAME_(storage, type) \
    ((void)sizeof(pt_start_takes_a_PT_TASK_not_a_frame_<type>(storage)))
#define PT_WHOLE_(n) (false ? pt_times_are_whole_numbers_use_a_smaller_unit_(n) : (size_t)0)
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
constexpr size_t pt_in_time_(bool over) __attribute__((
    diagnose_if(over, "pt_time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS", "error")));
#pragma clang diagnostic pop
constexpr size_t pt_in_time_(bool)
{
    return 0;
}
#define PT_IN_TIME_(n, over) (false ? pt_in_time_((over) != 0) : (size_t)0)
#elif defined(__GNUC__) && (__GNUC__ >= 9 || !defined(__OPTIMIZE__))
#define PT_IN_TIME_(n, over)                                                                  \
    (0u * sizeof(int (*)(char pt_time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS_ \
                             [__builtin_constant_p(n) && (over) ? SIZE_MAX : 1])))
#else
#define PT_IN_TIME_(n, over) 0u
#endif
#define PT_ANY_CLASS_OPEN_          \
    PT_PRAGMA_(GCC diagnostic push) \
    PT_PRAGMA_(GCC diagnostic ignored "-Winvalid-offsetof")
#define PT_ANY_CLASS_CLOSE_ PT_PRAGMA_(GCC diagnostic pop)
#else
#define PT_NOEXCEPT_
#define PT_C_LINKAGE_
#define PT_STRICT_JUMP_ PT_PRAGMA_(GCC diagnostic error "-Wjump-misses-init")
#define PT_STRICT_TYPES_                                            \
    PT_PRAGMA_(GCC diagnostic error "-Wincompatible-pointer-types") \
    PT_PRAGMA_(GCC diagnostic error "-Wint-conversion")             \
    PT_PRAGMA_(GCC diagnostic error "-Wimplicit-function-declaration")
#define PT_STRICT_INSTALLED_ PT_PRAGMA_(GCC diagnostic warning "-Wsystem-headers")
#define PT_POINTS_TO_(pointer, type, text) PT_SAME_TARGET_(pointer, type, text)
#define PT_NO_FRAME_(storage, type) \
    ((void)sizeof(int (*)(          \
        char pt_start_takes_a_PT_TASK_not_a_frame_[PT_IS_TARGET_(storage, type) ? -1 : 1])))
#define PT_WHOLE_(n) \
    (0u * sizeof(int (*)(char pt_times_are_whole_numbers_use_a_smaller_unit_[PT_ONE_AS_(n)])))
#define PT_IN_TIME_(n, over)                                                                  \
    (0u * sizeof(int (*)(char pt_time_negative_or_over_PT_DELAY_MAX_use_a_wider_PT_TIME_BITS_ \
                             [PT_IF_CONSTANT_(n, over, 0) ? -1 : 1])))
#define PT_ANY_CLASS_OPEN_
#define PT_ANY_CLASS_CLOSE_
#endif

/* --- compilers ------------------------------------------------------------------------------- */

/* PT_ALWAYS - a function that is always inlined
 * PT_LIKELY(x), PT_UNLIKELY(x) - which way a condition mostly goes
 * PT_PREFETCH(address) - the program reads from there soon
 * PT_MAYBE_UNUSED, PT_MUST_CHECK - what can be unused; a result that the caller must check
 * PT_EXTENSION - before a union without a name, which is unknown to C99
 *
 * Private ones: the alignment of a type; in C, whether the target of a pointer is const, or
 * volatile; PT_POINTS_TO_; a number of the type of another one, which must be an integer; in C, one
 * of two expressions, by whether a number is a constant; hide from the compiler where a pointer
 * comes from; copy bytes, on a PC; stop.
 *
 * PT_REACHES_(label) is a compile error in a function without that label of C: an
 * expression that does nothing.
 *
 * PT_DO_IF_(cond, statement) runs a statement, which can return, in the head of a loop. A compiler
 * without statements in expressions uses PT_ELSE_DO_(cond, statement) after the head instead. This
 * would do for all compilers, but then `if (c) PT_WITH_TIMEOUT(...) { ... }` would cause
 * -Wdangling-else. */
#if defined(__GNUC__)
#define PT_ALWAYS static inline __attribute__((__always_inline__))
#define PT_LIKELY(x) __builtin_expect(!!(x), 1)
#define PT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PT_PREFETCH(address) __builtin_prefetch(address)
#define PT_MAYBE_UNUSED __attribute__((__unused__))
#define PT_MUST_CHECK __attribute__((__warn_unused_result__))
#define PT_EXTENSION __extension__
#define PT_ALIGN_OF_(type) __alignof__(type)
#define PT_LEADS_TO_(qualifier, pointer) \
    __builtin_types_compatible_p(__typeof__((pointer) + 0), qualifier __typeof__(*(pointer)) *)
#define PT_SAME_TARGET_(pointer, type, text)                                                \
    ((void)__extension__({                                                                  \
        PT_STATIC_ASSERT(__builtin_types_compatible_p(__typeof__(*(pointer)), type), text); \
        0;                                                                                  \
    }))
#define PT_IS_TARGET_(pointer, type) __builtin_types_compatible_p(__typeof__(pointer), type *)
#define PT_ONE_AS_(n) (__typeof__((n) + 0))1
#define PT_IF_CONSTANT_(n, yes, no)                                                                \
    __builtin_choose_expr(                                                                         \
        __builtin_types_compatible_p(__typeof__(1 ? (void *)((intptr_t)(n)*0) : (int *)1), int *), \
        yes, no)
#define PT_OPAQUE_(pointer) PT_CHOOSE_(PT_HOSTED, __asm__("" : "+r"(pointer)), (void)0)
#define PT_HAS_MEMCPY_ PT_HOSTED
#define PT_MEMCPY_(to, from, size) __builtin_memcpy(to, from, size)
#define PT_STOP_() __builtin_trap()
#define PT_PRAGMA_(x) _Pragma(#x)
#define PT_REACHES_(label) \
    __extension__({        \
        if (0)             \
            goto label;    \
    })
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
#define PT_LIKELY(x) (x)
#define PT_UNLIKELY(x) (x)
#define PT_PREFETCH(address) ((void)(address))
#define PT_MAYBE_UNUSED
#define PT_MUST_CHECK
#define PT_EXTENSION
#define PT_ALIGN_OF_(type) 1
#define PT_LEADS_TO_(qualifier, pointer) 0
#define PT_SAME_TARGET_(pointer, type, text) ((void)sizeof((pointer) - ((type * (*)(void))0)()))
#define PT_IS_TARGET_(pointer, type) 0
#define PT_ONE_AS_(n) sizeof((n) % 2)
#define PT_IF_CONSTANT_(n, yes, no) (no)
#define PT_OPAQUE_(pointer) ((void)0)
#define PT_HAS_MEMCPY_ 0
#define PT_MEMCPY_(to, from, size) ((void)0)
#define PT_STOP_() (*(volatile int *)0 = 0)
#define PT_PRAGMA_(x)
#define PT_REACHES_(label) ((void)0)
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
 * that it calls and its own second. NULL where the compiler cannot tell.
 *
 * PT_STRICT_OPEN_, PT_STRICT_CLOSE_: the diagnostics that catch a local lost across a suspension, a
 * stray return, and a suspension inside a switch of the user's own; in C also a pointer to another
 * type, and a function that is not declared. They are on, as errors, from the start of a
 * body to its end, whatever flags the user gave. Each compiler finds only some of the
 * mistakes: test/misuse/table.md lists them. -Wsystem-headers is needed because the wrong
 * label is in a macro, and gcc does not warn about macros of installed headers. gcc 12
 * cannot switch it off again. So pt.h switches it on after its own bodies, and a program
 * includes its headers before its first body. */
#if defined(__clang__)
#define PT_NOINLINE PT_LINKAGE_ __attribute__((__noinline__, __unused__))
#define PT_FRAME_LOW_() __builtin_frame_address(0)
#define PT_FRAME_HIGH_() __builtin_frame_address(0)
#define PT_STRICT_OPEN_                                              \
    PT_PRAGMA_(clang diagnostic push)                                \
    PT_STRICT_TYPES_                                                 \
    PT_PRAGMA_(clang diagnostic error "-Wuninitialized")             \
    PT_PRAGMA_(clang diagnostic error "-Wsometimes-uninitialized")   \
    PT_PRAGMA_(clang diagnostic error "-Wconditional-uninitialized") \
    PT_PRAGMA_(clang diagnostic error "-Wreturn-type")
#define PT_STRICT_CLOSE_ PT_PRAGMA_(clang diagnostic pop)
#define PT_STRICT_CASE_OPEN_                      \
    PT_PRAGMA_(clang diagnostic push)             \
    PT_PRAGMA_(clang diagnostic error "-Wswitch") \
    PT_PRAGMA_(clang diagnostic ignored "-Wimplicit-fallthrough")
#define PT_STRICT_CASE_CLOSE_ PT_PRAGMA_(clang diagnostic pop)
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
#define PT_STRICT_SYSTEM_                      /* pt.h: PT_STRICT_INSTALLED_ */
#define PT_STRICT_OPEN_                                      \
    PT_PRAGMA_(GCC diagnostic push)                          \
    PT_STRICT_SYSTEM_                                        \
    PT_STRICT_JUMP_                                          \
    PT_STRICT_TYPES_                                         \
    PT_PRAGMA_(GCC diagnostic error "-Wmaybe-uninitialized") \
    PT_PRAGMA_(GCC diagnostic error "-Wuninitialized")       \
    PT_PRAGMA_(GCC diagnostic error "-Woverflow")            \
    PT_PRAGMA_(GCC diagnostic error "-Wreturn-type")
#define PT_STRICT_CLOSE_ PT_PRAGMA_(GCC diagnostic pop)
#define PT_STRICT_CASE_OPEN_
#define PT_STRICT_CASE_CLOSE_
#else
#define PT_NOINLINE static inline
#define PT_FRAME_LOW_() NULL
#define PT_FRAME_HIGH_() NULL
#define PT_STRICT_OPEN_
#define PT_STRICT_CLOSE_
#define PT_STRICT_CASE_OPEN_
#define PT_STRICT_CASE_CLOSE_
#endif

/* PT_COUNTING_FOR_(array, condition, step): the head of a loop. In the loop, sizeof ARRAY is one
 * more than around it: a count by the compiler, for which an optimized program has no memory. It
 * hides one array by another, and -Wshadow does not need to know. gcc before 6 takes the pragma for
 * the body of the loop: there it is a plain loop. */
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

/* Copy SIZE bytes, mostly a constant, from one object to another, or to itself, which memcpy does
 * not allow. A part without libc can be without memcpy. */
PT_API void pt_copy_(void *to, const void *from, size_t size)
{
    if (PT_HAS_MEMCPY_) {
        if (to != from)
            PT_MEMCPY_(to, from, size);
    } else {
        for (size_t i = 0; i < size; i++)
            ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    }
}

#endif
