/* board.h - what the tasks ask of a board: the contract that each board's folder keeps
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
 * A folder has board_config.h (the ticks in a second, the lock), clock, UART, pins, start and
 * linker script. What an interrupt may do is in run.h. */
#ifndef BOARD_H
#define BOARD_H

#include <pt/pt.h> /* and with it the folder's board_config.h: see README.md */

/* board_lock - mask the interrupts; returns what board_unlock needs to put back. May nest.
 * board_unlock - as it was before that board_lock. With board_rang they stand in board_config.h,
 * inline:
 *
 *     static inline board_state board_lock(void);
 *     static inline void board_unlock(board_state state);
 *     static inline bool board_rang(void); */

/* board_start - clock, UART and pins; then interrupts are on */
void board_start(void);

/* --- time ------------------------------------------------------------------------------ */

/* board_now - the time, in ticks; it wraps. Also for interrupts. */
pt_time board_now(void);

/* board_wake_at - set the alarm: at the time UNTIL an interrupt comes
 * board_rang - whether the last alarm was reached; at once if it was set for what is past. It may
 * be too early, never too late: the loop looks, and sets it again. */
void board_wake_at(pt_time until);

/* board_sleep - in the lock: stop the processor until an interrupt waits
 * That none is lost between the caller's last look and the sleep is the point: the processor wakes
 * up of an interrupt that is pending, although it is masked, or unmasks and sleeps in one step. */
void board_sleep(void);

/* --- the UART -------------------------------------------------------------------------- */

/* board_has_input - whether a received byte waits */
bool board_has_input(void);

/* board_get - the next received byte, or -1 */
int board_get(void);

/* board_put - send a byte; false, and nothing sent, while the transmitter is busy */
bool board_put(char byte);

/* board_received - of the program: a byte has come; runs in the interrupt */
void board_received(void);

/* --- pins ------------------------------------------------------------------------------ */

/* board_led - switch LED 0 or 1 */
void board_led(uint8_t led, bool on);

/* board_button - whether the button is pressed, bounces and all */
bool board_button(void);

#endif
