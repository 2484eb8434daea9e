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

/* PT_CAT and PT_TEXT paste tokens and make text; the arguments are expanded first. PT_IF_(PT_JOINS,
 * text) is the text if the knob is on, else nothing. A knob is a plain 0 or 1, and so is every
 * combination of knobs by NOT, AND and OR. */
#define PT_CAT(a, b) PT_CAT_(a, b)
#define PT_CAT_(a, b) a##b
#define PT_TEXT(x) PT_TEXT_(x)
#define PT_TEXT_(x) #x
#define PT_IF_(knob, ...) PT_CAT(PT_IF_, knob)(__VA_ARGS__)
#define PT_IF_0(...)
#define PT_IF_1(...) __VA_ARGS__
#define PT_NOT_(a) PT_CAT(PT_NOT_, a)
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

/* Linkage of all functions in the portable core: the headers are the library, and a function that a
 * program does not call costs nothing. */
#define PT_API static inline

/* By default each file has its own copy of the functions that are not inlined, and drops those that
 * it does not use. If many files of a program include pt, -DPT_CODE_ONCE=1 saves the copies: every
 * file has all these functions as weak ones, and the linker keeps one of each. Then
 * -ffunction-sections with --gc-sections, or -flto, removes the unused ones. Language and knobs
 * must be the same in all files. */
#ifndef PT_CODE_ONCE
#define PT_CODE_ONCE 0
#endif
#if PT_CODE_ONCE
#define PT_LINKAGE_ extern __attribute__((weak))
#else
#define PT_LINKAGE_ static
#endif

/* What pt tells the compiler: which way a condition mostly goes, what to inline and what not, what
 * can be unused, what to prefetch; that a union without a name, unknown to C99, is intended; to
 * stop the program. And what pt asks it: the alignment of a type; in C, whether the target of a
 * pointer is const, or volatile. */
#if defined(__GNUC__)
#define PT_ALIGN_OF_(type) __alignof__(type)
#define PT_LEADS_TO_(qualifier, pointer) \
    __builtin_types_compatible_p(__typeof__((pointer) + 0), qualifier __typeof__(*(pointer)) *)
#define PT_LIKELY(x) __builtin_expect(!!(x), 1)
#define PT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PT_ALWAYS static inline __attribute__((always_inline))
#if defined(__clang__)
#define PT_NOINLINE PT_LINKAGE_ __attribute__((noinline, unused))
#else /* noclone: else gcc passes the address of a member, and each caller must compute that */
#define PT_NOINLINE PT_LINKAGE_ __attribute__((noinline, noclone, unused))
#endif
#define PT_MAYBE_UNUSED __attribute__((unused))
#define PT_PREFETCH(address) __builtin_prefetch(address)
#define PT_EXTENSION __extension__
#if defined(__AVR__) /* it has no trap instruction: gcc would call abort, which is in libc */
#define PT_TRAP()                 \
    __extension__({               \
        for (;;)                  \
            __asm__ volatile(""); \
    })
#else
#define PT_TRAP() __builtin_trap()
#endif
#else
#define PT_ALIGN_OF_(type) 1
#define PT_LEADS_TO_(qualifier, pointer) 0
#define PT_LIKELY(x) (x)
#define PT_UNLIKELY(x) (x)
#define PT_ALWAYS static inline
#define PT_NOINLINE static inline
#define PT_MAYBE_UNUSED
#define PT_PREFETCH(address) ((void)(address))
#define PT_EXTENSION
#define PT_TRAP() (*(volatile int *)0 = 0)
#endif

/* A slow path. On a PC, or with PT_CODE_ONCE, it is not inlined, so that it takes no registers from
 * the fast path; elsewhere the compiler decides. */
#if PT_HOSTED || PT_CODE_ONCE
#define PT_COLD PT_NOINLINE
#else
#define PT_COLD PT_API
#endif

/* A function with several callers: inlined on a PC, one copy on a small part. */
#if PT_HOSTED
#define PT_SHARED PT_API
#else
#define PT_SHARED PT_NOINLINE
#endif

/* A very short function: inlined, but one copy where a pointer has 16 bits: there an 8-bit part
 * takes two instructions to load it. */
#if UINTPTR_MAX > 0xffff
#define PT_SHORT PT_API
#else
#define PT_SHORT PT_NOINLINE
#endif

/* Hide from the compiler where a pointer comes from. */
#if PT_HOSTED && defined(__GNUC__)
#define PT_OPAQUE_(pointer) __asm__("" : "+r"(pointer))
#else
#define PT_OPAQUE_(pointer) ((void)0)
#endif

/* PT_DO_IF_(cond, statement) - run a statement, which can return, in the head of a loop
 * A compiler without statements in expressions uses PT_ELSE_DO_(cond, statement) after the head
 * instead. This would do for all compilers, but then `if (c) PT_WITH_TIMEOUT(...) { ... }` would
 * cause -Wdangling-else. */
