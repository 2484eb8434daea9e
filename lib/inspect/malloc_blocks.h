/* malloc_blocks.h - the blocks that glibc's malloc has handed out
 * SPDX-License-Identifier: MIT */
#ifndef PT_LIB_MALLOC_BLOCKS_H
#define PT_LIB_MALLOC_BLOCKS_H

#include "process_memory.h"

enum { PT_MALLOC_WINDOW_ = 65536 }; /* bytes that are read at once */

#define PT_MALLOC_ARENA_ ((uintptr_t)64 << 20) /* arenas of threads are aligned to this */

/* Called for each block in use. TAIL: bytes behind it that it has, too. */
typedef bool pt_malloc_visitor_(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end,
                                uint8_t tail);

/* What malloc writes into the second word of a block that it keeps for the thread's next malloc:
 * such a block looks as if it were in use. 0: this malloc keeps none. */
size_t pt_malloc_key_(void);

/* The first chunk of the heap that ends at END, in the page from START on; or 0. In front of it are
 * the headers of an arena, whose size depends on glibc, or the first thread's variables, if the
 * program is linked statically. */
uintptr_t pt_malloc_heap_(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end);

/* The first chunk of the arena at the address AT of a mapping that ends at END; or 0. *LAST is
 * where the arena ends. */
uintptr_t pt_malloc_arena_(struct pt_process_memory_ *it, uintptr_t at, uintptr_t end,
                           uintptr_t *last);

/* Visit the blocks of a heap, from its first chunk on, as long as VISIT returns true. */
bool pt_malloc_visit_(struct pt_process_memory_ *it, uintptr_t start, uintptr_t end,
                      pt_malloc_visitor_ *visit);

/* Visit the blocks that are mappings of their own, at the start of a mapping. Returns where they
 * end. */
uintptr_t pt_malloc_visit_mapped_(struct pt_process_memory_ *it, uintptr_t at, uintptr_t end,
                                  pt_malloc_visitor_ *visit);

#endif
