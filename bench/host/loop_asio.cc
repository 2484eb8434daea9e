// loop_asio.cc - yields, timeouts, wakes and rockets on Boost.Asio
// SPDX-License-Identifier: MIT
#include "loop.h"

#include <boost/asio.hpp>
#include <vector>

using boost::asio::steady_timer;
using std::chrono::microseconds;
using std::chrono::seconds;

static boost::asio::io_context context(1);

struct yielder {
    unsigned left;

    void operator()()
    {
        if (left--)
            boost::asio::post(context, *this);
    }
};

static void yield()
{
    for (unsigned i = 0; i < YIELDERS; i++)
        boost::asio::post(context, yielder{YIELDS});
    context.run();
}

// A timer that is postponed calls its handler with an error.
static void put_off(std::vector<steady_timer> &timers)
{
    for (steady_timer &timer : timers) {
        timer.expires_after(seconds(LIMIT));
        timer.async_wait([](boost::system::error_code) {});
    }
    context.poll();
    context.restart();
}

static std::vector<steady_timer> make(unsigned count)
{
    std::vector<steady_timer> timers;

    timers.reserve(count);
    for (unsigned i = 0; i < count; i++)
        timers.emplace_back(context);
    return timers;
}

static void timeout()
{
    std::vector<steady_timer> timers = make(TIMEOUTS);

    put_off(timers);
    loop_start();
    for (unsigned i = 0; i < REARMS; i++)
        put_off(timers);
}

static void post(void *)
{
    boost::asio::post(context, [] {
        if (!loop_woken())
            context.stop();
    });
}

static void wake()
{
    auto work = boost::asio::make_work_guard(context);

    loop_send(post, nullptr);
    context.run();
}

static void step(steady_timer &timer, unsigned left)
{
    timer.async_wait([&timer, left](boost::system::error_code) {
        if (!left)
            return;
        timer.expires_at(timer.expiry() + seconds(1));
        step(timer, left - 1);
    });
}

static void rockets()
{
    std::vector<steady_timer> timers = make(ROCKETS);

    for (unsigned i = 0; i < ROCKETS; i++) {
        timers[i].expires_after(microseconds(rocket_delay(i)));
        step(timers[i], rocket_countdown(i));
    }
    context.run();
}

const struct peer peer = {yield, timeout, wake, rockets};
