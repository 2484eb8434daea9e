/* host_knob.c - libpt with other knobs than it was built with
 * SPDX-License-Identifier: MIT
 * expect error -DPT_HEAP_ARRAY=0: libpt is built with the default knobs
 * expect error -DPT_SLOWMO=0: libpt is built with the default knobs */
#include <pt/host.h>

int main(void)
{
    return 0;
}
