/* test_ticks.c - time stamps, codes and opcodes
 * SPDX-License-Identifier: MIT */
#include "pt_test.h"

START_TEST(before_holds_across_the_wrap)
{
    pt_time last = (pt_time) ~(pt_time)0;

    ck_assert(pt_time_before(last, 0));
    ck_assert(pt_time_before(last, 5));
    ck_assert(!pt_time_before(0, last));
    ck_assert(!pt_time_before(5, last));
    ck_assert(pt_time_before(1, 2));
    ck_assert(!pt_time_before(2, 1));
}
END_TEST

START_TEST(no_time_is_before_itself)
{
    ck_assert(!pt_time_before(0, 0));
    ck_assert(!pt_time_before(TEST_START, TEST_START));
    ck_assert(!pt_time_before(PT_DELAY_MAX, PT_DELAY_MAX));
}
END_TEST

START_TEST(stamps_up_to_the_longest_delay_apart_compare_correctly)
{
    pt_time late = (pt_time)(TEST_START + PT_DELAY_NEVER), later = (pt_time)(late + 1);

    ck_assert(pt_time_before(TEST_START, late));
    ck_assert(!pt_time_before(late, TEST_START));
    ck_assert(pt_time_before(TEST_START, later)); /* half the range: each is before the other */
    ck_assert(pt_time_before(later, TEST_START));
    ck_assert(!pt_time_before(TEST_START, (pt_time)(later + 1)));
}
END_TEST

START_TEST(units_are_rounded_up_to_whole_ticks)
{
    const uint64_t second = PT_TICKS_PER_SEC;

    ck_assert_uint_eq(PT_SEC(0), 0);
    ck_assert_uint_eq(PT_MS(0), 0);
    ck_assert_uint_eq(PT_US(0), 0);
    ck_assert_uint_eq(PT_SEC(3), (pt_time)(3 * second));
    ck_assert_uint_eq(PT_MS(1000), PT_SEC(1));
    ck_assert_uint_eq(PT_US(1000), PT_MS(1));
    ck_assert_uint_eq(PT_MS(1), (second + 999) / 1000);
    ck_assert_uint_eq(PT_US(1), second < 1000000 ? 1 : second / 1000000);
    ck_assert_uint_eq(PT_US(1001), second == 1000 ? 2 : 1001 * (second / 1000000));
}
END_TEST

START_TEST(a_delay_that_is_too_long_for_a_stamp_becomes_never)
{
    uint64_t most = PT_DELAY_MAX / PT_TICKS_PER_SEC; /* of a constant it would not compile */

    ck_assert_uint_eq(PT_SEC(most), (pt_time)(most * PT_TICKS_PER_SEC));
    ck_assert_uint_eq(PT_SEC(most + 1), PT_DELAY_NEVER);
    ck_assert_uint_eq(PT_DELAY_MAX, PT_DELAY_NEVER - 1);
#if PT_TIME_BITS < 64
    uint64_t n = 0x7fffffff;

    ck_assert_uint_eq(PT_SEC(n), PT_DELAY_NEVER);
    n = 0xffffffff;
    ck_assert_uint_eq(PT_MS(n), PT_DELAY_NEVER);
    n = 0xffffffffffff;
    ck_assert_uint_eq(PT_US(n), PT_DELAY_NEVER);
#endif
}
END_TEST

START_TEST(a_delay_that_overflows_becomes_never_and_not_a_short_one)
{
    uint64_t most = PT_DELAY_NEVER / PT_TICKS_PER_SEC; /* whole seconds */
    uint64_t n = UINT64_MAX;

    ck_assert(PT_SEC(most) <= PT_DELAY_NEVER && PT_SEC(most) > PT_DELAY_NEVER / 2);
    ck_assert_uint_eq(PT_SEC(most), PT_MS(most * 1000));
    ck_assert_uint_eq(PT_SEC(most), PT_US(most * 1000000));
    ck_assert_uint_eq(PT_SEC(most + 1), PT_DELAY_NEVER);
    ck_assert_uint_eq(PT_MS((most + 1) * 1000), PT_DELAY_NEVER);
    ck_assert_uint_eq(PT_US((most + 1) * 1000000), PT_DELAY_NEVER);
    ck_assert_uint_eq(PT_SEC(n), PT_DELAY_NEVER);
    ck_assert_uint_eq(PT_MS(n / 2), PT_DELAY_NEVER);
#if PT_TIME_BITS == 64
    ck_assert_uint_eq(PT_US(20000000000), 20000u * (uint64_t)PT_TICKS_PER_SEC); /* 5.5 hours */
#endif
}
END_TEST

