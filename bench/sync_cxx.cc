// sync_cxx.cc - the peer for yields and hops: a scheduler of C++20 coroutines, written for these rows alone
// SPDX-License-Identifier: MIT
//
// It has a ring of ready coroutines, channels that hand a value over, joins, calls and a lock, and nothing else: no
// clock, no descriptors, no threads, no cancel. So it is a lower bound for what such a loop costs in C++.

#include "cxx.h"
#include "sync.h"

#include <memory>
#include <vector>

namespace
{

// The ready coroutines. There are never more than its length.
class ring
{
  public:
    explicit ring(std::size_t tasks)
    {
        while (mask_ + 1 < tasks)
            mask_ = 2 * mask_ + 1;
        slots_.resize(mask_ + 1);
    }
    void push(std::coroutine_handle<> handle)
    {
        slots_[tail_++ & mask_] = handle;
    }
    // Let it run in another order.
    void shuffle(const unsigned *order)
    {
        std::vector<std::coroutine_handle<>> before(slots_);

        for (std::size_t i = 0; i != tail_; i++)
            slots_[i] = before[order[i]];
    }
    void run()
    {
        while (head_ != tail_)
            slots_[head_++ & mask_].resume();
    }
    // The same for more frames than the cache holds: each is fetched ahead, as by pt.
    void run_many()
    {
        while (head_ != tail_) {
            __builtin_prefetch(slots_[(head_ + 32) & mask_].address());
            slots_[head_++ & mask_].resume();
        }
    }
    // Turns made by the program: each runs those that are ready when it begins.
    void run_by_turns()
    {
        while (head_ != tail_)
            turn();
    }

  private:
    __attribute__((noinline)) void turn()
    {
        for (std::size_t end = tail_; head_ != end;)
            slots_[head_++ & mask_].resume();
    }

    std::vector<std::coroutine_handle<>> slots_;
    std::size_t mask_ = 1;
    std::size_t head_ = 0, tail_ = 0;
};

ring *ready;

struct task {
    struct promise_type : bench_promise {
        task get_return_object()
        {
            ready->push(std::coroutine_handle<promise_type>::from_promise(*this));
            return {};
        }
        std::suspend_never final_suspend() noexcept
        {
            return {};
        }
    };
};

// A task with a frame in a row with others, on memory like that of pt's tasks.
bench_arena frames;

struct spinner {
    struct promise_type : task::promise_type {
        void *operator new(std::size_t bytes)
        {
            return frames.take(bytes);
        }
        void operator delete(void *)
        {
        }
        spinner get_return_object()
        {
            ready->push(std::coroutine_handle<promise_type>::from_promise(*this));
            return {};
        }
    };
};

struct yield {
    bool await_ready() const noexcept
    {
        return false;
    }
    void await_suspend(std::coroutine_handle<> handle) const
    {
        ready->push(handle);
    }
    void await_resume() const noexcept
    {
    }
};

// What waits at a channel: in the coroutine's frame, linked in order of arrival.
struct waiter {
    waiter *next = nullptr;
    long *value;
    std::coroutine_handle<> handle;
};

struct queue {
    waiter *first = nullptr, **last = &first;

    void push(waiter *node)
    {
        *last = node;
        last = &node->next;
    }
    waiter *pop()
    {
        waiter *node = first;

        first = node->next;
        if (!first)
            last = &first;
        return node;
    }
};

struct channel {
    queue senders, receivers;
    bool closed = false;
};

// A send or a receive: if the other side waits, take from it or give to it and go on; else wait.
template <bool sends> struct transfer : waiter {
    channel &over;

    transfer(channel &c, long *v) : over(c)
    {
        value = v;
    }
    bool await_ready()
    {
        queue &others = sends ? over.receivers : over.senders;

        if (over.closed)
            return true;
        if (!others.first)
            return false;
        waiter *other = others.pop();
        *(sends ? other->value : value) = *(sends ? value : other->value);
        ready->push(other->handle);
        return true;
    }
    void await_suspend(std::coroutine_handle<> h)
    {
        handle = h;
        (sends ? over.senders : over.receivers).push(this);
    }
    void await_resume() const noexcept
    {
    }
};

void close(channel &over)
{
    over.closed = true;
    while (over.senders.first)
        ready->push(over.senders.pop()->handle);
    while (over.receivers.first)
        ready->push(over.receivers.pop()->handle);
}

spinner spin(unsigned long left)
{
    for (; left; left--)
        co_await yield{};
}

task send(channel &over)
{
    for (long value = 0; !over.closed; value++)
        co_await transfer<true>{over, &value};
}

task receive(channel &over, unsigned long left)
{
    long value = 0;

    for (; left; left--)
        co_await transfer<false>{over, &value};
    close(over);
}

// A coroutine that ends at once, and has a successor: the one that joins or awaits it.
template <class Promise> struct brief : bench_recycled<Promise> {
    std::coroutine_handle<> next;
};

// Runs beside the coroutine that made it, which joins it by co_await.
struct child {
    struct promise_type : brief<promise_type> {
        struct wake_joiner {
            bool await_ready() const noexcept
            {
                return false;
            }
            void await_suspend(std::coroutine_handle<promise_type> done) const noexcept
            {
                if (done.promise().next)
                    ready->push(done.promise().next);
            }
            void await_resume() const noexcept
            {
            }
        };
        child get_return_object()
        {
            auto self = std::coroutine_handle<promise_type>::from_promise(*this);

            ready->push(self);
            return {self};
        }
        wake_joiner final_suspend() noexcept
        {
            return {};
        }
    };
    std::coroutine_handle<promise_type> handle;

