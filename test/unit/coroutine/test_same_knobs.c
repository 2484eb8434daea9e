/* test_same_knobs.c - a debug build for a PC stops before main if its files have different knobs
 * SPDX-License-Identifier: MIT */
#include "test_escape.h"

#if defined(__GNUC__) && PT_DEBUG && PT_HOSTED && !PT_OTHER_KNOBS

START_TEST(a_file_whose_knobs_differ_from_those_of_the_program_is_caught)
{
    const char *const kept = pt_knobs_;

    ck_assert_str_eq(kept, PT_KNOBS_);
    pt_knobs_compare_();
    pt_knobs_ = " PT_TIMERS=9";
    ck_assert_panic(pt_knobs_compare_(), "PT_CONFIG_H: files have different knobs, set them once "
                                         "for all. Here:" PT_KNOBS_);
    pt_knobs_ = kept;
}
END_TEST

#endif

Suite *suite_same_knobs(void)
{
    Suite *suite = test_suite("same_knobs");

#if defined(__GNUC__) && PT_DEBUG && PT_HOSTED && !PT_OTHER_KNOBS
    test_add(suite, a_file_whose_knobs_differ_from_those_of_the_program_is_caught);
#endif
    return suite;
}
