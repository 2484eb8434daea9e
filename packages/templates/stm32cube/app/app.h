/* app.h - what main.c calls
 * SPDX-License-Identifier: MIT */
#ifndef APP_H
#define APP_H

/* app_run - the program: in main.c, behind USER CODE BEGIN 2. It does not return. */
void app_run(void);

#endif