    bool await_ready() const noexcept
    {
        return handle.done();
    }
    void await_suspend(std::coroutine_handle<> joiner) const noexcept
    {
        handle.promise().next = joiner;
    }
    void await_resume() const noexcept
    {
        handle.destroy();
    }
};

// Runs in the place of the coroutine that awaits it.
struct call {
    struct promise_type : brief<promise_type> {
        struct to_caller {
            bool await_ready() const noexcept
            {
                return false;
            }
            std::coroutine_handle<> await_suspend(
                std::coroutine_handle<promise_type> done) const noexcept
            {
                return done.promise().next;
            }
            void await_resume() const noexcept
            {
            }
        };
        call get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        to_caller final_suspend() noexcept
        {
            return {};
        }
    };
    std::coroutine_handle<promise_type> handle;

    bool await_ready() const noexcept
    {
        return false;
    }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) const noexcept
    {
        handle.promise().next = caller;
        return handle;
    }
    void await_resume() const noexcept
    {
        handle.destroy();
    }
};

child spawned()
{
    co_return;
}

call called()
{
    co_return;
}

task family(unsigned long n, unsigned long left)
{
    child children[100];

    for (; left; left -= n) {
        for (unsigned long i = 0; i < n; i++)
            children[i] = spawned();
        for (unsigned long i = 0; i < n; i++)
            co_await children[i];
    }
}

task callers(unsigned long left)
{
    for (; left; left--)
        co_await called();
}

struct mutex {
    bool held = false;
    queue waiters;

    void release()
    {
        if (waiters.first)
            ready->push(waiters.pop()->handle);
        else
            held = false;
    }
};

struct acquire : waiter {
    mutex &over;

    explicit acquire(mutex &m) : over(m)
    {
    }
    bool await_ready()
    {
        bool free = !over.held;

        over.held = true;
        return free;
    }
    void await_suspend(std::coroutine_handle<> h)
    {
        handle = h;
        over.waiters.push(this);
    }
    void await_resume() const noexcept
    {
    }
};

task hold(mutex &over, unsigned long left)
{
    for (; left; left--) {
        co_await acquire{over};
        co_await yield{};
        over.release();
    }
}

// Nanoseconds a step, of STEPS in all, that RUN takes.
double measure(ring &tasks, unsigned long steps = SYNC_STEPS, void (ring::*run)() = &ring::run)
{
    double start = bench_now();

    (tasks.*run)();
    return (bench_now() - start) / static_cast<double>(steps);
}

void start_pairs(ring &tasks, channel *channels, unsigned long n)
{
    ready = &tasks;
    for (unsigned long i = 0; i < n; i++) {
        send(channels[i]);
        receive(channels[i], SYNC_STEPS / n);
    }
}

double run_yields(unsigned long n, void **state, const unsigned *order)
{
    ring tasks{n};

    if (!*state)
        *state = bench_memory(n * 96);
    frames.next = static_cast<char *>(*state);
    ready = &tasks;
    for (unsigned long i = 0; i < n; i++)
        spin(SYNC_YIELDS(n));
    if (order)
        tasks.shuffle(order);
    return measure(tasks, n * SYNC_YIELDS(n), n > 2048 ? &ring::run_many : &ring::run);
}

} // namespace

double sync_cxx_yield(unsigned long n, void **state)
{
    return run_yields(n, state, nullptr);
}

double sync_cxx_yield_shuffled(unsigned long n, void **state)
{
    static unsigned *order = bench_shuffled(n);

    return run_yields(n, state, order);
}

double sync_cxx_hop(unsigned long n, void **)
{
    std::unique_ptr<channel[]> channels{new channel[n]};
    ring tasks{2 * n};

    start_pairs(tasks, channels.get(), n);
    return measure(tasks);
}

// The program makes the turns.
double sync_cxx_hop_by_turns(unsigned long n, void **)
{
    std::unique_ptr<channel[]> channels{new channel[n]};
    ring tasks{2 * n};

    start_pairs(tasks, channels.get(), n);
    return measure(tasks, SYNC_STEPS, &ring::run_by_turns);
}

double sync_cxx_spawn_join(unsigned long n, void **)
{
    ring tasks{n + 1};

    ready = &tasks;
    family(n, SYNC_STEPS);
    return measure(tasks);
}

double sync_cxx_await(unsigned long, void **)
{
    ring tasks{1};

    ready = &tasks;
    callers(SYNC_STEPS);
    return measure(tasks);
}

double sync_cxx_lock(unsigned long n, void **)
{
    mutex over;
    ring tasks{n};

    ready = &tasks;
    for (unsigned long i = 0; i < n; i++)
        hold(over, SYNC_STEPS / n);
    return measure(tasks);
}

double sync_cxx_fan_in(unsigned long n, void **)
{
    channel over;
    ring tasks{n + 1};

    ready = &tasks;
    for (unsigned long i = 0; i < n; i++)
        send(over);
    receive(over, SYNC_STEPS);
    return measure(tasks);
}
