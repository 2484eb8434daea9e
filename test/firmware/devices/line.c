/* line.c - two UARTs at the ends of one line
 * SPDX-License-Identifier: MIT
 *
 * BENCH names the file of the board. The line has no speed: bytes come when the emulator has them,
 * so nothing here depends on time. */
#include BENCH

enum { MANY = 300, MARGIN = 4, SIZE = 24, LENGTH = 17 };

static const uint8_t text[LENGTH + 1] = "cut off anywhere\n";

static uint8_t sent[MANY], read[MARGIN + MANY + MARGIN];

static void clear(uint8_t with)
{
    for (unsigned i = 0; i < sizeof read; i++)
        read[i] = with;
}

/* --- bytes both ways ----------------------------------------------------------------------- */

struct echo {
    struct pt pt;
    struct uart_read in;
    struct uart_write out;
    uint8_t bytes[7];
};

static PT_ASYNC(echo, self)
{
    for (;;) {
        PT_TRY(&self->in, uart_read, .uart = &far_end.uart, .to = self->bytes,
               .size = sizeof self->bytes);
        PT_TRY(&self->out, uart_write, .uart = &far_end.uart, .from = self->bytes,
               .length = self->in.got);
    }
}
PT_END

struct there_and_back {
    struct pt pt;
    unsigned had;
    struct uart_write out;
    struct uart_read in;
    PT_TASK(echo) other;
};

static PT_ASYNC(there_and_back, self)
{
    PT_SPAWN(&self->other, echo);
    for (self->had = 0; self->had < MANY;) {
        if (self->had % 10 == 0) /* of what comes back no more than the ring holds */
            PT_TRY(&self->out, uart_write, .uart = &near_end.uart, .from = sent + self->had,
                   .length = 10);
        PT_TRY(&self->in, uart_read, .uart = &near_end.uart, .to = read + self->had,
               .size = (uint16_t)(10 - self->had % 10));
        self->had += self->in.got;
    }
    pt_cancel(&self->other.task, PT_ECANCELED);
    PT_JOIN(&self->other.task);
    PT_RETURN(equals(read, sent, MANY) ? PT_OK : PT_EIO);
}
PT_END

/* --- what a task is too late for ------------------------------------------------------------- */

struct flood {
    struct pt pt;
    bool wrong;
    struct uart_write out;
    struct uart_read in;
    struct uart_read_until line;
};

static PT_ASYNC(flood, self)
{
    PT_TRY(&self->out, uart_write, .uart = &near_end.uart, .from = sent, .length = 40);
    while (far_end.uart.code == PT_OK)
        PT_WAIT(1);
    PT_TRY(&self->in, uart_read, .uart = &far_end.uart, .to = read, .size = 50);
    self->wrong |= self->in.got != far_end.uart.in.size || !equals(read, sent, self->in.got);
    PT_WAIT_COMPLETE(&self->in, uart_read, .uart = &far_end.uart, .to = read, .size = 50);
    self->wrong |= self->in.pt.status != PT_EOVERRUN;
    PT_TRY(&self->out, uart_write, .uart = &near_end.uart, .from = "\nnext\n", .length = 6);
    do
        PT_TRY(&self->line, uart_read_until, .uart = &far_end.uart, .to = read, .size = 30,
               .until = '\n');
    while (self->line.got != 5 || !equals(read, (const uint8_t *)"next\n", 5));
    PT_RETURN(self->wrong ? PT_EIO : PT_OK);
}
PT_END

/* --- a line, cut off --------------------------------------------------------------------------- */

struct cut {
    struct pt pt;
    bool wrong;
    unsigned at, seen, sent, got;
    struct uart_write write;
    struct uart_read_until rest;
    PT_TASK(uart_read_until) reader;
};

static PT_ASYNC(cut, self)
{
    for (self->at = 1;; self->at++) {
        clear(0x5a);
        bench_hold_after(self->at);
        PT_SPAWN(&self->reader, uart_read_until, .uart = &far_end.uart, .to = read + MARGIN,
                 .size = SIZE, .until = '\n');
        for (self->sent = 0; self->sent < LENGTH; self->sent++) { /* an interrupt for each */
            self->seen = bench.seen;
            PT_TRY(&self->write, uart_write, .uart = &near_end.uart, .from = text + self->sent,
                   .length = 1);
            while (!bench.holds && bench.seen == self->seen)
                PT_WAIT(1);
        }
        pt_cancel(&self->reader.task, PT_ECANCELED);
        PT_JOIN(&self->reader.task);
        bench_release();
        self->got = self->reader.frame.got;
        self->wrong |= !all_are(read, MARGIN, 0x5a) || !all_are(read + MARGIN + SIZE, MARGIN, 0x5a);
        self->wrong |= !equals(read + MARGIN, text, self->got);
        if (self->got == LENGTH)
            break;
        clear(0xa5); /* the buffer is ours again */
        PT_TRY(&self->rest, uart_read_until, .uart = &far_end.uart, .to = sent, .size = SIZE,
               .until = '\n');
        self->wrong |= self->got + self->rest.got != LENGTH || !all_are(read, sizeof read, 0xa5);
        self->wrong |= !equals(sent, text + self->got, self->rest.got);
    }
    PT_RETURN(self->wrong || self->at < LENGTH ? PT_EIO : PT_OK);
}
PT_END

struct tests {
    struct pt pt;
    struct there_and_back there_and_back;
    struct flood flood;
    struct cut cut;
};

static PT_ASYNC(tests, self)
{
    PT_WAIT_COMPLETE(&self->there_and_back, there_and_back);
    expect(self->there_and_back.pt.status == PT_OK, "bytes go both ways over small rings");
    PT_WAIT_COMPLETE(&self->flood, flood);
    expect(self->flood.pt.status == PT_OK,
           "what is too much for the ring is told behind what it holds");
    PT_WAIT_COMPLETE(&self->cut, cut);
    expect(self->cut.pt.status == PT_OK, "a line that is cut off after any interrupt is read on");
}
PT_END

static PT_TASK(tests) tests;

int main(void)
{
    for (unsigned i = 0; i < sizeof sent; i++)
        sent[i] = (uint8_t)(i * 7);
    bench_open();
    bench_line();
    PT_START(&loop, &tests, tests);
    return bench_run(&tests.task);
}
