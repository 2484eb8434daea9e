/* stuck.c - the tasks of a process that are stuck
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../host/poll/poller.h"
#include "../host/system.h"
#include "process_memory.h"

#include <pt/host/find_stuck.h>
#include <pt/host/io.h>

/* Save the registers that belong to the caller in this frame. The others hold what earlier calls
 * have left. */
#ifdef __GNUC__
#define SAVE_REGISTERS() __builtin_unwind_init()
#else
#define SAVE_REGISTERS() ((void)0)
#endif

/* The table of descriptors leads to what their owners are in, but wakes only those that wait for
 * them. So it counts as pt's own memory, and the descriptors as open to the system. */
static bool add_descriptors(struct pt_memory *memory, const struct pt_system *system)
{
    bool room = true;

    if (!system || !system->places)
        return true;
    room = pt_memory_put_(memory, system->places, system->count * sizeof *system->places,
                          PT_PIECE_LINKS_);
    for (unsigned fd = 0; fd < system->count && room; fd++) {
        const struct pt_slot_ *slot = &system->places[fd];
        const struct pt_io *io = pt_slot_is_left_(slot) ? slot->borrowers : pt_slot_first_(slot);

        for (; io && room; io = pt_slot_after_(slot, io)) {
            const struct pt_event *changed = io->watched ? &pt_polled_of_(io)->set->changed : NULL;

            room = pt_memory_put_(memory, io, sizeof *io, PT_PIECE_OPEN_) &&
                   (!changed || pt_memory_put_(memory, changed, sizeof *changed, PT_PIECE_OPEN_));
        }
    }
    return room;
}

/* The most pieces that add_descriptors adds for them. */
static size_t descriptors(const struct pt_system *system)
{
    size_t count = system ? system->count : 0;

    for (unsigned fd = 0; system && fd < system->count; fd++)
        for (const struct pt_io *io = system->places[fd].borrowers; io; io = io->beside)
            count += 2;
    return count;
}

static pt_status search(struct pt_loop *loop, struct pt_process_memory_ *it,
                        const struct pt_system *system, pt_stuck_found *found, void *context)
{
    it->memory.area_count = it->area_count;
    if (!add_descriptors(&it->memory, system)) {
        pt_loop_find_stuck(loop, NULL, found, context);
        return PT_ENOMEM;
    }
    return pt_loop_find_stuck(loop, &it->memory, found, context);
}

static pt_status find(struct pt_loop *loop, const void *frame, pt_stuck_found *found, void *context)
{
    const struct pt_system *system = pt_system_of_(loop);
    struct pt_process_memory_ it;
    pt_status status =
        pt_process_memory_open_(&it, frame, 64 + 3 * loop->live + descriptors(system));

    if (status != PT_OK) {
        pt_loop_find_stuck(loop, NULL, found, context);
        return status;
    }
    status = search(loop, &it, system, found, context);
    pt_process_memory_close_(&it);
    return status;
}

/* What is on the stack below the frame of these functions is not the program's. The registers are
 * saved above or below its variables. */
static const void *lowest(const void *variable, const void *frame)
{
    return (uintptr_t)variable < (uintptr_t)frame ? variable : frame;
}

/* Between the registers that a function saves and its variables can be a gap, for alignment. It is
 * part of the frame, and holds what earlier calls have left. So clear what the frame will be in. */
__attribute__((__noinline__)) static void clear_below(void)
{
    volatile uintptr_t below[32];

    for (size_t i = 0; i < sizeof below / sizeof *below; i++)
        below[i] = 0;
}

__attribute__((__noinline__)) static pt_status save_and_find(struct pt_loop *loop,
                                                             pt_stuck_found *found, void *context)
{
    volatile char mark = 0;

    SAVE_REGISTERS();
    return find(loop, lowest((const void *)&mark, __builtin_frame_address(0)), found, context);
}

pt_status pt_find_stuck(struct pt_loop *loop, pt_stuck_found *found, void *context)
{
    clear_below();
    return save_and_find(loop, found, context);
}

unsigned pt_print_stuck(struct pt_loop *loop, pt_print *print, void *context)
{
    struct pt_stuck_text_ text = {print, context, {NULL, NULL, 0, false}, 0};

    (void)pt_find_stuck(loop, pt_stuck_print_, &text);
    return text.count;
}
