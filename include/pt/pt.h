/* pt.h - all of the portable core: this one header is enough for firmware
 * SPDX-License-Identifier: MIT */
#ifndef PT_H
#define PT_H

#include "compiler.h"    /* languages and compilers */
#include "version.h"     /* which pt this is */
#include "config.h"      /* every knob */
#include "status.h"      /* codes */
#include "ticks.h"       /* time */
#include "list.h"        /* queues that know nothing of tasks */
#include "waits.h"       /* those who wait, and may leave */
#include "heap.h"        /* a heap in an array */
#include "pairing.h"     /* a heap linked through its nodes */
#include "timers.h"      /* the timer queue: list or heap */
#include "ready.h"       /* the ready queue: list or ring */
#include "opcode.h"      /* six instructions */
#include "label.h"       /* where to go on: one byte */
#include "frame.h"       /* the two structs */
#include "backend.h"     /* the same bodies on stacks of their own */
#include "fields.h"      /* .field = value */
#include "coroutine.h"   /* resumable functions */
#include "task.h"        /* what a body asks of its loop */
#include "critical.h"    /* without interrupts */
#include "atomic.h"      /* with threads and interrupts */
#include "port.h"        /* clock, idle, memory */
#include "loop.h"        /* the loop, and what it knows */
#include "storage.h"     /* room for its tasks */
#include "wake.h"        /* spawned, woken, paused, resumed */
#include "scope.h"       /* blocks that end early */
#include "interrupt.h"   /* cancelled, timed out, unwound */
#include "group.h"       /* tasks that belong together */
#include "select.h"      /* whichever comes first */
#include "remote.h"      /* from threads and interrupts */
#include "interpreter.h" /* what each instruction does */
#include "turn.h"        /* what is ready, once */
#include "run.h"         /* a loop on a port */
#include "inspect.h"     /* who waits for what */
#include "dump.h"        /* a picture of that */
#include "observe.h"     /* told of each step */
#include "pool.h"        /* storage that comes back */
#include "nest.h"        /* a loop in a loop */
#include "event.h"       /* something happens */
#include "sync.h"        /* semaphores, locks, conditions */
#include "pass.h"        /* a value on its way */
#include "channel.h"     /* from one task to another */
#include "queue.h"       /* by way of a store */
#include "flags.h"       /* any or all of some bits */
#include "barrier.h"     /* all together */
#include "rwlock.h"      /* read together, write alone */
#include "news.h"        /* one tells many */
#include "ring.h"        /* from an interrupt */
#include "mailbox.h"     /* messages from any thread */
#include "ticker.h"      /* every so often */
#include "local.h"       /* what a task carries with it */
#include "random.h"      /* chance, seeded */
#include "virtual.h"     /* a clock that jumps */

#if defined(__GNUC__) && !defined(__clang__) && !defined(__cplusplus)
#undef PT_STRICT_SYSTEM_
#define PT_STRICT_SYSTEM_ PT_PRAGMA_(GCC diagnostic warning "-Wsystem-headers")
#endif

#endif
