/* strict.h - what makes a mistake a compile error
 * SPDX-License-Identifier: MIT */
#ifndef PT_STRICT_H
#define PT_STRICT_H

#include "compiler.h"

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
#define PT_QUIET_TYPE_(type) type
#define PT_QUIET_TYPE_CLOSE_
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
#define PT_QUIET_TYPE_(type)                                              \
    __typeof__(((struct {                                                 \
                   PT_PRAGMA_(GCC diagnostic push)                        \
                   PT_PRAGMA_(GCC diagnostic ignored "-Wredundant-decls") \
                   type quiet;                                            \
               } *)0)                                                     \
                   ->quiet)
#define PT_QUIET_TYPE_CLOSE_ PT_PRAGMA_(GCC diagnostic pop)
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

/* In C: whether the target of a pointer is const, or volatile; PT_POINTS_TO_; whether it is a TYPE;
 * a number of the type of another one, which must be an integer; one of two expressions, by whether
 * a number is a constant.
 *
 * PT_REACHES_(label) is a compile error in a function without that label of C: an expression that
 * does nothing. */
#if defined(__GNUC__) || defined(__clang__)
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
#define PT_REACHES_(label) \
    __extension__({        \
        if (0)             \
            goto label;    \
    })
#else
#define PT_LEADS_TO_(qualifier, pointer) 0
#define PT_SAME_TARGET_(pointer, type, text) ((void)sizeof((pointer) - ((type * (*)(void))0)()))
#define PT_IS_TARGET_(pointer, type) 0
#define PT_ONE_AS_(n) sizeof((n) % 2)
#define PT_IF_CONSTANT_(n, yes, no) (no)
#define PT_REACHES_(label) ((void)0)
#endif

/* PT_REPEATED_(type), PT_REPEATED_CLOSE_: around a declaration that can repeat an earlier one. gcc
 * has -Wredundant-decls for it. In C a pragma can stand within a type, in C++ it cannot.
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
#define PT_STRICT_OPEN_                                              \
    PT_PRAGMA_(clang diagnostic push)                                \
    PT_STRICT_TYPES_                                                 \
    PT_PRAGMA_(clang diagnostic error "-Wuninitialized")             \
    PT_PRAGMA_(clang diagnostic error "-Wsometimes-uninitialized")   \
    PT_PRAGMA_(clang diagnostic error "-Wconditional-uninitialized") \
    PT_PRAGMA_(clang diagnostic error "-Wreturn-type")
#define PT_STRICT_CLOSE_ PT_PRAGMA_(clang diagnostic pop)
#define PT_REPEATED_(type) type
#define PT_REPEATED_CLOSE_
#define PT_STRICT_CASE_OPEN_                      \
    PT_PRAGMA_(clang diagnostic push)             \
    PT_PRAGMA_(clang diagnostic error "-Wswitch") \
    PT_PRAGMA_(clang diagnostic ignored "-Wimplicit-fallthrough")
#define PT_STRICT_CASE_CLOSE_ PT_PRAGMA_(clang diagnostic pop)
#elif defined(__GNUC__)
#define PT_REPEATED_(type) PT_QUIET_TYPE_(type)
#define PT_REPEATED_CLOSE_ PT_QUIET_TYPE_CLOSE_
#define PT_STRICT_SYSTEM_ /* pt.h: PT_STRICT_INSTALLED_ */
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
#define PT_REPEATED_(type) type
#define PT_REPEATED_CLOSE_
#define PT_STRICT_OPEN_
#define PT_STRICT_CLOSE_
#define PT_STRICT_CASE_OPEN_
#define PT_STRICT_CASE_CLOSE_
#endif

#endif
