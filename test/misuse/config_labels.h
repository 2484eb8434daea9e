/* config_labels.h - knobs of a program, for -DPT_CONFIG_H
 * SPDX-License-Identifier: MIT */
#define PT_LABEL_BITS 16
