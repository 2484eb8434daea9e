// native_boost.cc - the bench of native stacks: Boost.Context
// SPDX-License-Identifier: MIT
#include "native.h"

#include <boost/context/detail/fcontext.hpp>

namespace
{

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

char stack[NATIVE_STACK];

void bounce(transfer_t from)
{
    for (;;)
        from = jump_fcontext(from.fctx, nullptr);
}

void once(transfer_t from)
{
    jump_fcontext(from.fctx, nullptr);
}

// Where each context continues. A context that jumps passes the place where the next one stores
// its continuation.
struct round_robin {
    fcontext_t *places;
    unsigned *order;
    unsigned long at, count;
};

round_robin *running;

inline void go_on(round_robin *rr, unsigned long self)
{
    unsigned long next = rr->at = rr->at + 1 == rr->count ? 0 : rr->at + 1;
    transfer_t from = jump_fcontext(rr->places[rr->order[next]], &rr->places[rr->order[self]]);

    *static_cast<fcontext_t *>(from.data) = from.fctx;
}

void go_round(transfer_t from)
{
    *static_cast<fcontext_t *>(from.data) = from.fctx;
    for (unsigned long self = running->at;;)
        go_on(running, self);
}

round_robin *open(unsigned long n, bool shuffled)
{
    auto *rr = static_cast<round_robin *>(bench_memory(sizeof(round_robin)));
    auto *stacks = static_cast<char *>(bench_memory(n * 2112));

    rr->count = n + 1;
    rr->places = static_cast<fcontext_t *>(bench_memory((n + 1) * sizeof *rr->places));
    rr->order = static_cast<unsigned *>(bench_memory((n + 1) * sizeof *rr->order));
    unsigned *order = shuffled ? bench_shuffled(n) : nullptr;
    for (unsigned long i = 1; i <= n; i++) {
        rr->order[i] = 1 + (order ? order[i - 1] : static_cast<unsigned>(i - 1));
        rr->places[i] = make_fcontext(stacks + i * 2112, 2112, go_round);
    }
    return rr;
}

double run(unsigned long n, void **state, bool shuffled)
{
    if (!*state)
        *state = open(n, shuffled);
    running = static_cast<round_robin *>(*state);
    unsigned long rounds = NATIVE_STEPS / (n + 1) + 1;
    double start = native_begin();
    for (unsigned long i = 0; i < rounds; i++)
        go_on(running, 0);
    return (bench_now() - start) / static_cast<double>(rounds * (n + 1));
}

} // namespace

double native_boost_switch(unsigned long, void **)
{
    double start = native_begin();
    fcontext_t fiber = make_fcontext(stack + sizeof stack, sizeof stack, bounce);
    for (long i = 0; i < NATIVE_STEPS; i++)
        fiber = jump_fcontext(fiber, nullptr).fctx;
    return (bench_now() - start) / NATIVE_STEPS / 2;
}

double native_boost_rr(unsigned long n, void **state)
{
    return run(n, state, false);
}

double native_boost_rr_shuffled(unsigned long n, void **state)
{
    return run(n, state, true);
}

// All on one stack, as if it came from a pool.
double native_boost_spawn(unsigned long, void **)
{
    double start = native_begin();
    for (long i = 0; i < NATIVE_STEPS; i++)
        jump_fcontext(make_fcontext(stack + sizeof stack, sizeof stack, once), nullptr);
    return (bench_now() - start) / NATIVE_STEPS;
}
