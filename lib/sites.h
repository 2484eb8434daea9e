/* sites.h - the functions of libpt store their lines for pt_dump, where a frame has room for that
 * SPDX-License-Identifier: MIT
 *
 * Before any header of pt. A program with PT_SITES 0 has the same frames there (PT_SITE_FITS_). */
#ifndef PT_LIB_SITES_H
#define PT_LIB_SITES_H

#include <stdint.h>

#if UINTPTR_MAX > 0xffffffffu && !defined(PT_SITES) && !defined(PT_LABEL_BITS) && \
    !defined(PT_CONFIG_H)
#define PT_SITES 1
#endif

#endif
