// cxx.h - shared by the peers of C++20 coroutines
// SPDX-License-Identifier: MIT
#ifndef PT_BENCH_CXX_H
#define PT_BENCH_CXX_H

#include <coroutine>
#include <cstddef>
#include <cstdlib>
#include <exception>

// The promise of a coroutine that waits at its start, returns nothing, and throws nothing.
struct bench_promise {
    std::suspend_always initial_suspend() noexcept
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

// Memory for the frames of coroutines, taken in a row and given back all at once.
struct bench_arena {
    char *start = nullptr, *next = nullptr;

    void *take(std::size_t bytes)
    {
        void *block = next;

        next += (bytes + 15) / 16 * 16;
        return block;
    }
};

// The same, with a frame from a list of free ones of its kind, which is faster than malloc.
template <class Promise> struct bench_recycled : bench_promise {
    static inline void *unused = nullptr;

    static void *operator new(std::size_t bytes)
    {
        void *block = unused;

        if (!block)
            return std::malloc(bytes);
        unused = *static_cast<void **>(block);
        return block;
    }
    static void operator delete(void *block)
    {
        *static_cast<void **>(block) = unused;
        unused = block;
    }
};

#endif
