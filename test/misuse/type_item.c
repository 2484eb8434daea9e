/* type_item.c - a pointer to a type other than the item type of a channel, a queue or a ring
 * SPDX-License-Identifier: MIT
 * expect error -DPT_MISUSE=PT_SEND(&channel,any): invalid operands|not pointers to compatible types|arithmetic on a pointer to void
 * expect error -DPT_MISUSE=PT_RING_GET(&ring,any): invalid operands|not pointers to compatible types|arithmetic on a pointer to void
 * expect error -DPT_MISUSE=PT_RECV_MAIL(&mailbox,any): invalid operands|not pointers to compatible types|arithmetic on a pointer to void
 * expect error -DPT_MISUSE=PT_SEND(&channel,&self->small): invalid operands|not pointers to compatible types
 * expect error -DPT_MISUSE=PT_SELECT_NOW(&self->next,PT_CASE_PUSH(&queue,any)): invalid operands|not pointers to compatible types|arithmetic on a pointer to void
 * expect error -DPT_MISUSE=PT_RECV(&channel,&constant): array is negative|size is negative|static_cast
 * expect error -DPT_MISUSE=PT_RECV_EACH(&channel,&constant){}: array is negative|size is negative|static_cast
 * expect error -DPT_MISUSE=(void)PT_TRY_POP(&queue,&constant): array is negative|size is negative|static_cast
 * expect error -DPT_MISUSE=PT_RECV(&channel,&shared): array is negative|size is negative|static_cast
 * expect error -DPT_MISUSE=PT_SEND(&channel,&shared): array is negative|size is negative|static_cast
 * expect error c++ -DPT_MISUSE=PT_SEND(&owners,&self->owner): copied byte by byte
 * expect error c++ -DPT_MISUSE=PT_POP(&moved,&self->owner): copied byte by byte
 * expect good -DPT_MISUSE=: */
#include <pt/pt.h>

typedef char word[4];

struct owner {
    int number;
#ifdef __cplusplus
    ~owner()
    {
    }
#endif
};

struct body {
    struct pt pt;
    PT_SELECTION(1) next;
    struct pt_mail *mail;
    int number;
    struct owner owner;
    char small;
    word text;
    void *pointer;
};

static PT_CHANNEL(int) channel;
static PT_CHANNEL(word) words;
static PT_CHANNEL(void *) pointers;
static PT_QUEUE(int, 2) queue;
static PT_RING(int, 2) ring;
static struct pt_mailbox mailbox;
static PT_CHANNEL(const int) constants;
static PT_CHANNEL(struct owner) owners;
static PT_QUEUE(struct owner, 1) moved;
static const int constant = 1;
static volatile int shared;
static void *any;
static int number;

PT_ASYNC(body, self)
{
    PT_SEND(&channel, &constant);
    PT_SEND(&words, &self->text);
    PT_SEND(&pointers, &self->pointer);
    PT_POP(&queue, &self->number);
    PT_RING_GET(&ring, &self->number);
    PT_RECV_MAIL(&mailbox, &self->mail);
    PT_SELECT_NOW(&self->next, PT_CASE_PUSH(&queue, &constant));
    PT_SEND(&constants, &self->number);
    PT_RECV(&constants, &self->number);
    PT_TRY_RECV(&channel, self->number ? &self->number : &number);
    (void)any;
    (void)shared;
    (void)owners;
    (void)moved;
    PT_MISUSE;
}
PT_END
