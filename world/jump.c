/* jump.c - setjmp and longjmp: a jump out of a handler leaves the call in which that runs
 * SPDX-License-Identifier: MIT
 *
 * The C library saves the registers; it must return to the frame that calls it, so a begin of two instructions only notes
 * what the simulator has to know, and goes on there. The note has a place in the room of a jmp_buf for masks of more than 64
 * signals. */
#include "threads.h"

#include "calls.h"

struct note {
    uint64_t unused, mask;
    struct hold *holds; /* of the calls around */
};

static struct note *note_in(struct __jmp_buf_tag *place)
{
    return (struct note *)(void *)&place->__saved_mask;
}

void jump_note(struct __jmp_buf_tag *place);

void jump_note(struct __jmp_buf_tag *place)
{
    note_in(place)->mask = running->thread->mask;
    note_in(place)->holds = running->thread->holds;
}

/* BEGIN(NAME, SAVES): the mask, or not. */
#define BEGIN(name, saves)           \
    __asm__(".globl call_" name "\n" \
            "call_" name ":\n"       \
            "push %rdi\n"            \
            "push %rsi\n"            \
            "sub $8, %rsp\n"         \
            "call jump_note\n"       \
            "add $8, %rsp\n"         \
            "pop %rsi\n"             \
            "pop %rdi\n" saves "jmp __sigsetjmp@PLT\n")

BEGIN("__sigsetjmp", "");
BEGIN("_setjmp", "xor %esi, %esi\n");

static void leave(struct __jmp_buf_tag *place)
{
    while (running->thread->holds != note_in(place)->holds)
        file_release(running->thread->holds);
}

void call_longjmp(struct __jmp_buf_tag place[1], int value)
{
    call_siglongjmp(place, value);
}

void call_siglongjmp(sigjmp_buf place, int value)
{
    leave(place);
    if (place->__mask_was_saved)
        running->thread->mask = note_in(place)->mask;
    siglongjmp(place, value);
}
