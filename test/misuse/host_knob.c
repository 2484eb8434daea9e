/* host_knob.c - a program with other knobs than those that libpt was built with
 * SPDX-License-Identifier: MIT
 * expect error -DPT_TIMERS=PT_TIMERS_HEAP: libpt is built with the default knobs
 * expect error -DPT_SLOWMO=0: libpt is built with the default knobs */
#include <pt/host.h>

int main(void)
{
    return 0;
}
