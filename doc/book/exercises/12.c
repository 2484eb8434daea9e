/* Walk a tree in order by recursion, on a stack: report each value, and then wait for 1 ms. */
#define _XOPEN_SOURCE 700
#include "pt.h"
#include "native.h"
#include "virtual.h"
#include <stdio.h>
#include <string.h>

struct node {
    int value;
    const struct node *left, *right;
};

static char seen[64];

static void report(struct native *self, int value)
{
    sprintf(seen + strlen(seen), "%d ", value);
    native_wait(self, PT_MS(1));
}

static void walk(struct native *self, const struct node *node)
{
#ifdef SOLUTION
    if (!node)
        return;
    walk(self, node->left);
    report(self, node->value);
    walk(self, node->right);
#else
    /* your code: the left subtree, report(self, node->value), the right one */
    (void)self;
    (void)node;
    (void)report;
#endif
}

/* --- the test: leave it as it is --- */

static void body(struct native *self)
{
    walk(self, self->argument);
}

int main(void)
{
    static const struct node one = {1, NULL, NULL}, three = {3, NULL, NULL}, five = {5, NULL, NULL};
    static const struct node two = {2, &one, &three};
    static struct node four = {4, &two, &five};
    static PT_TASK(native) walker;
    static struct pt_virtual world;
    static struct pt_loop loop;

    pt_virtual_init(&world);
    pt_loop_open(&loop, &world.port);
    PT_START(&loop, &walker, native, .body = body, .argument = &four);
    pt_loop_run(&loop);
    if (strcmp(seen, "1 2 3 4 5 ") || world.now != PT_MS(5)) {
        printf("FAIL: seen \"%s\" in %d ms, not \"1 2 3 4 5 \" in 5\n", seen, (int)(world.now / PT_MS(1)));
        return 1;
    }
    printf("passed\n");
    return 0;
}
