/* core_generators.c - a case of the core's bench: a generator that yields from itself
 * SPDX-License-Identifier: MIT */
#include "core.h"

#include <pt/pt.h>

/* --- the tree: N nodes, balanced, in the order of a walk, so that only the generators count ----------- */

static struct core_tree *plant(struct core_tree *nodes, unsigned long from, unsigned long to)
{
    unsigned long middle = from + (to - from) / 2;

    if (from == to)
        return NULL;
    nodes[middle].number = middle;
    nodes[middle].left = plant(nodes, from, middle);
    nodes[middle].right = plant(nodes, middle + 1, to);
    return &nodes[middle];
}

const struct core_tree *core_plant(unsigned long n)
{
    static const struct core_tree *root;

    if (!root)
        root = plant(bench_memory(n * sizeof *root), 0, n);
    return root;
}

/* --- the walk ---------------------------------------------------------------------------- */

struct walk {
    struct pt pt;
    const struct core_tree *tree, **out;
};

static PT_ASYNC(walk, self)
{
    if (self->tree->left)
        PT_YIELD_FROM(self + 1, walk, .tree = self->tree->left, .out = self->out);
    *self->out = self->tree;
    PT_YIELD();
    if (self->tree->right)
        PT_YIELD_FROM(self + 1, walk, .tree = self->tree->right, .out = self->out);
}
PT_END

static double generator_tree(unsigned long n, void **state)
{
    const struct core_tree *root = core_plant(n), *at;
    struct walk levels[64];
    unsigned long sum = 0;
    double start = bench_now();

    (void)state;
    PT_INIT(&levels[0], walk, .tree = root, .out = &at);
    while (pt_next(&levels[0].pt))
        sum += at->number;
    start = bench_now() - start;
    core_check(sum == n * (n - 1) / 2, "generator-tree");
    return start / (double)n;
}

enum { NODES = (1 << 20) - 1 }; /* all leaves at one depth */

struct bench_case bench_generator_cases[] = {
    {"generator-tree", NODES, "ns", generator_tree, BENCH_ABSOLUTE, 12, NULL, NULL},
#ifdef BENCH_CXX
    {"generator-tree", NODES, "ns", core_cxx_generator_tree, BENCH_NO_LIMIT, 0, "c++20", NULL},
#endif
    {NULL, 0, NULL, NULL, BENCH_NO_LIMIT, 0, NULL, NULL},
};
