/* ticks_per_sec.h - the clocks of this board: of its processor, and SysTick in milliseconds
 * SPDX-License-Identifier: MIT
 *
 * qemu runs it at 168 MHz from the start. A part starts at 16 MHz, and gets there by its PLL, which
 * this board does not set. */
#define BOARD_HZ 168000000
#define BOARD_APB1_HZ (BOARD_HZ / 4) /* USART2, USART3, SPI2, SPI3 */
#define BOARD_APB2_HZ (BOARD_HZ / 2) /* USART1, SPI1 */
#define PT_TICKS_PER_SEC 1000
