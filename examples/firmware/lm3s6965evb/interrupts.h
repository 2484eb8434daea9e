/* interrupts.h - the interrupts of this board that a program defines, if it uses them; its pins
 * SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>

void ssi_interrupt(void); /* of the SPI controller SSI0, a PL022 */

/* The chip select of the SD card is pin D0: pull it low, or let it go high. */
void card_select(uint8_t pin, bool on);

#endif