/* This must also compile without a warning for a narrow type, which cannot hold a delay that is
 * too long. */
START_TEST(a_delay_can_be_computed_from_a_variable_of_any_width)
{
    static const uint8_t narrow = 25;
    static const uint16_t number = 25;
    static const uint32_t wide = 25;
    static const int sign = 25;

    ck_assert_uint_eq(PT_SEC(narrow), PT_SEC(25));
    ck_assert_uint_eq(PT_MS(narrow), PT_MS(25));
    ck_assert_uint_eq(PT_MS(number), PT_MS(25));
    ck_assert_uint_eq(PT_US(number), PT_US(25));
    ck_assert_uint_eq(PT_MS(wide), PT_MS(25));
    ck_assert_uint_eq(PT_MS(sign), PT_MS(25));
}
END_TEST

START_TEST(every_status_has_its_name_and_text)
{
#define CHECK_STATUS(name, number, text)                      \
    ck_assert_int_eq(name, number);                           \
    ck_assert_str_eq(pt_status_name((pt_status)name), #name); \
    ck_assert_str_eq(pt_status_text((pt_status)name), text);
    PT_STATUS_TABLE(CHECK_STATUS)
#undef CHECK_STATUS
}
END_TEST

START_TEST(success_is_zero_and_every_failure_is_negative)
{
#define CHECK_SIGN(name, number, text) ck_assert(name == PT_OK ? name == 0 : name < 0);
    PT_STATUS_TABLE(CHECK_SIGN)
#undef CHECK_SIGN
}
END_TEST

START_TEST(a_number_that_is_no_code_is_named_unknown)
{
    ck_assert_str_eq(pt_status_name(1), "PT_STATUS_UNKNOWN");
    ck_assert_str_eq(pt_status_name(-64), "PT_STATUS_UNKNOWN");
    ck_assert_str_eq(pt_status_text(1), "not a code of pt");
    ck_assert_str_eq(pt_status_text(-128), "not a code of pt");
}
END_TEST

START_TEST(every_opcode_has_its_name)
{
#define CHECK_OPCODE(name, operand, text) ck_assert_str_eq(pt_op_name(PT_OP_##name), #name);
    PT_OP_TABLE(CHECK_OPCODE)
#undef CHECK_OPCODE
#define COUNT_OPCODE(name, operand, text) +1
    ck_assert_int_eq(PT_OP_TABLE(COUNT_OPCODE), 6);
#undef COUNT_OPCODE
    ck_assert_str_eq(pt_op_name((enum pt_opcode)7), "?");
}
END_TEST

Suite *suite_ticks(void)
{
    Suite *suite = test_suite("ticks");

    test_add(suite, a_delay_that_overflows_becomes_never_and_not_a_short_one);
    test_add(suite, before_holds_across_the_wrap);
    test_add(suite, no_time_is_before_itself);
    test_add(suite, stamps_up_to_the_longest_delay_apart_compare_correctly);
    test_add(suite, units_are_rounded_up_to_whole_ticks);
    test_add(suite, a_delay_that_is_too_long_for_a_stamp_becomes_never);
    test_add(suite, a_delay_can_be_computed_from_a_variable_of_any_width);
    test_add(suite, every_status_has_its_name_and_text);
    test_add(suite, success_is_zero_and_every_failure_is_negative);
    test_add(suite, a_number_that_is_no_code_is_named_unknown);
    test_add(suite, every_opcode_has_its_name);
    return suite;
}
