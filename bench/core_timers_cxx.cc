// core_timers_cxx.cc - a peer for timers and rockets: a heap and a scheduler of C++20 coroutines, for these rows only
// SPDX-License-Identifier: MIT
//
// The heap is that of heap.h without what a cancel needs: the place of an entry is stored nowhere. The
// scheduler has a time, a heap and a ring, and nothing else: no clock, no timeouts, no inspection.

#include "core.h"
#include "cxx.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace
{

__extension__ typedef unsigned __int128 key;

struct entry {
    std::uint64_t order, deadline;
    void *what;
};

key key_of(const entry &e)
{
    return (key)e.deadline << 64 | e.order;
}

// A 4-ary heap: a pop sinks the hole to a leaf, and the last entry rises from there.
class heap
{
  public:
    explicit heap(std::size_t most)
        : entries_(static_cast<entry *>(bench_memory((most + 1) * sizeof(entry))))
    {
    }
    bool empty() const
    {
        return !count_;
    }
    const entry &first() const
    {
        return entries_[0];
    }
    void push(std::uint64_t deadline, void *what)
    {
        rise(count_++, {order_++, deadline, what});
    }
    void pop()
    {
        entry last = entries_[--count_];
        std::size_t at = 0, child;

        for (; (child = 4 * at + 1) + 3 < count_;) {
            std::size_t least = earliest(child);
            entries_[at] = entries_[least];
            at = least;
        }
        if (child < count_) {
            std::size_t least = child;
            while (++child < count_)
                if (key_of(entries_[child]) < key_of(entries_[least]))
                    least = child;
            entries_[at] = entries_[least];
            at = least;
        }
        if (count_)
            rise(at, last);
    }

  private:
    void rise(std::size_t at, entry e)
    {
        while (at && key_of(e) < key_of(entries_[(at - 1) / 4])) {
            entries_[at] = entries_[(at - 1) / 4];
            at = (at - 1) / 4;
        }
        entries_[at] = e;
    }
    // Of four siblings. Meanwhile the children of all four are prefetched.
    std::size_t earliest(std::size_t child) const
    {
        const char *below =
            reinterpret_cast<const char *>(entries_) + (4 * child + 1) * sizeof(entry);
        const entry *e = entries_ + child;
        key a = key_of(e[0]), b = key_of(e[1]), c = key_of(e[2]), d = key_of(e[3]);
        std::size_t left = b < a, right = 2 + (d < c);

        for (int line = 0; line < 6; line++)
            __builtin_prefetch(below + 64 * line);
        a = b < a ? b : a;
        c = d < c ? d : c;
        return child + (left ^ ((left ^ right) & -static_cast<std::size_t>(c < a)));
    }

    entry *entries_;
    std::size_t count_ = 0;
    std::uint64_t order_ = 0;
};

// The random numbers of pt/ports/random.h.
struct chance {
    std::uint64_t state;

    std::uint64_t below(std::uint64_t limit)
    {
        std::uint64_t z = state += 0x9e3779b97f4a7c15u;

        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return (z ^ (z >> 31)) % limit;
    }
};

enum : std::uint64_t { SPAN = 1000000000, SECOND = 1000000000 };

struct timers {
    heap queue;
    chance random{1};

    void hold()
    {
        entry e = queue.first();

        queue.pop();
        queue.push(e.deadline + random.below(SPAN), e.what);
    }
    explicit timers(unsigned long n) : queue(n)
    {
        for (unsigned long i = 0; i < n; i++)
            queue.push(random.below(SPAN), this);
        for (unsigned long i = 0; i < 2 * n; i++)
            hold();
    }
};

// --- rockets ---

struct scheduler {
    heap sleeping;
    bench_arena frames;
    std::vector<std::coroutine_handle<>> ready;
    std::uint64_t now = 0;
    unsigned long wakes = 0;

    explicit scheduler(unsigned long n) : sleeping(n)
    {
        frames.start = static_cast<char *>(bench_memory(n * 256));
        ready.reserve(n);
    }
    void run()
    {
        for (std::size_t i = 0; i < ready.size(); i++)
            ready[i].resume();
        while (!sleeping.empty()) {
            ready.clear();
            now = sleeping.first().deadline;
            for (; !sleeping.empty() && sleeping.first().deadline == now; sleeping.pop())
                ready.push_back(std::coroutine_handle<>::from_address(sleeping.first().what));
            for (std::size_t i = 0; i < ready.size(); i++)
                ready[i].resume();
        }
        ready.clear();
    }
};

scheduler *loop;

struct task {
    struct promise_type : bench_promise {
        void *operator new(std::size_t bytes)
        {
            return loop->frames.take(bytes);
        }
        void operator delete(void *)
        {
        }
        task get_return_object()
        {
            loop->ready.push_back(std::coroutine_handle<promise_type>::from_promise(*this));
            return {};
        }
        std::suspend_never final_suspend() noexcept
        {
            return {};
        }
    };
};

struct sleep {
    std::uint64_t delay;

    bool await_ready() const noexcept
    {
        return false;
    }
    void await_suspend(std::coroutine_handle<> handle) const
    {
        loop->sleeping.push(loop->now + delay, handle.address());
    }
    void await_resume() const noexcept
    {
    }
};

task rocket(std::uint64_t delay, unsigned countdown)
{
    co_await sleep{delay};
    loop->wakes++;
    for (; countdown > 0; countdown--) {
        co_await sleep{SECOND};
        loop->wakes++;
    }
}

void launch(unsigned long n, std::uint64_t grid)
{
    chance random{1};

    loop->now = 0;
    loop->frames.next = loop->frames.start;
    for (unsigned long i = 0; i < n; i++) {
        std::uint64_t delay = random.below(5 * SECOND / 2 / grid) * 2 * grid;

        rocket(delay, static_cast<unsigned>(random.below(5)));
    }
    loop->run();
}

double rockets(unsigned long n, void **state, std::uint64_t grid)
{
    double start;

    if (!*state)
        *state = new scheduler(n);
    loop = static_cast<scheduler *>(*state);
    loop->wakes = 0;
    start = bench_now();
    do
        launch(n, grid);
    while (loop->wakes < CORE_WAKES);
    return (bench_now() - start) / static_cast<double>(loop->wakes);
}

} // namespace

double core_cxx_timers(unsigned long n, void **state)
{
    enum { STEPS = 100000 };
    double start;

    if (!*state)
        *state = new timers(n);
    start = bench_now();
    for (int i = 0; i < STEPS; i++)
        static_cast<timers *>(*state)->hold();
    return (bench_now() - start) / STEPS;
}

double core_cxx_rockets(unsigned long n, void **state)
{
    return rockets(n, state, 1);
}

double core_cxx_rockets_grid(unsigned long n, void **state)
{
    return rockets(n, state, SECOND / 1000);
}
