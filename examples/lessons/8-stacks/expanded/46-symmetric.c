/* expanded/46-symmetric.c - lesson 46, without fiber.h: only contexts
 * SPDX-License-Identifier: MIT
 *
 *     A fiber has no macros to expand. It is a context, a function, and a parent that continues at
 *     its end. */
#include <pt/stack/context.h>

#include <stdio.h>

struct thinker {
    struct pt_context context; /* first member: an entry receives the context */
    struct thinker *parent;
    void (*function)(struct thinker *self);
};

static struct thinker root, t1, t2;
static char stack_1[16 << 10], stack_2[16 << 10];

static void gone(struct pt_context *context)
{
    (void)context;
    PT_PANIC("a context that is done was entered", "46-symmetric", 0);
}

/* The outermost function on each stack. */
static void begin(struct pt_context *context)
{
    struct thinker *self = (struct thinker *)(void *)context;
    struct thinker *parent = self->parent;

    self->function(self);
    self->function = NULL;
    pt_context_end(&self->context, &parent->context, gone);
}

static void open(struct thinker *self, void *stack, size_t bytes,
                 void (*function)(struct thinker *))
{
    self->parent = &root;
    self->function = function;
    pt_context_make(&self->context, stack, bytes, begin);
}

static void say(struct thinker *self, const char *text, struct thinker *next)
{
    puts(text);
    if (next)
        pt_context_switch(&self->context, &next->context);
}

static void think_1(struct thinker *self)
{
    say(self, "A 1", &t2);
    say(self, "A 2", NULL);
}

static void think_2(struct thinker *self)
{
    say(self, "B 1", &t1);
    say(self, "B 2", &t1);
}

int main(void)
{
    open(&t1, stack_1, sizeof stack_1, think_1);
    open(&t2, stack_2, sizeof stack_2, think_2);
    pt_context_switch(&root.context, &t2.context);
    printf("t1 is %s, t2 is %s\n", t1.function ? "left" : "done", t2.function ? "left" : "done");
    return 0;
}
