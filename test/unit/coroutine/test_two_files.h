/* test_two_files.h - a coroutine that one file defines and another uses
 * SPDX-License-Identifier: MIT */
#ifndef TEST_TWO_FILES_H
#define TEST_TWO_FILES_H

#include "pt_test.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stairs {
    struct pt pt;
    int step, top;
};
PT_DECLARE(stairs);

#ifdef __cplusplus
}
#endif

#endif
