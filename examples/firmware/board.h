/* board.h - what the tasks need from a board: each board's folder implements it
 * SPDX-License-Identifier: MIT
 *
 *     board_start();
 *     for (;;) {
 *         board_wake_at(pt_loop_turn(&loop, board_now()));
 *         state = board_lock();
 *         if (pt_loop_idle(&loop) && !board_has_input() && !board_rang())
 *             board_sleep();
 *         board_unlock(state);
 *     }
 *
 * A folder has board_config.h (ticks per second, the lock), clock, UART, pins, startup code and
 * linker script. run.h says what an interrupt may do. */
#ifndef BOARD_H
#define BOARD_H

#include <pt/pt.h> /* includes the folder's board_config.h: see README.md */

/* board_lock - mask the interrupts; returns the state that board_unlock restores. Can nest.
 * board_unlock - restore the state before that board_lock
 * Both, and board_rang, are inline functions in board_config.h:
 *
 *     static inline board_state board_lock(void);
 *     static inline void board_unlock(board_state state);
 *     static inline bool board_rang(void); */

/* board_start - start clock, UART and pins; then enable interrupts */
void board_start(void);

/* --- time ------------------------------------------------------------------------------ */

/* board_now - the time, in ticks; it wraps. Interrupts can call it, too. */
pt_time board_now(void);

/* board_wake_at - set the alarm: an interrupt at the time UNTIL
 * board_rang - whether the last alarm has gone off; true at once if UNTIL is past. The alarm can be
 * early, never late: the loop checks the time and sets it again. */
void board_wake_at(pt_time until);

/* board_sleep - call it under the lock: stop the processor until an interrupt is pending
 * No interrupt is lost between the caller's last check and the sleep: either a pending interrupt
 * wakes the processor although it is masked, or one step unmasks and sleeps. */
void board_sleep(void);

/* --- the UART -------------------------------------------------------------------------- */

/* board_has_input - whether a received byte is available */
bool board_has_input(void);

/* board_get - the next received byte, or -1 */
int board_get(void);

/* board_put - send a byte; false, without sending it, while the transmitter is busy */
bool board_put(char byte);

/* board_received - defined by the program: called in the interrupt after each byte */
void board_received(void);

/* --- pins ------------------------------------------------------------------------------ */

/* board_led - switch LED 0 or 1 */
void board_led(uint8_t led, bool on);

/* board_button - whether the button is pressed; not debounced */
bool board_button(void);

#endif
