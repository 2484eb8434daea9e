/* native.h - tasks with an ordinary function as their body: all operations
 * SPDX-License-Identifier: MIT
 *
 *     static pt_status chat(struct pt_native *self)
 *     {
 *         int number;
 *
 *         while (pt_native_recv(self, &numbers, &number) == PT_OK)
 *             if (pt_native_wait(self, PT_MS(number)) != PT_OK)
 *                 break;
 *         return PT_OK;
 *     }
 *
 *     PT_START(&loop, &task, pt_native, .function = chat, .stack = stack, .bytes = sizeof stack);
 *
 * pt_native is a resumable function like any other: it can be spawned, awaited, joined, canceled,
 * or be a generator. In its body locals survive waits, calls nest, and recursion works; the cost is
 * the stack.
 *
 * Every operation returns a code (pt_native_select, a statement, leaves it in self->pt.status): one
 * that the same operation has in a stackless body (task.h, lock.h, ...), or
 *
 *     the code given to pt_cancel   if the task was canceled: return. All blocks are closed
 *     PT_ETIMEDOUT                  if a block's deadline has passed: go to the end of that block;
 *                                   pt_native_timeout_end returns true. Its inner blocks are closed
 *     PT_ECANCELED                  if a group has decided: go to the end of that block
 *
 * An operation that need not wait, or that was given what it waited for, does its work and returns
 * its usual code. Every other operation takes nothing and returns the code above again, until the
 * body returns or the block ends. So a loop that stops at an unexpected code does stop, but a body
 * that ignores the codes never ends. A function that is awaited (pt_native_call) begins in any
 * case, and ends at its first wait: if it has none, the await returns the function's code; in a
 * cleanup, if a block of that cleanup is over, the code above. To wait nevertheless, begin a
 * cleanup:
 *
 *     status = serve(self, &io);
 *     pt_native_cleanup(self);                     from here on it can wait, as after PT_FINALLY
 *     pt_native_join(self, &helper.task);          the helper uses what is released below
 *     return status;
 *
 * In C++ an operation may wait in a catch block, or in a destructor that a throw runs: what is
 * caught stays with its task. An operation in a file that is compiled as C does not ensure that, so
 * a catch block must not call it. An exception that leaves a body ends the program
 * (std::terminate).
 *
 * The floating-point environment belongs to the thread: a body that changes its rounding must
 * restore it before it waits.
 *
 * Only the body that owns SELF may call an operation, on its own stack, directly or through
 * functions. With PT_DEBUG any other call that has to wait stops the program. */
#ifndef PT_STACK_NATIVE_H
#define PT_STACK_NATIVE_H

#include "fiber.h"
#include "../coroutine/frame.h"

#if PT_AWAIT && PT_CLEANUP && PT_HAS_LOOP_
#include "native_block.h"
#include "native_channel.h"
#include "native_select.h"
#include "native_sync.h"
#include "native_task.h"
#else /* a use says what to set: base/off.h */
#define pt_native PT_OFF_TYPE_(pt_native, PT_AWAIT_1_and_PT_CLEANUP_1_and_PT_JOINS_1)
#endif

#endif
