/* pt-sem.h - the semaphores of classic protothreads, for a sketch that has #include "pt-sem.h"
 * SPDX-License-Identifier: MIT */
#include "pt/classic/pt-sem.h"
