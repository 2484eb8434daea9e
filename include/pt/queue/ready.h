/* ready.h - the ready queue: first in, first out, each node at most once; taken in batches
 * SPDX-License-Identifier: MIT
 *
 * PT_READY (config.h) chooses between a ring of pointers (ready_ring.h, faster with many tasks) and
 * a list (ready_list.h, no storage); the file that is not chosen is empty.
 *
 *     pt_ready_init_      an empty queue
 *     pt_ready_empty_     whether no node is queued; only between batches
 *     pt_ready_push_      queue a node for the next batch; the ring must have room
 *     pt_ready_add_       as pt_ready_push_, always inlined
 *     pt_ready_count_     how many nodes are in the queue and in the rest of the batch
 *     pt_ready_few_       how many nodes are queued, if at most MOST; else 0; O(MOST) for the list
 *     pt_ready_storage_   the ring only: give it an array, or a longer one
 *     pt_ready_begin_     a batch of the nodes that are queued now
 *     pt_ready_take_      the next node of the batch; false at its end. It prefetches a later node,
 *                         and the memory BEHIND bytes after its start
 *
 * Nodes that are pushed while a batch is taken wait for the next batch. Without another cost a
 * function is O(1). PT_READY_STORAGE_: whether the queue needs a slot for each task. */
#ifndef PT_READY_H
#define PT_READY_H

#include "ready_list.h"
#include "ready_ring.h"

#endif