#if defined(__GNUC__)
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
#define PT_DO_IF_(cond, statement) ((void)0)
#define PT_ELSE_DO_(cond, statement) \
    if (cond) {                      \
        statement                    \
    } else
#define PT_ELSE_DOES_ 1
#endif

/* In C++ an exception that would leave the function ends the program at the throw. */
#if defined(__cplusplus)
#define PT_NOEXCEPT_ noexcept
#define PT_C_LINKAGE_ extern "C"
#else
#define PT_NOEXCEPT_
#define PT_C_LINKAGE_
#endif

/* The caller must check the result. */
#if defined(__GNUC__)
#define PT_MUST_CHECK __attribute__((warn_unused_result))
#else
#define PT_MUST_CHECK
#endif

/* Copy SIZE bytes, mostly a constant, from one object to another, or to itself, which memcpy does
 * not allow. A part without libc can be without memcpy. */
#if PT_HOSTED && defined(__GNUC__)
PT_API void pt_copy_(void *to, const void *from, size_t size)
{
    if (to != from)
        __builtin_memcpy(to, from, size);
}
#else
PT_API void pt_copy_(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
#endif

/* PT_STATIC_ASSERT - stop the compilation, with TEXT in the message, unless COND holds
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

/* PT_ASSERT_SIZE(type, bytes) - stop the compilation if TYPE, or a variable, takes more than BYTES
 * A budget for a task's RAM: PT_ASSERT_SIZE(led, 60) for a static PT_TASK(blink) led. Usable
 * wherever a declaration is allowed. */
#define PT_ASSERT_SIZE(type, bytes) \
    PT_STATIC_ASSERT(sizeof(type) <= (bytes), #type " is over its budget of " #bytes " bytes")

/* The diagnostics that catch a local lost across a suspension, a stray return, and a suspension
 * inside a switch of the user's own. They are on, as errors, from the start of a body to its end,
 * whatever flags the user gave. Each compiler finds only some of the mistakes: test/misuse/table.md
 * lists them. -Wsystem-headers is needed because the wrong label is in a macro, and gcc does not
 * warn about macros of installed headers. gcc 12 cannot switch it off again. So pt.h switches it on
 * after its own bodies, and a program includes its headers before its first body. C++ does not need
 * it: there the language forbids the jump.
 *
 * PT_ANY_CLASS_OPEN_ and _CLOSE_ enclose an offsetof in any class of C++. The standard does not
 * guarantee that it works, and g++ warns, but it works. */
#define PT_PRAGMA_(x) _Pragma(#x)
#if defined(__clang__)
#define PT_STRICT_OPEN_                                              \
    PT_PRAGMA_(clang diagnostic push)                                \
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
#define PT_ANY_CLASS_OPEN_
#define PT_ANY_CLASS_CLOSE_
#elif defined(__GNUC__)
#if defined(__cplusplus)
#define PT_STRICT_JUMP_ /* the language itself forbids the jump */
#define PT_ANY_CLASS_OPEN_          \
    PT_PRAGMA_(GCC diagnostic push) \
    PT_PRAGMA_(GCC diagnostic ignored "-Winvalid-offsetof")
#define PT_ANY_CLASS_CLOSE_ PT_PRAGMA_(GCC diagnostic pop)
#else
#define PT_STRICT_JUMP_ PT_PRAGMA_(GCC diagnostic error "-Wjump-misses-init")
#define PT_ANY_CLASS_OPEN_
#define PT_ANY_CLASS_CLOSE_
#endif
#define PT_STRICT_SYSTEM_
#define PT_STRICT_OPEN_                                      \
    PT_PRAGMA_(GCC diagnostic push)                          \
    PT_STRICT_SYSTEM_                                        \
    PT_STRICT_JUMP_                                          \
    PT_PRAGMA_(GCC diagnostic error "-Wmaybe-uninitialized") \
    PT_PRAGMA_(GCC diagnostic error "-Wuninitialized")       \
    PT_PRAGMA_(GCC diagnostic error "-Woverflow")            \
    PT_PRAGMA_(GCC diagnostic error "-Wreturn-type")
#define PT_STRICT_CLOSE_ PT_PRAGMA_(GCC diagnostic pop)
#define PT_STRICT_CASE_OPEN_
#define PT_STRICT_CASE_CLOSE_
#else
#define PT_STRICT_OPEN_
#define PT_STRICT_CLOSE_
#define PT_STRICT_CASE_OPEN_
#define PT_STRICT_CASE_CLOSE_
#define PT_ANY_CLASS_OPEN_
#define PT_ANY_CLASS_CLOSE_
#endif
#define PT_STRICT_CASE_(value)      \
    PT_STRICT_CASE_OPEN_ case value \
        : PT_STRICT_CASE_CLOSE_ /* in a switch, or past a local: doc/mistakes.md */

#endif
