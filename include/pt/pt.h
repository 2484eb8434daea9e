/* pt.h - all of the portable core: this one header is enough for firmware
 * SPDX-License-Identifier: MIT */
#ifndef PT_H
#define PT_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic push /* base/compiler.h: PT_QUIET_OPEN_ */
#endif
#include "base/compiler.h" /* languages and compilers */
PT_QUIET_
#include "base/version.h"        /* the version of pt */
#include "base/strict.h"         /* what makes a mistake a compile error */
#include "base/config.h"         /* every knob */
#include "base/status.h"         /* codes */
#include "base/ticks.h"          /* time */
#include "base/units.h"          /* seconds as ticks */
#include "base/fields.h"         /* .field = value */
#include "base/critical.h"       /* interrupts off, for a moment */
#include "base/atomic.h"         /* words shared with threads and interrupts */
#include "base/port.h"           /* clock, idle step, memory */
#include "base/same_knobs.h"     /* files with different knobs do not link */
#include "queue/list.h"          /* nodes, two lists of them, a list of timers */
#include "queue/wait_list.h"     /* tasks that are all woken at once */
#include "queue/wait_queue.h"    /* tasks that are woken one by one */
#include "queue/heap.h"          /* a heap in an array */
#include "queue/heap_linked.h"   /* a heap linked through its nodes */
#include "queue/timers.h"        /* the timer queue: one of four */
#include "queue/ready_list.h"    /* ready tasks in a list */
#include "queue/ready_ring.h"    /* ready tasks in a ring */
#include "queue/ready.h"         /* the ready queue: one of these two */
#include "queue/ready_order.h"   /* the order of its tasks, for observers */
#include "coroutine/layout.h"    /* a task and its frame as one */
#include "coroutine/frame.h"     /* six instructions, and the structs */
#include "coroutine/cleaning.h"  /* how many cleanups a frame runs in */
#include "coroutine/checks.h"    /* what a debug build adds to a body */
#include "coroutine/suspend.h"   /* the switch over labels */
#include "coroutine/bare.h"      /* a label and nothing else: one byte */
#include "coroutine/coroutine.h" /* resumable functions */
#include "coroutine/generator.h" /* functions that yield values, without a loop */
#include "coroutine/state.h"     /* the life of a task */
#include "coroutine/clock.h"     /* the time, and to sleep */
#include "coroutine/park.h"      /* to stop until a wake */
#include "coroutine/task.h"      /* tasks beside this one, functions in its place */
#include "coroutine/classic.h"   /* classic words: what to write instead */
#include "loop/loop.h"           /* the loop, and what it knows */
#include "loop/observer.h"       /* who watches it */
#include "loop/storage.h"        /* room for its tasks */
#include "loop/reading.h"        /* when it reads the clock */
#include "loop/timer.h"          /* the one timer of a task */
#include "loop/wake.h"           /* spawned, woken, paused, resumed */
#include "loop/complete.h"       /* a wait is over */
#include "loop/cases.h"          /* ... of a select: its cases */
#include "loop/pool.h"           /* storage that comes back */
#include "scope/scope.h"         /* blocks that something else can end */
#include "scope/cancel.h"        /* canceled */
#include "scope/timeout.h"       /* timed out */
#include "scope/group.h"         /* tasks that belong together */
#include "scope/local.h"         /* values that belong to a task */
#include "scope/tree.h"          /* all tasks of a loop */
#include "scope/unwind.h"        /* cleanups run, the task ends */
#include "run/inbox.h"           /* what was posted to it */
#include "run/remote.h"          /* from threads and interrupts */
#include "run/waker.h"           /* from an interrupt, by a mark */
#include "run/foreign.h"         /* code that calls back */
#include "run/await.h"           /* frames that await frames */
#include "run/urgent.h"          /* which task is next */
#include "run/interpreter.h"     /* what each instruction does */
#include "run/watched.h"         /* the same, with observers */
#include "run/slow.h"            /* in slow motion */
#include "run/turn.h"            /* a turn */
#include "run/update.h"          /* the time moves on in it */
#include "run/fast.h"            /* shortcuts of a PC */
#include "run/run.h"             /* turns and sleeps */
#include "run/nest.h"            /* a loop in a task of another */
#include "sync/select.h"         /* whichever comes first */
#include "sync/event.h"          /* wait until something happens */
#include "sync/semaphore.h"      /* units to take */
#include "sync/rwlock.h"         /* read together, write alone */
#include "sync/lock.h"           /* locks, and conditions for both kinds */
#include "sync/held.h"           /* blocks that hold a lock */
#include "sync/transfer.h"       /* what channels and queues share */
#include "sync/channel.h"        /* values from task to task */
#include "sync/queue.h"          /* the same, with a buffer */
#include "sync/flags.h"          /* wait for any or all of some bits */
#include "sync/barrier.h"        /* tasks wait for one another */
#include "sync/broadcast.h"      /* one sends to many */
#include "sync/ring.h"           /* values from an interrupt */
#include "sync/mailbox.h"        /* messages from any thread */
#include "sync/ticker.h"         /* periods and alarms */
#include "ports/board.h"         /* the main loop of firmware */
#include "ports/random.h"        /* random numbers from a seed */
#include "ports/virtual.h"       /* a clock that jumps */
#include "base/off.h"            /* names of features that are off */
PT_QUIET_CLOSE_

/* From here on, bodies are the user's: strict.h. */
#undef PT_STRICT_SYSTEM_
#define PT_STRICT_SYSTEM_ PT_STRICT_INSTALLED_

#endif
