/* modbus-client.c - a master with libmodbus for the slave of examples/firmware/modbus.c
 * SPDX-License-Identifier: MIT
 *
 *     modbus-client        $LINE is the serial line
 *
 * A request that is not answered is sent again, as masters do. So the slave need not be in time,
 * and the order of the answers shows which frames it ignored. */
#include <errno.h>
#include <modbus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static modbus_t *slave;
static int failed;

static void expect(int holds, const char *what)
{
    printf("%s: %s%s%s\n", what, holds ? "yes" : "NO", holds ? "" : ", errno is ",
           holds ? "" : modbus_strerror(errno));
    failed |= !holds;
}

/* Repeat the call until it is answered. If it never is, the watchdog of on-line.c ends the
 * program. */
#define ASK(call)                                  \
    do                                             \
        while ((call) < 0 && errno == ETIMEDOUT) { \
        }                                          \
    while (0)

static void reads_and_writes(void)
{
    static const uint16_t some[3] = {0x0102, 0xfffe, 0x8000};
    uint16_t words[16];
    int got = 0;

    ASK(got = modbus_write_register(slave, 0, 3));
    expect(got == 1, "function 6 writes a register");
    ASK(got = modbus_read_registers(slave, 0, 1, words));
    expect(got == 1 && words[0] == 3, "function 3 reads it");
    ASK(got = modbus_read_input_registers(slave, 0, 2, words));
    expect(got == 2 && words[0] == 3 && words[1] == 0xffff, "function 4 reads what it led to");
    ASK(got = modbus_write_registers(slave, 13, 3, some));
    expect(got == 3, "function 16 writes some");
    ASK(got = modbus_read_registers(slave, 0, 16, words));
    expect(got == 16 && words[0] == 3 && words[1] == 0 && !memcmp(&words[13], some, sizeof some),
           "function 3 reads all");
}

static void exceptions(void)
{
    static const uint16_t some[17];
    uint16_t words[125];
    uint8_t bits[1];
    int got = 0;

    ASK(got = modbus_read_registers(slave, 15, 2, words));
    expect(got < 0 && errno == EMBXILADD, "a read beyond the end: illegal address");
    ASK(got = modbus_read_input_registers(slave, 0, 125, words));
    expect(got < 0 && errno == EMBXILADD, "a read of too many: illegal address");
    ASK(got = modbus_write_register(slave, 16, 1));
    expect(got < 0 && errno == EMBXILADD, "a write beyond the end: illegal address");
    ASK(got = modbus_write_registers(slave, 0, 17, some));
    expect(got < 0 && errno == EMBXILADD, "a write that does not fit: illegal address");
    ASK(got = modbus_read_bits(slave, 0, 1, bits));
    expect(got < 0 && errno == EMBXILFUN, "a read of coils: illegal function");
}

/* The damaged frame asks for more words than the next one, which follows without a pause. The slave
 * ignores both as one frame, and answers the second when it is sent again. */
static void damage(void)
{
    static const uint8_t damaged[] = {0x11, 0x03, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00};
    uint16_t words[1];
    int got = 0;

    modbus_set_response_timeout(slave, 1, 0);
    expect(write(modbus_get_socket(slave), damaged, sizeof damaged) == sizeof damaged,
           "a frame with a wrong checksum is sent");
    ASK(got = modbus_read_registers(slave, 0, 1, words));
    expect(got == 1 && words[0] == 3, "what is answered is the next");
}

int main(void)
{
    slave = modbus_new_rtu(getenv("LINE"), 115200, 'N', 8, 1);
    if (!slave || modbus_set_slave(slave, 17) || modbus_connect(slave)) {
        perror("modbus");
        return 1;
    }
    modbus_set_response_timeout(slave, 5, 0);
    modbus_set_byte_timeout(slave, 5, 0);
    reads_and_writes();
    exceptions();
    damage();
    modbus_close(slave);
    modbus_free(slave);
    return failed;
}
