/* interrupts.h - the interrupts of this board that a program defines, if it uses them
 * SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

void i2c_interrupt(unsigned bus); /* of I2C bus 0 to 13 */
void fmc_interrupt(void);         /* of the flash controller FMC */

#endif
