/* main.c - what is left of CubeMX's
 * SPDX-License-Identifier: MIT */
#include "main.h"
#include "app.h"

int main(void)
{
    app_run();
    return 0;
}
