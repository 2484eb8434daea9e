/* expanded/33-one-byte.c - the bodies of lesson 33, their macros expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     PT_BARE        a switch over the label
 *     PT_BARE_YIELD  store a label and return the value; then the label itself
 *     PT_BARE_END    a label without a case, and the last value */

/* One step of a traffic light: returns what to show. It never ends. */
static const char *light(pt_label *state)
{
    switch (*state) {
    case 0:
        for (;;) {
            *state = 1;
            return "red";
    case 1:
            *state = 2;
            return "red+amber";
    case 2:
            *state = 3;
            return "green";
    case 3:
            *state = 4;
            return "amber";
    case 4:;
        }
    }
    *state = PT_LABEL_DONE_;
    return "dark";
}

/* Returns one element of the distress call; 0 at its end. */
static char sos(pt_label *state)
{
    switch (*state) {
    case 0: *state = 1; return '.';
    case 1: *state = 2; return '.';
    case 2: *state = 3; return '.';
    case 3: *state = 4; return '-';
    case 4: *state = 5; return '-';
    case 5: *state = 6; return '-';
    case 6: *state = 7; return '.';
    case 7: *state = 8; return '.';
    case 8: *state = 9; return '.';
    case 9:;
    }
    *state = PT_LABEL_DONE_;
    return 0;
}
