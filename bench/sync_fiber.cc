// sync_fiber.cc - the bench of synchronization: Boost.Fiber, nanoseconds a step
// SPDX-License-Identifier: MIT
#include <boost/fiber/all.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

namespace
{

const long steps = 1000000;

double now()
{
    timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/* N pairs, a channel each. */
void hop(long n)
{
    typedef boost::fibers::unbuffered_channel<long> channel;
    std::vector<std::unique_ptr<channel>> channels;
    std::vector<boost::fibers::fiber> fibers;

    for (long i = 0; i < n; i++) {
        channels.emplace_back(new channel);
        channel *to = channels.back().get();
        fibers.emplace_back([=] {
            for (long j = 0; j < steps / n; j++)
                to->push(j);
        });
        fibers.emplace_back([=] {
            long value;
            for (long j = 0; j < steps / n; j++)
                to->pop(value);
        });
    }
    for (auto &fiber : fibers)
        fiber.join();
}

/* Two fibers want a mutex that each gives up in favour of the other. */
void handoff()
{
    boost::fibers::mutex lock;
    std::vector<boost::fibers::fiber> fibers;

    for (int i = 0; i < 2; i++)
        fibers.emplace_back([&] {
            for (long j = 0; j < steps / 2; j++) {
                lock.lock();
                boost::this_fiber::yield();
                lock.unlock();
            }
        });
    for (auto &fiber : fibers)
        fiber.join();
}

} // namespace

int main(int argc, char **argv)
{
    double start = now();

    if (argc != 3)
        return 2;
    if (!std::strcmp(argv[1], "channel-hop"))
        hop(std::atol(argv[2]));
    else
        handoff();
    std::printf("%.2f\n", (now() - start) / steps);
}
