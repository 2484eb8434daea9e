/* 49-tree-walk.c - recursion as a generator: two trees, walked side by side
 * SPDX-License-Identifier: MIT
 *
 * This lesson needs no new name: a native generator (lesson 47) calls itself.
 *
 * What to notice:
 *   - walk yields at any depth: the stack remembers the way back. A stackless walk would need a
 *     frame for each level, and storage for them.
 *   - Two walks are suspended at once, each on its own stack. So trees of different shapes can be
 *     compared leaf by leaf, and the comparison stops at the first difference.
 *
 * Try: compare three trees at once. */
#include <pt/native.h>

#include <stdio.h>

struct tree {
    const struct tree *left, *right;
    int leaf;
};

struct walker {
    const struct tree *tree;
    int leaf; /* the current leaf */
};

static pt_status walk(struct pt_native *self, const struct tree *tree)
{
    pt_status status = PT_OK;

    if (tree->left) {
        status = walk(self, tree->left);
        return status == PT_OK ? walk(self, tree->right) : status;
    }
    ((struct walker *)self->argument)->leaf = tree->leaf;
    return pt_native_yield(self);
}

static pt_status walk_all(struct pt_native *self)
{
    return walk(self, ((struct walker *)self->argument)->tree);
}

static char stacks[2][32 << 10];

static void compare(const struct tree *left, const struct tree *right)
{
    struct walker walks[2] = {{left, 0}, {right, 0}};
    struct pt_native generators[2];
    bool more[2];

    for (int i = 0; i < 2; i++)
        PT_INIT(&generators[i], pt_native, .function = walk_all, .argument = &walks[i],
                .stack = stacks[i], .bytes = sizeof stacks[i]);
    do {
        for (int i = 0; i < 2; i++)
            more[i] = pt_next(&generators[i].pt);
        if (more[0] && more[1])
            printf("%d %s %d\n", walks[0].leaf, walks[0].leaf == walks[1].leaf ? "=" : "/",
                   walks[1].leaf);
    } while (more[0] && more[1] && walks[0].leaf == walks[1].leaf);
    puts(more[0] || more[1] ? "different\n" : "same fringe\n");
    for (int i = 0; i < 2; i++)
        pt_close(&generators[i].pt);
}

int main(void)
{
    static const struct tree one = {NULL, NULL, 1}, two = {NULL, NULL, 2}, three = {NULL, NULL, 3},
                             four = {NULL, NULL, 4};
    static const struct tree left = {&one, &two, 0}, right = {&two, &three, 0};
    static const struct tree leans_left = {&left, &three, 0}, leans_right = {&one, &right, 0};
    static const struct tree other = {&left, &four, 0};

    compare(&leans_left, &leans_right);
    compare(&leans_left, &other);
    return 0;
}
