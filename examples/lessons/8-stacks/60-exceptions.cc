/* 60-exceptions.cc - C++: a catch block that waits, on a stack of its own
 * SPDX-License-Identifier: MIT
 *
 * Exceptions work in native tasks and fibers, also while a catch block is left for a time.
 *
 *     pt_fiber_switch_caught   pt_fiber_switch out of a catch block
 *     pt_copied_switch_caught  pt_copied_switch out of a catch block
 *
 * What to notice:
 *   - The C++ runtime has one record per thread of the exceptions that are caught now. A native
 *     operation that waits saves it: after the wait, `throw;` still throws the task's own
 *     exception.
 *   - pt_fiber_switch and pt_copied_switch do not save it, because that takes time. In a catch
 *     block use the switches above.
 *   - An exception must not leave a body: there is no caller that could catch it.
 *
 * Try: leave by pt_fiber_switch instead, and build with -DPT_DEBUG=1. What does pt report? */
#include <pt/fiber.h>
#include <pt/native.h>
#include <pt/stack/copied.h>
#include <pt/posix.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

static pt_status fail(pt_native *self)
{
    const char *name = static_cast<const char *>(self->argument);

    try {
        try {
            throw std::runtime_error(name);
        } catch (const std::runtime_error &) {
            pt_native_wait(self, name[0] == 'A' ? PT_MS(2) : PT_MS(1));
            throw;
        }
    } catch (const std::runtime_error &error) {
        std::printf("%s has caught %s\n", name, error.what());
    }
    return PT_OK;
}

static pt_fiber root;
static pt_copied first, second; /* on one stack: each leaves from its own catch block */

static void leave(pt_fiber *self)
{
    try {
        throw self == &first.fiber ? 1 : 2;
    } catch (int number) {
        if (number == 1)
            pt_copied_switch_caught(self, &second);
        else
            pt_fiber_switch_caught(self, &root);
        std::printf("fiber %d continues\n", number);
    }
}

static void *resize(void *, void *block, std::size_t bytes)
{
    return bytes ? std::realloc(block, bytes) : (std::free(block), nullptr);
}

int main()
{
    static char names[2][4] = {"Ann", "Bob"}, stacks[2][64 << 10],
                area[PT_COPIED_MOVER + (64 << 10)];
    static PT_TASK(pt_native) tasks[2];
    pt_copied_stack shared;
    pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    for (int i = 0; i < 2; i++)
        PT_START(&loop, &tasks[i], pt_native, .function = fail, .argument = names[i],
                 .stack = stacks[i], .bytes = sizeof stacks[i]);
    pt_loop_run(&loop);
    pt_loop_close(&loop);

    pt_fiber_root(&root);
    pt_copied_stack_init(&shared, area, sizeof area, resize, nullptr);
    pt_copied_init(&first, &shared, &root, leave, nullptr);
    pt_copied_init(&second, &shared, &root, leave, nullptr);
    for (int i = 0; i < 3; i++)
        pt_copied_switch(&root, i < 2 ? &first : &second);
    pt_copied_close(&first);
    pt_copied_close(&second);
    pt_copied_stack_close(&shared);
}
