/* places.cpp - a C++ program with its loops and tasks in namespaces, in classes and in a template
 * SPDX-License-Identifier: MIT */
#include <pt/posix.h>

#include <cstdio>
#include <cstdlib>

namespace app {
namespace {
struct hidden {
    struct pt pt;
    int count;
};

PT_ASYNC(hidden, self)
{
    self->count = 7;
    PT_PARK();
}
PT_END
} // namespace

static pt_loop loop;
static PT_TASK(hidden) tasks[4];
} // namespace app

struct server {
    static pt_loop loop;
    pt_loop own;
};

pt_loop server::loop;

namespace {
server unnamed;
}

template <class T> struct of_type {
    static pt_loop loop;
};

template <class T> pt_loop of_type<T>::loop;

int main()
{
    pt_loop *loops[] = {&app::loop, &server::loop, &unnamed.own, &of_type<int>::loop};

    for (int i = 0; i < 4; i++) {
        pt_loop_open(loops[i], &pt_posix);
        PT_START(loops[i], &app::tasks[i], app::hidden);
        pt_loop_turn(loops[i], 0);
    }
    std::abort();
}
