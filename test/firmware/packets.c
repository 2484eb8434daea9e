/* packets.c - an XMODEM sender that makes every mistake: the receiver's answers, and how it ends
 * SPDX-License-Identifier: MIT
 *
 * Each session is a word; each letter is an action of the sender, in emulated time. The transmitter
 * is busy every other time. The clock wraps during the run. */
#define board_put heard
#include "tasks/send.c"
#include "tasks/xmodem.c"
#undef board_put
#include "end.h"
#include "input.h"
#include "run.h"

static struct pt_loop loop;
static PT_TASK(xmodem) receiver;
static uint8_t blocks;
static bool with_crc; /* what the receiver last asked for, before the first block */

void pins_start(void);
void pins_start(void)
{
}

void board_led(uint8_t led, bool on)
{
    (void)led;
    (void)on;
}

bool board_button(void)
{
    return false;
}

void board_received(void)
{
}

bool heard(char byte);
bool heard(char byte)
{
    static bool ready;

    ready = !ready;
    if (!ready)
        return false;
    if (!blocks)
        with_crc = byte == ASK_CRC;
    say(byte == ASK_CRC ? " C"
        : byte == ACK   ? " ack"
        : byte == NAK   ? " nak"
        : byte == CAN   ? " can"
                        : " ?");
    return true;
}

static bool room_for_three(const uint8_t *block)
{
    for (uint8_t i = 0; i < XMODEM_BLOCK; i++)
        if (block[i] != (uint8_t)('1' + blocks + i))
            say(" (wrong data)");
    if (blocks == 3)
        return false;
    blocks++;
    return true;
}

/* --- the sender ---------------------------------------------------------------------------- */

static const char *const sessions[] = {
    "12e",            /* a file of two blocks */
    "n12e",           /* with a checksum, because the sender does not know CRC */
    "nx12e",          /* the checksum is wrong once */
    "e",              /* an empty file */
    "x1e",            /* a wrong CRC at first */
    "1xxxxx2xxxxx3e", /* wrong CRCs later, often */
    "1i2e",           /* a damaged block number */
    "1l2e",           /* a byte is lost */
    "1n2e",           /* a block is lost */
    "1122e",          /* an acknowledgement is lost */
    "11111111111",    /* all of them are */
    "j1j2e",          /* noise */
    "1s2o3e",         /* noise that looks like a cancel */
    "1c",             /* the sender gives up */
    "h",              /* the sender sends a block too early */
    "13",             /* a block is missing */
    "1234",           /* there is no room */
    "1p",             /* the task is canceled */
    "n"               /* there is no sender */
};

/* CRC and sum, computed by another program, of blocks whose bytes count up from the block's
 * digit. */
static const uint16_t crcs[] = {0x80ca, 0x3afc, 0x6103, 0x5347};
static const uint8_t sums[] = {0x40, 0xc0, 0x40, 0xc0};

enum { LENGTH = 3 + XMODEM_BLOCK + 1 }; /* with a checksum */

struct sender {
    struct pt pt;
    uint8_t session, at, block, i, byte;
    char what;
};

static uint8_t packet_byte(const struct sender *self)
{
    uint8_t block = self->block, number = self->what == 'h' ? 0 : block, i = self->i;
    uint16_t crc = (uint16_t)(crcs[block - 1] ^ (self->what == 'x'));

    if (i == 0)
        return SOH;
    if (i == 1)
        return number;
    if (i == 2)
        return (uint8_t) ~(number ^ (self->what == 'i'));
    if (i < 3 + XMODEM_BLOCK)
        return (uint8_t)('0' + block + i - 3);
    if (!with_crc)
        return (uint8_t)(sums[block - 1] ^ (self->what == 'x'));
    return (uint8_t)(i < LENGTH ? crc >> 8 : crc);
}

/* Send the bytes of a letter, one at a time; false after the last. */
static bool next_byte(struct sender *self)
{
    uint8_t i = self->i;
    bool packet = false;

    switch (self->what) {
    case 'n':
    case 'p': return false;
    case 'e': self->byte = EOT; break;
    case 's':
    case 'c': self->byte = CAN; break;
    case 'j': self->byte = '?'; break;
    case 'o': self->byte = i ? '?' : CAN; break;
    default: self->byte = packet_byte(self); packet = true;
    }
    self->i = (uint8_t)(i + (self->what == 'l' && i == 60 ? 2 : 1));
    return i < (packet ? LENGTH + with_crc : self->what == 's' || self->what == 'e' ? 1 : 2);
}

static PT_ASYNC(sender, self)
{
    for (; self->session < sizeof sessions / sizeof *sessions; self->session++) {
        say(sessions[self->session]);
        say(":");
        blocks = 0;
        PT_SPAWN(&receiver, xmodem, .take = room_for_three, .patience = PT_SEC(3), .tries = 10,
                 .crc = true);
        PT_WAIT(PT_SEC(1));
        for (self->at = 0; (self->what = sessions[self->session][self->at]) != '\0'; self->at++) {
            self->block = (uint8_t)(self->what < 'a' ? self->what - '0' : blocks + 1);
            for (self->i = 0; next_byte(self);) {
                input_received(self->byte);
                PT_YIELD();
            }
            if (self->what == 'p')
                pt_cancel(&receiver.task, PT_ECANCELED);
            PT_WAIT(self->what == 'n' ? PT_MS(12500) : PT_MS(1400));
        }
        PT_JOIN(&receiver.task);
        say(" ");
        say(pt_status_name(self->pt.status));
        say("\n");
    }
}
PT_END

int main(void)
{
    static PT_TASK(sender) sender;
    pt_time start;

    board_start();
    start = board_now();
    pt_loop_init(&loop, start);
    PT_START(&loop, &sender, sender);
    while (pt_task_alive(&sender.task))
        board_turn(&loop, &receiver.task);
    say(board_now() < start ? "the clock has wrapped\n" : "the clock has not wrapped\n");
    return 0;
}
