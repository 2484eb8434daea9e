/* pt.h - all of the portable core: this one header is enough for firmware
 * SPDX-License-Identifier: MIT */
#ifndef PT_H
#define PT_H

#include "base/compiler.h"       /* languages and compilers */
#include "base/version.h"        /* which pt this is */
#include "base/config.h"         /* every knob */
#include "base/status.h"         /* codes */
#include "base/ticks.h"          /* time */
#include "queue/list.h"          /* queues that know nothing of tasks */
#include "queue/wait_list.h"     /* tasks that are woken all at once */
#include "queue/wait_queue.h"    /* tasks that are woken one by one */
#include "queue/heap.h"          /* a heap in an array */
#include "queue/pairing.h"       /* a heap linked through its nodes */
#include "queue/timers.h"        /* the timer queue: list or heap */
#include "queue/ready.h"         /* the ready queue: list or ring */
#include "coroutine/opcode.h"    /* six instructions */
#include "coroutine/label.h"     /* where to go on: one byte */
#include "coroutine/frame.h"     /* the two structs */
#include "coroutine/backend.h"   /* the same bodies on stacks of their own */
#include "base/fields.h"         /* .field = value */
#include "coroutine/coroutine.h" /* resumable functions */
#include "coroutine/task.h"      /* what a body asks of its loop */
#include "base/critical.h"       /* without interrupts */
#include "base/atomic.h"         /* with threads and interrupts */
#include "base/port.h"           /* clock, idle, memory */
#include "loop/loop.h"           /* the loop, and what it knows */
#include "loop/storage.h"        /* room for its tasks */
#include "loop/wake.h"           /* spawned, woken, paused, resumed */
#include "loop/scope.h"          /* blocks that end early */
#include "loop/interrupt.h"      /* cancelled, timed out, unwound */
#include "loop/group.h"          /* tasks that belong together */
#include "loop/select.h"         /* whichever comes first */
#include "loop/remote.h"         /* from threads and interrupts */
#include "loop/interpreter.h"    /* what each instruction does */
#include "loop/turn.h"           /* what is ready, once */
#include "loop/run.h"            /* a loop on a port */
#include "inspect/inspect.h"     /* who waits for what */
#include "inspect/dump.h"        /* a picture of that */
#include "inspect/observe.h"     /* told of each step */
#include "loop/pool.h"           /* storage that comes back */
#include "loop/nest.h"           /* a loop in a loop */
#include "sync/event.h"          /* something happens */
#include "sync/sync.h"           /* semaphores, locks, conditions */
#include "sync/transfer.h"       /* a value on its way */
#include "sync/channel.h"        /* from one task to another */
#include "sync/queue.h"          /* by way of a store */
#include "sync/flags.h"          /* any or all of some bits */
#include "sync/barrier.h"        /* all together */
#include "sync/rwlock.h"         /* read together, write alone */
#include "sync/broadcast.h"      /* one tells many */
#include "sync/ring.h"           /* from an interrupt */
#include "sync/mailbox.h"        /* messages from any thread */
#include "sync/ticker.h"         /* every so often */
#include "sync/local.h"          /* what a task carries with it */
#include "base/random.h"         /* chance, seeded */
#include "ports/virtual.h"       /* a clock that jumps */

#if defined(__GNUC__) && !defined(__clang__) && !defined(__cplusplus)
#undef PT_STRICT_SYSTEM_
#define PT_STRICT_SYSTEM_ PT_PRAGMA_(GCC diagnostic warning "-Wsystem-headers")
#endif

#endif
