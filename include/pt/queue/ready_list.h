/* ready_list.h - the ready queue of ready.h as a list, linked through the nodes
 * SPDX-License-Identifier: MIT
 *
 * PT_READY_LIST, PT_READY_URGENT. It needs no storage. Counting is O(n). */
#ifndef PT_READY_LIST_H
#define PT_READY_LIST_H

#include "list.h"

#if PT_READY != PT_READY_RING

#define PT_READY_STORAGE_ 0

/* The urgent nodes: run/urgent.h. */
#if PT_HAS_URGENT_
struct pt_urgent_ {
    struct pt_fifo fifo;
    struct pt_node **until; /* the last link of those that run before the next other one, or NULL */
};
#define pt_urgent_init_(ready) (pt_fifo_init(&(ready)->urgent.fifo), (ready)->urgent.until = NULL)
#define pt_urgent_empty_(ready) pt_fifo_empty(&(ready)->urgent.fifo)
#define pt_urgent_count_(ready) pt_fifo_count(&(ready)->urgent.fifo)
#else
#define pt_urgent_init_(ready) ((void)0)
#define pt_urgent_empty_(ready) true
#define pt_urgent_count_(ready) 0u
#endif

struct pt_ready_ {
    struct pt_fifo fifo;                      /* the nodes for the next batch */
    PT_IF_(PT_CENSUS, struct pt_node *batch;) /* the rest of the current batch, up to the end */
    PT_IF_(PT_HAS_URGENT_, struct pt_urgent_ urgent;)
};
PT_FIELD_(PT_CENSUS, pt_ready_, pt_ready, batch, struct pt_node *, NULL)

struct pt_batch_ {
    struct pt_node *next; /* the rest of it, linked up to the end */
};

/* The end mark of a batch: the queue itself as a node, with `first` as its link. It is pushed like
 * any node; this closes the batch and leaves the queue empty for the next one. */
PT_ALWAYS struct pt_node *pt_ready_end_(const struct pt_ready_ *ready)
{
    PT_STATIC_ASSERT(offsetof(struct pt_fifo, first) == offsetof(struct pt_node, link),
                     "a queue begins as a node does");
    return (struct pt_node *)(uintptr_t)&ready->fifo;
}

/* The number of nodes in a batch, from NODE to its end. */
PT_API size_t pt_ready_from_(const struct pt_ready_ *ready, const struct pt_node *node)
{
    size_t count = 0;

    for (; node != pt_ready_end_(ready); node = node->link.next) /* pt-bounds: loop ready */
        count++;
    return count;
}

PT_ALWAYS void pt_ready_init_(struct pt_ready_ *ready)
{
    pt_fifo_init(&ready->fifo);
    pt_urgent_init_(ready);
    pt_ready_set_batch_(ready, pt_ready_end_(ready));
}

PT_ALWAYS bool pt_ready_empty_(const struct pt_ready_ *ready)
{
    return pt_fifo_empty(&ready->fifo) && pt_urgent_empty_(ready);
}

PT_API unsigned pt_ready_few_(const struct pt_ready_ *ready, unsigned most)
{
    struct pt_node *const *link = &ready->fifo.first;
    unsigned count = 0;

    /* pt-bounds: loop ready */
    for (; link != ready->fifo.tail && count <= most; link = &(*link)->link.next)
        count++;
    return count <= most ? count : 0;
}

PT_ALWAYS void pt_ready_push_(struct pt_ready_ *ready, struct pt_node *node)
{
    pt_fifo_push(&ready->fifo, node);
}

PT_ALWAYS void pt_ready_add_(struct pt_ready_ *ready, struct pt_node *node)
{
    pt_fifo_add_(&ready->fifo, node);
}

PT_ALWAYS struct pt_batch_ pt_ready_begin_(struct pt_ready_ *ready)
{
    struct pt_batch_ batch;

    if (PT_WAKERS) {
        pt_fifo_add_(&ready->fifo, pt_ready_end_(ready));
        batch.next = ready->fifo.first;
    } else {
        batch.next = pt_fifo_push(&ready->fifo, pt_ready_end_(ready));
    }
    if (PT_INSPECT || PT_HAS_DIRECT_) /* before the first is taken, an observer can count, */
        pt_ready_set_batch_(ready, batch.next); /* or a native task return to the loop */
    return batch;
}

#if PT_CENSUS
PT_API size_t pt_ready_count_(const struct pt_ready_ *ready)
{
    return pt_fifo_count(&ready->fifo) + pt_ready_from_(ready, ready->batch) +
           pt_urgent_count_(ready);
}
#endif

PT_ALWAYS bool pt_ready_take_(struct pt_ready_ *ready, struct pt_batch_ *batch,
                              struct pt_node **node, size_t behind)
{
    *node = batch->next;
    if (*node == pt_ready_end_(ready))
        return false;
    batch->next = (*node)->link.next;
    pt_ready_set_batch_(ready, batch->next);
    return true;
}

#endif
#endif
