// native_fiber.cc - the bench of native stacks: Boost.Fiber, which prints nanoseconds a step
// SPDX-License-Identifier: MIT
#include <boost/fiber/all.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static double now()
{
    timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

int main(int argc, char **argv)
{
    unsigned long n = argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 0;
    const unsigned long rounds = n ? 1000000 / n : 0;
    std::vector<boost::fibers::fiber> fibers;

    for (unsigned long i = 0; i < n; i++)
        fibers.emplace_back([rounds] {
            for (unsigned long j = 0; j < rounds; j++)
                boost::this_fiber::yield();
        });
    double start = now();
    for (auto &fiber : fibers)
        fiber.join();
    std::printf("%.2f\n", (now() - start) / static_cast<double>(rounds * n));
}
