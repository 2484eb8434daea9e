/* uart.c - a UART of a Pico by DMA, for uart.js: what is written comes back
 * SPDX-License-Identifier: MIT
 *
 * Byte n of all has the value n, modulo 256. In a round of even number a write is canceled, and in
 * one of odd number a read. What a canceled write says that it has done goes out, and no other byte
 * of its memory; what a canceled read has not taken stays for the next one. */
#include "chips/rp2040/rp2040_uart.h"
#include "sweep.h"

#define UART1_STATE REGISTER(0x40038018)

enum { UART1_IRQ = 21, UART1_BIT = 1 << 23, BUSY = 1 << 3 };
enum { LENGTH = 90, REST = 8, PART = 24, CANARY = 8 };

volatile uint8_t in[LENGTH + REST + CANARY];

static uint8_t out[LENGTH], in_ring[128], out_ring[16];
static struct rp2040_uart line = {.uart = {.in = UART_RING(in_ring), .out = UART_RING(out_ring)}};
static uint8_t written, taken; /* of all bytes, modulo 256 */

static void dma(void)
{
    rp2040_uart_sent(&line);
}

static void received(void)
{
    rp2040_uart_interrupt(&line);
}

/* --- the tasks ----------------------------------------------------------------------------- */

/* writer - writes LENGTH bytes; and, if it is to, waits until they have left */
struct writer {
    struct pt pt;
    uint16_t length;
    bool flushes;
    struct uart_write write;
    struct uart_flush flush;
};

static PT_ASYNC(writer, self)
{
    for (uint16_t i = 0; i < self->length; i++)
        out[i] = (uint8_t)(written + i);
    PT_WAIT_COMPLETE(&self->write, uart_write, .uart = &line.uart, .from = out,
                     .length = self->length);
    if (self->flushes)
        PT_WAIT_COMPLETE(&self->flush, uart_flush, .uart = &line.uart);
}
PT_END

struct reader {
    struct pt pt;
    uint16_t length;
    struct uart_read_until read;
};

static PT_ASYNC(reader, self)
{
    lent = 1;
    PT_WAIT_COMPLETE(&self->read, uart_read_until, .uart = &line.uart, .to = (uint8_t *)in,
                     .size = self->length, .until = (uint8_t)(taken - 1));
    if (self->pt.status == PT_ERANGE) /* that byte does not come */
        PT_RETURN(PT_OK);
}
PT_END

static PT_TASK(writer) writer;
static PT_TASK(reader) reader;

/* The user whose task sweep.c cancels: the one or the other, by the round. */
struct user {
    struct pt pt;
    bool reads;
    union {
        struct writer writer;
        struct reader reader;
    } in_turn;
};

static PT_ASYNC(user, self)
{
    if (self->reads)
        PT_WAIT_COMPLETE(&self->in_turn.reader, reader, .length = PART);
    else
        PT_WAIT_COMPLETE(&self->in_turn.writer, writer, .length = LENGTH);
}
PT_END

static PT_TASK(user) user;

/* --- a round ------------------------------------------------------------------------------- */

/* The first GOT bytes of IN are the next ones, and nothing else was written. */
static bool is_next(uint16_t got)
{
    bool right = true;

    for (uint16_t i = 0; i < sizeof in; i++)
        right = right && in[i] == (i < got ? (uint8_t)(taken + i) : 0xa5);
    taken = (uint8_t)(taken + got);
    return right;
}

static void has_written(uint16_t count)
{
    written = (uint8_t)(written + count);
    for (uint16_t i = 0; i < sizeof out; i++)
        out[i] = 0xee; /* the memory is this program's again */
}

/* Read all that is on its way; whether it is right. */
static bool read_rest(void)
{
    fill(in, sizeof in, 0xa5);
    PT_START(&loop, &reader, reader, .length = (uint8_t)(written - taken));
    sweep_run(&reader.task);
    return is_next(reader.frame.read.got) && taken == written;
}

