/* fields.h - designated initializers that work in C and C++: each becomes an assignment
 * SPDX-License-Identifier: MIT
 *
 * PT_INIT(&r, rocket, .name = "Apollo", .countdown = 3) expands to
 *
 *     ..., (*(&r)) .name = "Apollo", (*(&r)) .countdown = 3
 *
 * after the other members have become zero (coroutine.h). A compound literal would work only in C,
 * and on a small part it would need memset. The macros that take fields evaluate the storage, pool
 * or loop before them more than once: use an expression without side effects; PT_DEBUG stops at one
 * that has them. A field's value must not spawn from the same pool or heap. */
#ifndef PT_FIELDS_H
#define PT_FIELDS_H

#include "compiler.h"

/* The number of arguments, 1 to 20. C99 requires at least one for a variadic macro. */
#define PT_COUNT_(...)                                                                           \
    PT_COUNT_N_(__VA_ARGS__, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, \
                1, 0)
#define PT_COUNT_N_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, count, ...) count

#define PT_FIRST_(...) PT_FIRST_OF_(__VA_ARGS__, 0)
#define PT_FIRST_OF_(first, ...) first

/* PT_KEEPS_(name, .field = value ...) - 1 if PT_KEEP, which has parentheses, stands behind the
 * name, else 0 */
#define PT_KEEPS_(...) PT_KEEPS_OF_(__VA_ARGS__, ~, ~)
#define PT_KEEPS_OF_(name, first, ...) PT_KEEPS_TOLD_(PT_IS_KEEP_ first, 0, ~)
#define PT_IS_KEEP_(keep) ~, 1
#define PT_KEEPS_TOLD_(...) PT_KEEPS_SECOND_(__VA_ARGS__)
#define PT_KEEPS_SECOND_(first, second, ...) second

/* PT_SET_(storage, name, .field = value ...) - a list of up to 16 assignments to *(storage)
 * PT_SET_BY_(put, storage, name, ...) - each assignment by put(storage, .field = value). A PT_KEEP
 * then takes the place of the name. */
#define PT_SET_(...) PT_SET_BY_(PT_PUT_, __VA_ARGS__)
#define PT_SET_BY_(put, storage, ...)                                 \
    PT_CHOOSE_(PT_KEEPS_(__VA_ARGS__), PT_SET_BEHIND_, PT_SET_THESE_) \
    (put, storage, __VA_ARGS__)
#define PT_SET_BEHIND_(put, storage, name, ...) PT_SET_THESE_(put, storage, __VA_ARGS__)
#define PT_SET_THESE_(put, ...) PT_GLUE_(PT_SET_, PT_COUNT_(__VA_ARGS__))(put, __VA_ARGS__)
#define PT_PUT_(s, a) (void)((*(s))a) /* each field is named: .field = value */
#define PT_SET_2(put, s, name) (void)0
#define PT_SET_3(put, s, name, a) put(s, a)
#define PT_SET_4(put, s, name, a, ...) put(s, a), PT_SET_3(put, s, name, __VA_ARGS__)
#define PT_SET_5(put, s, name, a, ...) put(s, a), PT_SET_4(put, s, name, __VA_ARGS__)
#define PT_SET_6(put, s, name, a, ...) put(s, a), PT_SET_5(put, s, name, __VA_ARGS__)
#define PT_SET_7(put, s, name, a, ...) put(s, a), PT_SET_6(put, s, name, __VA_ARGS__)
#define PT_SET_8(put, s, name, a, ...) put(s, a), PT_SET_7(put, s, name, __VA_ARGS__)
#define PT_SET_9(put, s, name, a, ...) put(s, a), PT_SET_8(put, s, name, __VA_ARGS__)
#define PT_SET_10(put, s, name, a, ...) put(s, a), PT_SET_9(put, s, name, __VA_ARGS__)
#define PT_SET_11(put, s, name, a, ...) put(s, a), PT_SET_10(put, s, name, __VA_ARGS__)
#define PT_SET_12(put, s, name, a, ...) put(s, a), PT_SET_11(put, s, name, __VA_ARGS__)
#define PT_SET_13(put, s, name, a, ...) put(s, a), PT_SET_12(put, s, name, __VA_ARGS__)
#define PT_SET_14(put, s, name, a, ...) put(s, a), PT_SET_13(put, s, name, __VA_ARGS__)
#define PT_SET_15(put, s, name, a, ...) put(s, a), PT_SET_14(put, s, name, __VA_ARGS__)
#define PT_SET_16(put, s, name, a, ...) put(s, a), PT_SET_15(put, s, name, __VA_ARGS__)
#define PT_SET_17(put, s, name, a, ...) put(s, a), PT_SET_16(put, s, name, __VA_ARGS__)
#define PT_SET_18(put, s, name, a, ...) put(s, a), PT_SET_17(put, s, name, __VA_ARGS__)

/* PT_ADDRESS_IN_(assignment) - carry it out; its value, if that is a pointer, or 0 */
#if defined(__cplusplus)
/* By commas: they take an assignment without a value, and bind no reference to a packed member. */
#define PT_ADDRESS_IN_(assignment) \
    ((uintptr_t)((pt_address_first_(), (assignment)), pt_address_last_()))
struct pt_address_found_ {
    uintptr_t at;
};
struct pt_no_address_ {
    operator uintptr_t() const
    {
        return 0;
    }
};
PT_ALWAYS pt_address_found_ pt_address_first_()
{
    return pt_address_found_();
}
PT_ALWAYS pt_no_address_ pt_address_last_()
{
    return pt_no_address_();
}
extern "C++" {
template <class Target>
PT_ALWAYS pt_address_found_ operator,(pt_address_found_ found, Target *pointer)
{
    found.at = (uintptr_t)pointer;
    return found;
}
}
PT_ALWAYS uintptr_t operator,(pt_address_found_ found, pt_no_address_)
{
    return found.at;
}
#elif defined(__GNUC__) || defined(__clang__)
#define PT_ADDRESS_IN_(assignment)                                                                 \
    ((uintptr_t) __builtin_choose_expr(PT_IS_POINTER_(assignment), assignment, /* or only do it */ \
                                       ((void)(assignment), 0)))
#define PT_IS_POINTER_(value) (__builtin_classify_type(value) == 5)
#else
#define PT_ADDRESS_IN_(assignment) ((void)(assignment), (uintptr_t)0)
#endif

#endif
