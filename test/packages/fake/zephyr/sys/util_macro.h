/* util_macro.h - replaces Zephyr's header
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_ZEPHYR_UTIL_MACRO_H
#define FAKE_ZEPHYR_UTIL_MACRO_H

/* IS_ENABLED(CONFIG_X) - a plain 1 if the macro CONFIG_X is 1, a plain 0 if it is not defined */
#define IS_ENABLED(macro) FAKE_ENABLED_(macro)
#define FAKE_ENABLED_(value) FAKE_PICK_(FAKE_COMMA_##value)
#define FAKE_COMMA_1 0,
#define FAKE_PICK_(comma_or_not) FAKE_SECOND_OF_(comma_or_not 1, 0, 0)
#define FAKE_SECOND_OF_(ignored, second, ...) second

#endif