static int cancel_a_write(void)
{
    PT_START(&loop, &user, user);
    sweep_canceled(&user.task);
    has_written(user.frame.in_turn.writer.write.done);
    PT_START(&loop, &writer, writer, .length = REST, .flushes = true);
    sweep_run(&writer.task);
    if (UART1_STATE & BUSY)
        return 5;
    if (writer.frame.write.done != REST)
        return 4;
    has_written(REST);
    return read_rest() ? 0 : 1;
}

static int cancel_a_read(void)
{
    bool right;

    fill(in, sizeof in, 0xa5);
    PT_START(&loop, &writer, writer, .length = LENGTH, .flushes = true);
    PT_START(&loop, &user, user, .reads = true);
    sweep_canceled(&user.task);
    right = is_next(user.frame.in_turn.reader.read.got);
    fill(in, sizeof in, 0x5a);
    sweep_run(&writer.task);
    has_written(LENGTH);
    for (uint16_t i = 0; i < sizeof in; i++)
        if (in[i] != 0x5a)
            return 2;
    return right && read_rest() ? 0 : 3;
}

static int one_round(void)
{
    int wrong = done % 2 ? cancel_a_read() : cancel_a_write();

    lent = 0;
    return wrong ? wrong : uart_sends(&line.uart) || line.uart.in.put != line.uart.in.taken ? 6 : 0;
}

/* --- what goes wrong on the line ----------------------------------------------------------- */

struct listener {
    struct pt pt;
    uint8_t at;
    struct uart_read read;
    pt_status codes[48];
};

/* Reads until a 'g'; a byte's code is its value. */
static PT_ASYNC(listener, self)
{
    do {
        PT_WAIT_COMPLETE(&self->read, uart_read, .uart = &line.uart, .to = (uint8_t *)in,
                         .size = 1);
        self->codes[self->at++] = self->pt.status == PT_OK ? (pt_status)in[0] : self->pt.status;
    } while (self->codes[self->at - 1] != 'g');
}
PT_END

static PT_TASK(listener) listener;

static void ask(uint8_t what)
{
    written = what;
    PT_START(&loop, &writer, writer, .length = 1);
    sweep_run(&writer.task);
}

/* 40 bytes at once, while the interrupt is late; then a line with mistakes. */
static int mistakes(void)
{
    static const pt_status then[] = {PT_EOVERRUN, 'a', 'b', UART_FRAMING, 'c', 'd',
                                     UART_BREAK,  'e', 'f', UART_FRAMING, 'g'};
    board_state state;
    bool right = true;

    ask(2);
    state = board_lock();
    wait_us(150);
    board_unlock(state);
    ask(1);
    PT_START(&loop, &listener, listener);
    sweep_run(&listener.task);
    for (uint8_t i = 0; i < 32; i++)
        right = right && listener.frame.codes[i] == i;
    for (uint8_t i = 0; i < sizeof then / sizeof *then; i++)
        right = right && listener.frame.codes[32 + i] == then[i];
    return right ? 0 : 7;
}

static void open(void)
{
    rp2040_uart_open(&line, 1, 125000000, 3906250, 5, &loop);
}

/* What has come before it is opened again is dropped. */
static int opens_again(void)
{
    board_state state;

    ask(3);
    while (uart_sends(&line.uart)) {
    }
    state = board_lock();
    wait_us(1100);
    uart_close(&line.uart);
    open();
    board_unlock(state);
    ask(1);
    PT_START(&loop, &listener, listener);
    sweep_run(&listener.task);
    return listener.frame.at == 10 && listener.frame.codes[0] == 'a' ? 0 : 8;
}

int main(void)
{
    int code;

    sweep_open(DMA_BIT | UART1_BIT, &user.task);
    PIN_CTRL(8) = 2; /* TX */
    PIN_CTRL(9) = 2; /* RX */
    open();
    sweep_handle(DMA_IRQ, dma);
    sweep_handle(UART1_IRQ, received);
    if (rounds)
        return sweep(one_round);
    code = mistakes();
    return code ? code : opens_again();
}
