/* fields.h - designated initializers that work in C and C++: each becomes an assignment
 * SPDX-License-Identifier: MIT
 *
 * PT_INIT(&r, rocket, .name = "Apollo", .countdown = 3) expands to
 *
 *     ..., (*(&r)) .name = "Apollo", (*(&r)) .countdown = 3
 *
 * A compound literal would work only in C, and would zero the big buffers of a frame. The macros
 * that take fields evaluate the storage, pool or loop before them more than once: use an
 * expression without side effects. A field's value must not spawn from the same pool or heap. */
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

/* PT_SET_(storage, name, .field = value ...) - a list of up to 16 assignments to *(storage) */
#define PT_SET_(...) PT_GLUE_(PT_SET_, PT_COUNT_(__VA_ARGS__))(__VA_ARGS__)
#define PT_SET_2(s, name) (void)0
#define PT_SET_3(s, name, a) (void)((*(s))a)
#define PT_SET_4(s, name, a, ...) (void)((*(s))a), PT_SET_3(s, name, __VA_ARGS__)
#define PT_SET_5(s, name, a, ...) (void)((*(s))a), PT_SET_4(s, name, __VA_ARGS__)
#define PT_SET_6(s, name, a, ...) (void)((*(s))a), PT_SET_5(s, name, __VA_ARGS__)
#define PT_SET_7(s, name, a, ...) (void)((*(s))a), PT_SET_6(s, name, __VA_ARGS__)
#define PT_SET_8(s, name, a, ...) (void)((*(s))a), PT_SET_7(s, name, __VA_ARGS__)
#define PT_SET_9(s, name, a, ...) (void)((*(s))a), PT_SET_8(s, name, __VA_ARGS__)
#define PT_SET_10(s, name, a, ...) (void)((*(s))a), PT_SET_9(s, name, __VA_ARGS__)
#define PT_SET_11(s, name, a, ...) (void)((*(s))a), PT_SET_10(s, name, __VA_ARGS__)
#define PT_SET_12(s, name, a, ...) (void)((*(s))a), PT_SET_11(s, name, __VA_ARGS__)
#define PT_SET_13(s, name, a, ...) (void)((*(s))a), PT_SET_12(s, name, __VA_ARGS__)
#define PT_SET_14(s, name, a, ...) (void)((*(s))a), PT_SET_13(s, name, __VA_ARGS__)
#define PT_SET_15(s, name, a, ...) (void)((*(s))a), PT_SET_14(s, name, __VA_ARGS__)
#define PT_SET_16(s, name, a, ...) (void)((*(s))a), PT_SET_15(s, name, __VA_ARGS__)
#define PT_SET_17(s, name, a, ...) (void)((*(s))a), PT_SET_16(s, name, __VA_ARGS__)
#define PT_SET_18(s, name, a, ...) (void)((*(s))a), PT_SET_17(s, name, __VA_ARGS__)

#endif
