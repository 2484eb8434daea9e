/* sd.c - a card that takes its time for a block, and many tasks that write
 * SPDX-License-Identifier: MIT */
#include "devices/sd.h"
#include "traced.h"
#include "virtual/spi_model.h"

enum { WRITERS = 4, COMMAND = 6, LENGTH = SD_BLOCK + 2, WRITE_TIME = PT_MS(240) };

/* --- a card that can write only ------------------------------------------------------------ */

static struct {
    uint8_t blocks[WRITERS][SD_BLOCK], command[COMMAND], block[LENGTH];
    unsigned count; /* bytes of a command or a block, or until it answers */
    enum { LISTENS, ANSWERS, EXPECTS, TAKES, STORED, BUSY } state;
    pt_time until;
    bool hangs;
} part;

static uint8_t listen(uint8_t byte)
{
    if (part.count || (byte & 0xc0) == 0x40)
        part.command[part.count++] = byte;
    if (part.count == COMMAND)
        part.state = ANSWERS;
    return 0xff;
}

static uint8_t take(uint8_t byte)
{
    part.block[part.count++] = byte;
    if (part.count == LENGTH) {
        memcpy(part.blocks[part.command[4]], part.block, SD_BLOCK);
        part.state = STORED;
    }
    return 0xff;
}

static uint8_t exchange(struct spi_part *self, uint8_t byte)
{
    (void)self;
    if (part.state == BUSY && (part.hangs || pt_time_before(board_now(), part.until)))
        return 0;
    switch (part.state) {
    case ANSWERS: part.state = EXPECTS; return 0;
    case EXPECTS:
        part.count = 0;
        part.state = byte == 0xfe ? TAKES : EXPECTS;
        return 0xff;
    case TAKES: return take(byte);
    case STORED:
        part.state = BUSY;
        part.until = (pt_time)(board_now() + WRITE_TIME);
        return 0xe5;
    case BUSY:
        part.state = LISTENS;
        part.count = 0;
        return 0xff;
    default: return listen(byte);
    }
}

/* --- tasks that write ------------------------------------------------------------------------ */

static struct spi_model bus;
static struct spi_part device = {.exchange = exchange};
static const struct spi_device spi = {.bus = &bus.bus, .hertz = 250000};
static struct sd card = {.slow = &spi, .fast = &spi, .by_block = true};

struct writer {
    struct pt pt;
    uint32_t block;
    unsigned times, stored, failed;
    uint8_t bytes[SD_BLOCK];
    struct sd_write write;
};

static PT_ASYNC(writer, self)
{
    memset(self->bytes, (int)(self->block + 1), sizeof self->bytes);
    for (; self->times; self->times--) {
        PT_WAIT_COMPLETE(&self->write, sd_write, .card = &card, .block = self->block,
                         .from = self->bytes);
        self->stored += self->pt.status == PT_OK;
        self->failed += self->pt.status == (pt_status)SD_FAILED;
    }
}
PT_END

static PT_TASK(writer) writers[WRITERS];

static void open_world(void)
{
    open_loop();
    memset(&part, 0, sizeof part);
    memset(writers, 0, sizeof writers);
    spi_model_open(&bus, &loop);
    spi_model_add(&bus, &device);
}

static void start(unsigned times)
{
    for (unsigned i = 0; i < WRITERS; i++)
        PT_START(&loop, &writers[i], writer, .block = i, .times = times);
}

START_TEST(a_card_that_many_tasks_write_at_once_is_not_taken_for_one_that_fails)
{
    start(3);
    for (unsigned i = 0; i < 40; i++)
        run_for(PT_MS(100));
    for (unsigned i = 0; i < WRITERS; i++) {
        ck_assert_uint_eq(writers[i].frame.stored, 3);
        ck_assert(!memcmp(part.blocks[i], writers[i].frame.bytes, SD_BLOCK));
    }
}
END_TEST

START_TEST(writes_that_are_canceled_behind_their_commands_give_the_others_their_time)
{
    unsigned canceled = 0, last = 0;

    start(1);
    for (unsigned i = 0; i < 150; i++) {
        run_for(PT_MS(10));
        if (part.state != TAKES || part.command[4] == last || canceled == 2)
            continue;
        last = part.command[4]; /* and not the first one, which is 0 */
        pt_cancel(&writers[last].task, PT_ECANCELED);
        canceled++;
    }
    ck_assert_uint_eq(canceled, 2);
    for (unsigned i = 0; i < WRITERS; i++) {
        ck_assert_uint_eq(writers[i].frame.failed, 0);
        ck_assert(!memcmp(part.blocks[i], writers[i].frame.bytes, SD_BLOCK));
    }
}
END_TEST

START_TEST(a_card_that_stays_busy_ends_with_its_code_in_each_task_again_and_again)
{
    part.hangs = true;
    start(100);
    for (unsigned i = 0; i < 40; i++)
        run_for(PT_MS(100));
    for (unsigned i = 0; i < WRITERS; i++)
        ck_assert_uint_ge(writers[i].frame.failed, 4);
}
END_TEST

int main(void)
{
    static const TTest *const *const tests[] = {
        &a_card_that_many_tasks_write_at_once_is_not_taken_for_one_that_fails,
        &writes_that_are_canceled_behind_their_commands_give_the_others_their_time,
        &a_card_that_stays_busy_ends_with_its_code_in_each_task_again_and_again,
    };

    return run_tests(tests, sizeof tests / sizeof *tests, open_world);
}
