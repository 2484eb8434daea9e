/* codes.c - the codes in words
 * SPDX-License-Identifier: MIT */
#include "codes.h"

const char *driver_code_text(pt_status code)
{
    switch (code) {
#define DRIVER_CODE_TEXT_(name, number, text) \
    case name: return text;
        DRIVER_CODE_TABLE(DRIVER_CODE_TEXT_)
#undef DRIVER_CODE_TEXT_
    default: return pt_status_text(code);
    }
}
