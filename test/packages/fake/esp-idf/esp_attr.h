/* esp_attr.h - replaces ESP-IDF's: what a section of IRAM is called
 * SPDX-License-Identifier: MIT */
#ifndef ESP_ATTR_H
#define ESP_ATTR_H

#define IRAM_ATTR __attribute__((__section__(".iram1")))

#endif
