// core_cal.cc - the yardstick: one resume and suspend of a C++20 coroutine
// SPDX-License-Identifier: MIT

#include <coroutine>
#include <exception>

namespace
{

struct spin {
    struct promise_type {
        spin get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
            std::terminate();
        }
    };
    std::coroutine_handle<> handle;
};

spin forever()
{
    for (;;)
        co_await std::suspend_always{};
}

} // namespace

extern "C" void core_cal(unsigned long pairs);

void core_cal(unsigned long pairs)
{
    static spin s = forever();
    void *volatile address = s.handle.address(); // hide the address from the optimizer

    auto handle = std::coroutine_handle<>::from_address(address);
    for (unsigned long i = 0; i < pairs; i++)
        handle.resume();
}
