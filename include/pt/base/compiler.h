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

/* A program for a desktop or server, as opposed to a bare part: sets defaults only. */
#if defined(__STDC_HOSTED__) && __STDC_HOSTED__ && \
    (defined(__unix__) || defined(__APPLE__) || defined(_WIN32))
#define PT_HOSTED 1
#else
#define PT_HOSTED 0
#endif

/* Token pasting and text, with the arguments expanded first. What stands in the source only where a knob is
 * on: PT_IF_(PT_JOINS, text). A knob, and what is made of knobs by NOT, AND and OR, is a plain 0 or 1. */
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

/* Linkage of everything in the portable core: the headers are the library, and what a
 * program does not call costs it nothing. */
#define PT_API static inline

/* The functions that are not inlined are each file's own, which drops those that it does not use. A
 * program of several files that includes pt in many carries them once with -DPT_CODE_ONCE=1: then all of
 * them are in every file, as weak functions of which the linker keeps one, and -ffunction-sections with
 * --gc-sections, or -flto, drops what nobody uses. Language and knobs are the same in all files. */
#ifndef PT_CODE_ONCE
#define PT_CODE_ONCE 0
#endif
#if PT_CODE_ONCE
#define PT_LINKAGE_ extern __attribute__((weak))
#else
#define PT_LINKAGE_ static
#endif

/* What a compiler can be told: which way a condition mostly goes, what to inline and what not,
 * what may be unused, what to fetch ahead; that a union without a name, which C99 does not know, is
 * meant; and how to stop the program. And what it can be asked: how a type is aligned; in C, whether what
 * a pointer leads to is const, or volatile. */
#if defined(__GNUC__)
#define PT_ALIGN_OF_(type) __alignof__(type)
#define PT_LEADS_TO_(qualifier, pointer) \
    __builtin_types_compatible_p(__typeof__((pointer) + 0), qualifier __typeof__(*(pointer)) *)
#define PT_LIKELY(x) __builtin_expect(!!(x), 1)
#define PT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PT_ALWAYS static inline __attribute__((always_inline))
#if defined(__clang__)
#define PT_NOINLINE PT_LINKAGE_ __attribute__((noinline, unused))
#else /* noclone: or gcc gives it the address of a member instead, and each caller adds it up */
#define PT_NOINLINE PT_LINKAGE_ __attribute__((noinline, noclone, unused))
#endif
#define PT_MAYBE_UNUSED __attribute__((unused))
#define PT_PREFETCH(address) __builtin_prefetch(address)
#define PT_EXTENSION __extension__
#if defined(__AVR__) /* it has no such instruction: gcc would call abort, which is libc's */
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

/* A slow path: kept out of the fast one's registers on a PC, left to the compiler elsewhere. */
#if PT_HOSTED || PT_CODE_ONCE
#define PT_COLD PT_NOINLINE
#else
#define PT_COLD PT_API
#endif

/* What several callers share: one copy where room counts, inlined on a PC. */
#if PT_HOSTED
#define PT_SHARED PT_API
#else
#define PT_SHARED PT_NOINLINE
#endif

/* The same for what is so short that a copy is worth it where a pointer costs two instructions
 * to load, and only there. */
#if UINTPTR_MAX > 0xffff
#define PT_SHORT PT_API
#else
#define PT_SHORT PT_NOINLINE
#endif

/* Let the compiler know nothing of where a pointer comes from. */
#if PT_HOSTED && defined(__GNUC__)
#define PT_OPAQUE_(pointer) __asm__("" : "+r"(pointer))
#else
#define PT_OPAQUE_(pointer) ((void)0)
#endif

/* PT_DO_IF_(cond, statement), PT_ELSE_DO_(cond, statement) - a statement, which may return, in the head of
 * a loop, and what stands behind that head instead where a compiler has no statements in expressions. An
 * if with an else would do for all; but `if (c) PT_WITH_TIMEOUT(...) { ... }` would draw -Wdangling-else. */
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

/* In C++: an exception that would leave the function ends the program, where it is thrown. */
#if defined(__cplusplus)
#define PT_NOEXCEPT_ noexcept
#else
#define PT_NOEXCEPT_
#endif

/* A result that must be looked at. */
#if defined(__GNUC__)
#define PT_MUST_CHECK __attribute__((warn_unused_result))
#else
#define PT_MUST_CHECK
#endif

/* Copy SIZE bytes, a constant mostly, from one object to another, or to itself, which memcpy may not. A part
 * that has no libc may have no memcpy. */
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
 * Usable wherever a declaration is. */
#if defined(__cplusplus)
#define PT_STATIC_ASSERT(cond, text) static_assert(cond, text)
#elif defined(__GNUC__)
#define PT_STATIC_ASSERT(cond, text) __extension__ _Static_assert PT_NOTHING_(cond, text)
#define PT_NOTHING_ /* with -std=c99 glibc has a macro of that name, which has no message */
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define PT_STATIC_ASSERT(cond, text) _Static_assert(cond, text)
#else
#define PT_STATIC_ASSERT(cond, text) extern char pt_static_assert_[(cond) ? 1 : -1]
#endif

/* PT_ASSERT_SIZE(type, bytes) - stop the compilation if TYPE, or a variable, takes more than BYTES
 * A budget for a task's RAM: PT_ASSERT_SIZE(led, 60), of a static PT_TASK(blink) led. Usable wherever
 * a declaration is. */
#define PT_ASSERT_SIZE(type, bytes) \
    PT_STATIC_ASSERT(sizeof(type) <= (bytes), #type " is over its budget of " #bytes " bytes")

/* The diagnostics that catch a local lost over a suspension, a stray return, and a
 * suspension inside a switch of one's own. They are switched on, as errors, from the opening
 * of a body to its end, whatever flags the user gave. Each compiler sees only a part of the
 * mistakes: test/misuse/table.md says which. -Wsystem-headers is asked for because the
 * offending label stands in a macro, and gcc is silent about macros of installed headers. gcc 12
 * cannot take it back: pt.h switches it on behind the bodies that it has itself, a program
 * includes its headers before its first body, and C++ does without: there the language forbids
 * the jump.
 *
 * Between PT_ANY_CLASS_OPEN_ and _CLOSE_ stands what asks where a member of any class of C++ lies: the
 * standard leaves open whether that works, g++ warns, and it does. */
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
