/* maps.h - the mappings of the process, as Linux lists them
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_MAPS_H
#define PT_LIB_MAPS_H

#include "process_memory.h"

struct pt_mapping_ {
    uintptr_t start, end;
    bool writable, heap;
    bool file;   /* not memory without a name */
    bool shared; /* a file's or a device's, which others can read */
};

/* Map BYTES of new memory, whose pages exist when they are used; NULL if there is no room. */
void *pt_map_(size_t bytes);

/* Read the list into it->maps; false if that fails. */
bool pt_maps_read_(struct pt_process_memory_ *it);

/* Parse the line at TEXT; returns the next one. */
const char *pt_maps_parse_(const char *text, struct pt_mapping_ *mapping);

#endif
