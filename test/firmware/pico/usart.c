/* usart.c - an STM32's USART, for usart.js: what is written comes back
 * SPDX-License-Identifier: MIT
 *
 * A round cancels a write of more than the ring has room for: so many bytes go out as it tells, and
 * no others. Or it cancels a read of a line: what it has not taken is for the next one, and its
 * memory is not written any more. */
#include "chips/stm32/stm32_usart.h"
#include "sweep.h"

#define USART_TEST REGISTER(USART_AT + 0x100)
#define USART_LINE REGISTER(USART_AT + 0x104)

enum { USART_AT = 0x40078000, USART_IRQ = 29, CLOCK = 125000000 };
enum { LENGTH = 20, SIZE = 24, MARGIN = 4 };
enum { FRAMING_FAULT = 1 << 1, NOISE_FAULT = 1 << 2, OVERRUN_FAULT = 1 << 3 };
enum { OTHERS = 1, WRITTEN_LATE, CANARY, FLUSHED_EARLY, NOT_TOLD };

static const uint8_t text[LENGTH + 1] = "a line of 20 bytes.\n";
static uint8_t in[8], out[8], line[MARGIN + SIZE + MARGIN], rest[SIZE];
static struct stm32_usart usart = {.uart = {.in = UART_RING(in), .out = UART_RING(out)}};

static void interrupt(void)
{
    stm32_usart_interrupt(&usart);
}

/* --- the tasks ----------------------------------------------------------------------------- */

struct writer {
    struct pt pt;
    const void *from;
    uint16_t length;
    struct uart_write write;
    struct uart_flush flush;
};

static PT_ASYNC(writer, self)
{
    PT_TRY(&self->write, uart_write, .uart = &usart.uart, .from = self->from,
           .length = self->length);
    PT_TRY(&self->flush, uart_flush, .uart = &usart.uart);
}
PT_END

struct user {
    struct pt pt;
    bool writes;
    struct writer writer;
    struct uart_read_until reader;
};

static PT_ASYNC(user, self)
{
    if (self->writes)
        PT_TRY(&self->writer, writer, .from = text, .length = LENGTH);
    else
        PT_TRY(&self->reader, uart_read_until, .uart = &usart.uart, .to = line + MARGIN,
               .size = SIZE, .until = '\n');
}
PT_END

static PT_TASK(user) user;
static PT_TASK(writer) writer;
static PT_TASK(uart_read_until) reader;

static void write(const void *from, uint16_t length)
{
    PT_START(&loop, &writer, writer, .from = from, .length = length);
}

static void read_rest(void)
{
    PT_START(&loop, &reader, uart_read_until, .uart = &usart.uart, .to = rest, .size = SIZE,
             .until = '\n');
}

static bool equals(const uint8_t *bytes, const uint8_t *others, uint32_t length)
{
    while (length && *bytes == *others)
        bytes++, others++, length--;
    return !length;
}

/* --- the rounds ---------------------------------------------------------------------------- */

static int cancel_write(void)
{
    uint16_t sent;

    read_rest();
    PT_START(&loop, &user, user, .writes = true);
    sweep_canceled(&user.task);
    sent = user.frame.writer.write.done;
    if (sent < LENGTH) {
        write("\n", 1);
        sweep_run(&writer.task);
    }
    if (USART_LINE && (sent < LENGTH || user.frame.pt.status == PT_OK))
        return FLUSHED_EARLY;
    sweep_run(&reader.task);
    if (reader.frame.got != sent + (sent < LENGTH))
        return OTHERS;
    return equals(rest, text, sent) && rest[reader.frame.got - 1] == '\n' ? 0 : OTHERS;
}

static int cancel_read(void)
{
    uint16_t got;

    fill(line, sizeof line, 0x5a);
    write(text, LENGTH);
    PT_START(&loop, &user, user, .writes = false);
    sweep_canceled(&user.task);
    got = user.frame.reader.got;
    if (!equals(line + MARGIN, text, got))
        return OTHERS;
    if (!is_all(line, 0, MARGIN, 0x5a) || !is_all(line, MARGIN + SIZE, sizeof line, 0x5a))
        return CANARY;
    fill(line, sizeof line, 0xa5); /* the memory is free again */
    if (got < LENGTH) {
        read_rest();
        sweep_run(&reader.task);
        if (got + reader.frame.got != LENGTH || !equals(rest, text + got, reader.frame.got))
            return OTHERS;
    }
    sweep_run(&writer.task);
    if (USART_LINE)
        return FLUSHED_EARLY;
    return is_all(line, 0, sizeof line, 0xa5) ? 0 : WRITTEN_LATE;
}

/* --- what goes wrong on the line -------------------------------------------------------------- */

/* Whether the next thing to be read is BYTE, or the error CODE. */
static bool reads(uint8_t byte, pt_status code)
{
    PT_START(&loop, &reader, uart_read_until, .uart = &usart.uart, .to = rest, .size = 1,
             .until = byte);
    sweep_run(&reader.task);
    return reader.frame.pt.status == code && reader.frame.got == (code == PT_OK);
}

static void send(uint8_t byte, uint32_t fault)
{
    USART_TEST = fault;
    write(&byte, 1);
    sweep_run(&writer.task);
}

static bool is_told(uint8_t byte, uint32_t fault, pt_status code)
{
    send('a', 0);
    send(byte, fault);
    send('c', 0);
    return reads('a', PT_OK) && reads(byte, code) && reads('c', PT_OK);
}

/* The interrupt is late: two bytes come, and the receiver has one place. */
static bool tells_what_is_lost(void)
{
    NVIC_ICER = 1u << USART_IRQ;
    write("xyz", 3);
    pt_loop_turn(&loop, board_now());
    wait_us(100);
    NVIC_ISER = 1u << USART_IRQ;
    sweep_run(&writer.task);
    return reads('x', PT_OK) && reads(0, PT_EOVERRUN) && reads('z', PT_OK);
}

/* A byte is written as the one before it ends: the flush waits for its end. */
static bool is_flushed(void)
{
    static PT_TASK(uart_write) first;

    for (uint32_t late = 0; late < 250; late += 10) {
        PT_START(&loop, &first, uart_write, .uart = &usart.uart, .from = "a", .length = 1);
        pt_loop_turn(&loop, board_now());
        wait_us(12);
        for (uint32_t i = 0; i < late; i++)
            __asm__ volatile("");
        write("b", 1);
        sweep_run(&writer.task);
        if (USART_LINE || !reads('a', PT_OK) || !reads('b', PT_OK))
            return false;
    }
    return true;
}

static int without_rounds(void)
{
    if (!is_flushed())
        return FLUSHED_EARLY;
    return is_told('b', FRAMING_FAULT, UART_FRAMING) && is_told(0, FRAMING_FAULT, UART_BREAK) &&
                   is_told('b', NOISE_FAULT, UART_FRAMING) &&
                   is_told('b', OVERRUN_FAULT, PT_EOVERRUN) && tells_what_is_lost()
               ? 0
               : NOT_TOLD;
}

static int one_round(void)
{
    return done % 2 ? cancel_read() : cancel_write();
}

int main(void)
{
    sweep_open(0, &user.task);
    stm32_usart_open(&usart, USART_AT, CLOCK, 250000, &loop);
    sweep_handle(USART_IRQ, interrupt);
    sweep_pends = 1u << USART_IRQ;
    return rounds ? sweep(one_round) : without_rounds();
}
