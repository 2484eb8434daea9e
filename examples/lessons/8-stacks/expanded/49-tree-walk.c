/* expanded/49-tree-walk.c - lesson 49 with fibers only
 * SPDX-License-Identifier: MIT
 *
 *     pt_next           switch to the walk; returns false if the walk has ended
 *     pt_native_yield   switch to the caller of pt_next
 *     pt_close          not needed here: a suspended walk has nothing to clean up */

static void walk(struct pt_fiber *self, const struct tree *tree)
{
    if (tree->left) {
        walk(self, tree->left);
        walk(self, tree->right);
        return;
    }
    ((struct walker *)self->argument)->leaf = tree->leaf;
    pt_fiber_switch(self, self->parent);
}

static void walk_all(struct pt_fiber *self)
{
    walk(self, ((struct walker *)self->argument)->tree);
}

static void compare(const struct tree *left, const struct tree *right)
{
    struct walker walks[2] = {{left, 0}, {right, 0}};
    struct pt_fiber caller, generators[2];
    bool more[2];

    pt_fiber_root(&caller);
    for (int i = 0; i < 2; i++)
        pt_fiber_init(&generators[i], &caller, stacks[i], sizeof stacks[i], walk_all, &walks[i]);
    do {
        for (int i = 0; i < 2; i++) {
            pt_fiber_switch(&caller, &generators[i]);
            more[i] = !pt_fiber_done(&generators[i]);
        }
        if (more[0] && more[1])
            printf("%d %s %d\n", walks[0].leaf, walks[0].leaf == walks[1].leaf ? "=" : "/",
                   walks[1].leaf);
    } while (more[0] && more[1] && walks[0].leaf == walks[1].leaf);
    puts(more[0] || more[1] ? "different\n" : "same fringe\n");
    for (int i = 0; i < 2; i++)
        pt_fiber_close(&generators[i]);
}
