/* pt.h - classic protothreads for a sketch that has #include "pt.h"; pt itself is <pt_arduino.h>
 * SPDX-License-Identifier: MIT */
#include "pt/classic/pt.h"
