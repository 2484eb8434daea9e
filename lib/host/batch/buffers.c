/* buffers.c - connections whose bytes go by a ring of io_uring: their list, and their buffers
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "batch.h"

#ifdef PT_HAVE_URING

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum { BUFFERS = PT_BATCH_BUFFERS_, ROOM = PT_BATCH_ROOM_ };

/* A buffer that is whole pages behind another one would be in its place of the cache. */
enum { STRIDE = ROOM + 192 };

static void make_empty(struct pt_links_ *list)
{
    list->next = list->before = list;
}

void pt_batch_leave_list_(struct pt_batched_ *it)
{
    it->links.next->before = it->links.before;
    it->links.before->next = it->links.next;
    make_empty(&it->links);
}

void pt_batch_join_list_(struct pt_links_ *list, struct pt_batched_ *it)
{
    it->links.next = list;
    it->links.before = list->before;
    it->links.before->next = list->before = &it->links;
}

void pt_batch_queue_(struct pt_batches_ *all, struct pt_batched_ *it)
{
    if (it->links.next == &it->links)
        pt_batch_join_list_(&all->asking, it);
}

char *pt_batch_buffer_(const struct pt_batches_ *all, unsigned buffer)
{
    return all->in + (size_t)buffer * STRIDE;
}

void pt_batch_give_(struct pt_batches_ *all, unsigned buffer)
{
    io_uring_buf_ring_add(all->ring, pt_batch_buffer_(all, buffer), ROOM, (uint16_t)buffer,
                          BUFFERS - 1, 0);
    io_uring_buf_ring_advance(all->ring, 1);
}

void pt_batch_drop_(struct pt_batches_ *all, struct pt_batched_ *it)
{
    if (it->out)
        all->free[all->free_count++] = it->out;
    it->out = NULL;
    it->first = it->end = 0;
    it->full = false;
    if (it->shuts)
        shutdown(it->fd, SHUT_WR);
    it->shuts = false;
}

bool pt_batch_provide_(const struct pt_system *system, struct pt_batches_ *all)
{
    bool held[BUFFERS] = {false};
    struct io_uring_buf_reg options;

    memset(&options, 0, sizeof options);
    options.ring_addr = (uintptr_t)all->ring;
    options.ring_entries = BUFFERS;
    options.bgid = PT_BATCH_GROUP_;
    io_uring_buf_ring_init(all->ring);
    if (io_uring_register_buf_ring(&pt_uring_of_(system)->ring, &options, 0))
        return false;
    for (unsigned i = 0; i < system->count; i++)
        if (system->places[i].batched && system->places[i].batched->in_size)
            held[system->places[i].batched->in_buffer] = true;
    for (unsigned i = 0; i < BUFFERS; i++)
        if (!held[i])
            pt_batch_give_(all, i);
    return true;
}

enum { RING_SIZE = BUFFERS * sizeof(struct io_uring_buf), SIZE = RING_SIZE + 2 * BUFFERS * STRIDE };

/* Memory takes room only where it is used. The kernel writes to it: it must be the same memory
 * after a fork, too. */
struct pt_batches_ *pt_batch_make_(void)
{
    struct pt_batches_ *all = calloc(1, sizeof *all);
    char *memory = MAP_FAILED;

    if (all)
        memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        free(all);
        return NULL;
    }
    make_empty(&all->asking);
    make_empty(&all->sending);
    all->ring = (struct io_uring_buf_ring *)(void *)memory;
    all->in = memory + RING_SIZE;
    for (unsigned i = 2 * BUFFERS; i-- > BUFFERS;)
        all->free[all->free_count++] = pt_batch_buffer_(all, i);
    return all;
}

void pt_batch_close_(struct pt_system *system)
{
    struct pt_batches_ *all = pt_uring_of_(system)->batches;

    for (unsigned i = 0; all && i < system->count; i++)
        free(system->places[i].batched); /* open in a forked process */
    if (all)
        munmap(all->ring, SIZE);
    free(all);
}

#else

typedef int pt_buffers_are_not_here_;

#endif
