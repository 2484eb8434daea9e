/* test_fields.c - designated initializers as assignments, 0 to 16 of them
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

struct form {
    struct pt pt;
    int v[16];
    struct {
        const char *text;
    } deep;
};

static PT_ASYNC(form, self)
{
    PT_YIELD();
}
PT_END

static struct form filled;

/* The first COUNT fields must hold 1, 2 ...; the others REST. */
static void check_fields(int count, int rest)
{
    for (int i = 0; i < 16; i++)
        ck_assert_int_eq(filled.v[i], i < count ? i + 1 : rest);
    ck_assert(filled.pt.fn == PT_FN(form));
    for (int i = 0; i < 16; i++)
        filled.v[i] = -1;
}

START_TEST(every_number_of_fields_up_to_16_is_assigned_and_the_others_are_zero)
{
    memset(filled.v, 0xff, sizeof filled.v);
#define F(i) .v[i] = i + 1
    PT_INIT(&filled, form);
    check_fields(0, 0);
    PT_INIT(&filled, form, F(0));
    check_fields(1, 0);
    PT_INIT(&filled, form, F(0), F(1));
    check_fields(2, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2));
    check_fields(3, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3));
    check_fields(4, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4));
    check_fields(5, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5));
    check_fields(6, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6));
    check_fields(7, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7));
    check_fields(8, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8));
    check_fields(9, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9));
    check_fields(10, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10));
    check_fields(11, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10),
            F(11));
    check_fields(12, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10), F(11),
            F(12));
    check_fields(13, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10), F(11),
            F(12), F(13));
    check_fields(14, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10), F(11),
            F(12), F(13), F(14));
    check_fields(15, 0);
    PT_INIT(&filled, form, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10), F(11),
            F(12), F(13), F(14), F(15));
    check_fields(16, 0);
#undef F
}
END_TEST

START_TEST(with_PT_KEEP_the_fields_that_are_not_named_keep_their_values)
{
    memset(filled.v, 0xff, sizeof filled.v);
#define F(i) .v[i] = i + 1
    PT_INIT(&filled, form, PT_KEEP);
    check_fields(0, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0));
    check_fields(1, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1));
    check_fields(2, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2));
    check_fields(3, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3));
    check_fields(4, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4));
    check_fields(5, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5));
    check_fields(6, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6));
    check_fields(7, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7));
    check_fields(8, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8));
    check_fields(9, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9));
    check_fields(10, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9),
            F(10));
    check_fields(11, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9),
            F(10), F(11));
    check_fields(12, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9),
            F(10), F(11), F(12));
    check_fields(13, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9),
            F(10), F(11), F(12), F(13));
    check_fields(14, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9),
            F(10), F(11), F(12), F(13), F(14));
    check_fields(15, -1);
    PT_INIT(&filled, form, PT_KEEP, F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9),
            F(10), F(11), F(12), F(13), F(14), F(15));
    check_fields(16, -1);
    for (int round = 0; round < 2; round++) { /* it begins again */
        PT_INIT(&filled, form, PT_KEEP);
        ck_assert(pt_next(&filled.pt));
        ck_assert(!pt_next(&filled.pt));
    }
#undef F
}
END_TEST

START_TEST(fields_are_assigned_in_the_order_in_which_they_are_written)
{
    PT_INIT(&filled, form, .v[0] = 1, .v[1] = filled.v[0] + 1, .v[0] = 5);
    ck_assert_int_eq(filled.v[0], 5);
    ck_assert_int_eq(filled.v[1], 2);
}
END_TEST

START_TEST(members_of_members_can_be_named)
{
    PT_INIT(&filled, form, .deep.text = "here");
    ck_assert_str_eq(filled.deep.text, "here");
}
END_TEST

START_TEST(the_storage_can_be_any_expression)
{
    struct form two[2], *p = two;

    memset(two, 0, sizeof two);
    PT_INIT(p + 1, form, .v[3] = 9);
    ck_assert_int_eq(two[1].v[3], 9);
    ck_assert_int_eq(two[0].v[3], 0);
}
END_TEST

START_TEST(the_first_init_makes_a_frame_ready_to_start)
{
    memset(&filled, 0xff, sizeof filled);
    PT_INIT(&filled, form);
    ck_assert_int_eq(filled.pt.label, 0);
    ck_assert_int_eq(filled.pt.status, PT_OK);
    ck_assert(pt_next(&filled.pt));
    ck_assert(!pt_next(&filled.pt));
}
END_TEST

Suite *suite_fields(void)
{
    Suite *suite = test_suite("fields");

    test_add(suite, every_number_of_fields_up_to_16_is_assigned_and_the_others_are_zero);
    test_add(suite, with_PT_KEEP_the_fields_that_are_not_named_keep_their_values);
    test_add(suite, fields_are_assigned_in_the_order_in_which_they_are_written);
    test_add(suite, members_of_members_can_be_named);
    test_add(suite, the_storage_can_be_any_expression);
    test_add(suite, the_first_init_makes_a_frame_ready_to_start);
    return suite;
}
