// native_cxx.cc - the bench of native stacks: C++20 coroutines, which have none
// SPDX-License-Identifier: MIT
#include "cxx.h"
#include "native.h"

namespace
{

struct task {
    struct promise_type : bench_promise {
        task get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
    };
    std::coroutine_handle<> handle;
};

task forever()
{
    for (;;)
        co_await std::suspend_always{};
}

task once()
{
    co_return;
}

} // namespace

// A step: a resume and a suspension.
double native_cxx_rr(unsigned long n, void **state)
{
    auto *handles = static_cast<std::coroutine_handle<> *>(*state);
    if (!handles) {
        *state = handles =
            static_cast<std::coroutine_handle<> *>(bench_memory(n * sizeof *handles));
        for (unsigned long i = 0; i < n; i++)
            handles[i] = forever().handle;
    }
    unsigned long rounds = NATIVE_STEPS / n;
    double start = native_begin();
    for (unsigned long i = 0; i < rounds; i++)
        for (unsigned long j = 0; j < n; j++)
            handles[j].resume();
    return (bench_now() - start) / static_cast<double>(rounds * n);
}

double native_cxx_switch(unsigned long, void **state)
{
    return native_cxx_rr(1, state) / 2;
}

double native_cxx_spawn(unsigned long, void **)
{
    double start = native_begin();
    for (long i = 0; i < NATIVE_STEPS; i++) {
        void *volatile address = once().handle.address(); // hide the address from the optimizer
        auto handle = std::coroutine_handle<>::from_address(address);
        handle.resume();
        handle.destroy();
    }
    return (bench_now() - start) / NATIVE_STEPS;
}
