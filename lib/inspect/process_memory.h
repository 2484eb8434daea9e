/* process_memory.h - the memory of the process, as areas and blocks, for a search of stuck tasks
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_PROCESS_MEMORY_H
#define PT_LIB_PROCESS_MEMORY_H

#include <pt/host/system.h>
#include <pt/inspect/memory.h>

/* What pt_process_memory_open_ has mapped. */
struct pt_process_memory_ {
    struct pt_memory memory; /* its first member */
    uintptr_t low, frame;    /* between these is what the search leaves on the stack */
    int file;                /* /proc/self/mem: another thread can unmap what is read */
    char *window;            /* a part of the memory, for the walks over heaps */
    uintptr_t window_start;
    size_t window_bytes;
    struct pt_area *areas;
    size_t area_count, area_room;
    char *maps; /* the text of /proc/self/maps */
    size_t maps_bytes, maps_room;
    size_t piece_bytes;
    size_t key; /* of blocks that malloc keeps, or 0 */
};

/* Describe the memory of the process; of the stack in use what is at or above FRAME. There is
 * room for MORE pieces. PT_OK, PT_ENOMEM or PT_EIO: then there is nothing to close. */
pt_status pt_process_memory_open_(struct pt_process_memory_ *it, const void *frame, size_t more);

void pt_process_memory_close_(struct pt_process_memory_ *it);

#endif
