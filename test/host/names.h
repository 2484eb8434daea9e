/* names.h - a name server inside the test
 * SPDX-License-Identifier: MIT
 *
 * The letters of a name's first label are its addresses: a digit is 127.0.0.DIGIT, and s is ::1. No
 * name begins with n. */
#ifndef PT_TEST_NAMES_H
#define PT_TEST_NAMES_H

#include "host.h"

struct names {
    struct pt pt;
    struct pt_io io;
    struct sockaddr_storage from;
    size_t got;
    bool mute;                              /* it gives no answer */
    bool broken;                            /* it answers that it has failed */
    int answers;                            /* that it has given */
    void (*answered)(const struct names *); /* called after each, if not NULL */
    unsigned char data[512];
};

PT_DECLARE(names);
typedef PT_TASK(names) names_task;

/* names_start - start a server; TEXT, of SIZE bytes, gets where it is: "127.0.0.1:5353" */
void names_start(names_task *server, char *text, size_t size);

#endif
