// core_cxx.cc - the peer for generators: C++20 coroutines that yield from one another
// SPDX-License-Identifier: MIT
//
// As in std::generator: the outermost coroutine points to the innermost one, which is resumed directly, and both
// transfers are tail calls. The frames are recycled.

#include "core.h"
#include "cxx.h"

namespace
{

struct generator {
    struct promise_type : bench_recycled<promise_type> {
        promise_type *outermost = this;
        promise_type *link = this; // of the outermost: the innermost; of others: the one around it
        const core_tree *value = nullptr;

        std::coroutine_handle<promise_type> handle()
        {
            return std::coroutine_handle<promise_type>::from_promise(*this);
        }
        generator get_return_object()
        {
            return {handle()};
        }

        struct to_outer {
            bool await_ready() const noexcept
            {
                return false;
            }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> done) noexcept
            {
                promise_type &self = done.promise();

                if (self.outermost == &self)
                    return std::noop_coroutine();
                self.outermost->link = self.link;
                return self.link->handle();
            }
            void await_resume() const noexcept
            {
            }
        };
        to_outer final_suspend() noexcept
        {
            return {};
        }

        std::suspend_always yield_value(const core_tree *tree) noexcept
        {
            outermost->value = tree;
            return {};
        }

        struct to_inner {
            std::coroutine_handle<promise_type> inner;

            bool await_ready() const noexcept
            {
                return false;
            }
            std::coroutine_handle<> await_suspend(
                std::coroutine_handle<promise_type> outer) noexcept
            {
                promise_type &self = outer.promise(), &next = inner.promise();

                next.outermost = self.outermost;
                next.link = &self;
                self.outermost->link = &next;
                return inner;
            }
            void await_resume() const noexcept
            {
                inner.destroy();
            }
        };
        to_inner yield_value(generator inner) noexcept
        {
            return {inner.handle};
        }
    };

    std::coroutine_handle<promise_type> handle;

    bool next()
    {
        handle.promise().link->handle().resume();
        return !handle.done();
    }
};

generator walk(const core_tree *tree)
{
    if (tree->left)
        co_yield walk(tree->left);
    co_yield tree;
    if (tree->right)
        co_yield walk(tree->right);
}

} // namespace

double core_cxx_generator_tree(unsigned long n, void **)
{
    const core_tree *root = core_plant(n);
    unsigned long sum = 0;
    double start = bench_now();
    generator all = walk(root);

    while (all.next())
        sum += all.handle.promise().value->number;
    all.handle.destroy();
    start = bench_now() - start;
    core_check(sum == n * (n - 1) / 2, "generator-tree in C++20");
    return start / static_cast<double>(n);
}
