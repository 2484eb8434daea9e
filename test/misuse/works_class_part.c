/* works_class_part.c - a frame of C++ in a task or a pool, with the features of a part: task and frame are one
 * SPDX-License-Identifier: MIT
 * expect output c++ -DPT_ALL=0 -DPT_POOLS=1: 5 5 5 5 5 5; 8 of 8 are gone
 * expect output c++ -DPT_ALL=0 -DPT_POOLS=1 -DPT_DEBUG=1: 5 5 5 5 5 5; 8 of 8 are gone
 * expect output c++: 5 5 5 5 5 5; 8 of 8 are gone */
#define _POSIX_C_SOURCE 200809L
#include <pt/posix.h>

#include <stdio.h>
#ifdef __cplusplus
#include <type_traits>

static int made, gone;

struct name {
    const struct name *self;

    name() : self(this)
    {
        made++;
    }
    name(const name &) = delete;
    ~name()
    {
        gone += self == this;
    }
};

struct blink {
    struct pt pt;
    int pin = 5;
    int left;
};

struct greet {
    struct pt pt;
    struct name name;
    int pin = 5;
};

static_assert(std::is_trivially_destructible<PT_TASK(blink)>::value, "nothing is registered for exit");

static PT_ASYNC(blink, self)
{
    for (; self->left > 0; self->left--)
        PT_YIELD();
    printf("%d ", self->pin);
    self->pin = 6;
}
PT_END

static PT_ASYNC(greet, self)
{
    PT_YIELD();
    printf("%d%s", self->name.self == &self->name ? self->pin : 0, gone < 4 ? " " : "; ");
    self->pin = 6;
}
PT_END

static PT_TASK(blink) task;
static struct pt_loop loop;

static int turns(pt_status started)
{
    pt_loop_turn(&loop, 0);
    pt_loop_turn(&loop, 0);
    return started == PT_OK;
}

static int run(void)
{
    PT_TASK(greet) local{};
    PT_POOL(greet, 3) pool{};
    int well = 0;

    for (int i = 0; i < 2; i++) {
        well += turns(PT_START(&loop, &task, blink, .left = 1));
        well += turns(PT_START(&loop, &local, greet));
        well += turns(PT_START_FROM(&loop, &pool, greet));
    }
    return well == 6;
}

int main(void)
{
    static PT_LOOP_STORAGE(4) storage;
    int well;

    pt_loop_init(&loop, 0);
    pt_loop_use(&loop, &storage);
    well = run();
    printf("%d of %d are gone\n", gone, made);
    return !well;
}
#endif
