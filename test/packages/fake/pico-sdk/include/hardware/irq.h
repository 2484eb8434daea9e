/* irq.h - see pico/stdlib.h
 * SPDX-License-Identifier: MIT */
#include "pico/stdlib.h"
