/* classic.h - words of classic protothreads that pt does not have: a use says what to write
 * SPDX-License-Identifier: MIT
 *
 * A program that stays as it is includes the classic pt.h instead: pt/classic. */
#ifndef PT_COROUTINE_CLASSIC_H
#define PT_COROUTINE_CLASSIC_H

#include "../base/compiler.h"

/* PT_THREAD(f(struct pt *pt)) - refused by the compiler: PT_ASYNC(f, self), with a struct f */
#define PT_THREAD(...) PT_NO_SUCH_TYPE_(PT_THREAD_is_classic_use_PT_ASYNC_and_PT_END) __VA_ARGS__

/* PT_BEGIN(pt), PT_RESTART(pt), PT_EXIT(pt) - refused by the compiler
 * PT_ASYNC begins a body; a loop around the body restarts it; PT_RETURN(code) ends it. */
#define PT_BEGIN(...) PT_NO_SUCH_("PT_BEGIN: use PT_ASYNC(name, self) { ... } PT_END")
#define PT_RESTART(...) PT_NO_SUCH_("PT_RESTART: put a loop around the body")
#define PT_EXIT(...) PT_NO_SUCH_("PT_EXIT: use PT_RETURN(PT_OK)")

/* PT_WAIT_WHILE(pt, c), PT_YIELD_UNTIL(pt, c) - refused by the compiler, as PT_WAIT_UNTIL is */
#define PT_WAIT_WHILE(...) PT_NO_SUCH_("PT_WAIT_WHILE: " PT_NO_POLL_)
#define PT_YIELD_UNTIL(...) PT_NO_SUCH_("PT_YIELD_UNTIL: " PT_NO_POLL_)

/* PT_WAIT_THREAD(pt, f(&child)), PT_SCHEDULE(f(&pt)) - refused by the compiler
 * PT_WAIT_COMPLETE awaits a function, PT_JOIN a task. A loop makes the calls: pt_task_alive tells
 * whether a task has ended. */
#define PT_WAIT_THREAD(...) PT_NO_SUCH_("PT_WAIT_THREAD: " PT_NO_THREAD_)
#define PT_SCHEDULE(...) PT_NO_SUCH_VALUE_(PT_SCHEDULE_is_classic_use_PT_START_and_pt_loop_turn)

/* --- implementation ------------------------------------------------------------------------ */

#define PT_NO_POLL_ "use PT_WAIT_EVENT, or PT_PARK in a loop and pt_wake"
#define PT_NO_THREAD_ "use PT_WAIT_COMPLETE, or PT_SPAWN and PT_JOIN"

/* As PT_NO_SUCH_, where no statement can stand: the compiler prints the name of a struct. */
#define PT_NO_SUCH_VALUE_(name) (sizeof(struct name))
#if defined(__GNUC__) || defined(__clang__)
#define PT_NO_SUCH_TYPE_(name) __attribute__((__aligned__(sizeof(struct name)))) char
#else
#define PT_NO_SUCH_TYPE_(name) struct name
#endif

#endif
