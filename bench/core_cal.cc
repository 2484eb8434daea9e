// core_cal.cc - the yardstick: one resume and suspend of a C++20 coroutine
// SPDX-License-Identifier: MIT

#include <coroutine>
#include <exception>

namespace {

struct spin {
    struct promise_type {
        spin get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
        unsigned long count = 0;
    };
    std::coroutine_handle<promise_type> handle;
};

struct self {
    spin::promise_type *promise;
    bool await_ready() { return false; }
    bool await_suspend(std::coroutine_handle<spin::promise_type> handle)
    {
        promise = &handle.promise();
        return false;
    }
    spin::promise_type *await_resume() { return promise; }
};

spin count_up()
{
    spin::promise_type *promise = co_await self{};

    for (;;) {
        promise->count++;
        co_await std::suspend_always{};
    }
}

} // namespace

extern "C" unsigned long core_cal(unsigned long pairs);

unsigned long core_cal(unsigned long pairs)
{
    static spin s = count_up(); // static: the compiler must not see through the handle
    void *volatile address = s.handle.address();

    auto handle = std::coroutine_handle<>::from_address(address);
    for (unsigned long i = 0; i < pairs; i++)
        handle.resume();
    return s.handle.promise().count;
}
