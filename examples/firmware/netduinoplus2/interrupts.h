/* interrupts.h - the interrupts of this board that a program defines, if it uses them
 * SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

void usart2_interrupt(void); /* of USART2, at 0x40004400 */
void usart3_interrupt(void); /* of USART3, at 0x40004800 */

#endif
