/* good_classes.c - a C++ frame that is not a C struct: class members, private members, a base class
 * SPDX-License-Identifier: MIT
 * expect good c++: no diagnostic
 * expect good c++ -DPT_DEBUG=1: no diagnostic
 * expect error c++ -DFRAME=late: must be the first member
 * expect error c++ -DFRAME=table: must be the first member
 * expect good c++ -DFRAME=fixed: no diagnostic
 * expect error c++ -DFRAME=bound: has a member that cannot be constructed without arguments
 * expect good c++ -DFRAME=bound -DKEEP=,PT_KEEP: no diagnostic */
#define _POSIX_C_SOURCE 200809L
#include <pt/posix.h>

#ifdef __cplusplus
#include <map>
#include <string>

#ifndef FRAME
#define FRAME seen
#endif
#ifndef KEEP
#define KEEP
#endif

struct seen {
    struct pt pt;
    std::map<std::string, int> names;
    seen() : pt(), names(), number(0)
    {
    }

  private:
    int number;

  public:
    int next()
    {
        return ++number;
    }
};

struct late {
    std::map<std::string, int> names;
    struct pt pt;
    int next();
};

struct table {
    struct pt pt;
    virtual int next();
};

struct fixed {
    struct pt pt;
    std::map<std::string, int> names;
    const int limit = 3;
    fixed &operator=(const fixed &) = delete;
    int next()
    {
        return limit;
    }
};

struct bound {
    struct pt pt;
    std::map<std::string, int> &names;
    int next()
    {
        return names.empty();
    }
};

PT_ASYNC(FRAME, self)
{
    PT_YIELD();
    self->next();
}
PT_END

void start(PT_TASK(FRAME) *task);
void start(PT_TASK(FRAME) *task)
{
    PT_INIT(&task->frame, FRAME KEEP);
}

int main(void)
{
    return 0;
}
#endif
