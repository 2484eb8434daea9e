/* own-memory.c - without libpt, as on a small part: the program describes its memory itself
 * SPDX-License-Identifier: MIT
 *
 *     struct pt_area    memory that can always be reached: on a part, from the linker script
 *     struct pt_piece   storage for the search: one for the loop, three for each task of a pool
 *     pt_memory_add     a block that only pointers lead to: here an item of an allocator of its own
 *     pt_keep           a pointer that a device has: no search sees it there
 *
 * The reader waits for a buffer that nothing leads to. The sender waits for the device, which will call back
 * with the pointer that it has. */
#include <pt/inspect.h>
#include <pt/posix.h>

#include <stdio.h>

struct buffer {
    struct pt_event ready;
    struct buffer *next;
};

static struct buffer heap[4]; /* the allocator's memory */
static struct buffer *used[2];

struct user {
    struct pt pt;
    struct buffer *buffer;
};

static PT_ASYNC(user, self)
{
    PT_WAIT_EVENT(&self->buffer->ready);
}
PT_END

static PT_POOL(user, 4) users;

static pt_stuck_found tell;

static void tell(void *context, const struct pt_stuck *stuck)
{
    (void)context;
    printf("user of buffer %d: %s\n",
           (int)(((const struct user *)(const void *)stuck->task->top)->buffer - heap),
           pt_task_doing(stuck->task));
}

static void search(struct pt_loop *loop)
{
    static struct pt_piece pieces[32];
    struct pt_area globals = {used, used + 2};
    struct pt_memory memory;

    pt_memory_init(&memory, &globals, 1, pieces, 32);
    for (int i = 0; i < 4; i++)
        pt_memory_add(&memory, &heap[i], sizeof heap[i]);
    printf("search: %s\n", pt_status_name(pt_loop_find_stuck(loop, &memory, tell, NULL)));
}

int main(void)
{
    struct pt_loop loop;
    struct pt_kept device;

    pt_loop_open(&loop, &pt_posix);
    for (int i = 0; i < 4; i++)
        PT_START_FROM(&loop, &users, user, .buffer = &heap[i]);
    pt_loop_turn(&loop, pt_posix.now(NULL));
    used[0] = &heap[0];
    heap[0].next = &heap[1];
    pt_keep(&loop, &device, &heap[2]);
    search(&loop);
    pt_unkeep(&loop, &device);
    search(&loop);
    pt_loop_cancel(&loop, PT_ECANCELED);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
