/* off.h - names of features that are off: a use stops the compilation, and says what to set
 * SPDX-License-Identifier: MIT
 *
 *     error: invalid application of 'sizeof' to incomplete type 'struct pt_pause_needs_PT_PAUSE_1'
 *
 * Set PT_PAUSE to 1 (config.h), in every file of the program. The last header of pt.h, so that the
 * others do not see these macros. scripts/off writes what stands between the two comments below. */
#ifndef PT_OFF_H
#define PT_OFF_H

#include "config.h"

/* --- implementation ------------------------------------------------------------------------ */

/* In place of a value or a statement, of the head of a block; PT_OFF_TYPE_, of the
 * tag of a type, is in config.h. */
#define PT_OFF_(name, needs) (sizeof(struct name##_needs_##needs))
#define PT_OFF_BLOCK_(name, needs) if (sizeof(struct name##_needs_##needs))

/* clang-format off */

#if !PT_HAS_TIMERS_
#define pt_list_add_sorted PT_OFF_(pt_list_add_sorted, PT_TIMERS_LIST)
#undef PT_NOW
#define PT_NOW(...) PT_OFF_(PT_NOW, PT_TIMERS_LIST)
#undef PT_WAIT
#define PT_WAIT(...) PT_OFF_(PT_WAIT, PT_TIMERS_LIST)
#undef PT_WAIT_DEADLINE
#define PT_WAIT_DEADLINE(...) PT_OFF_(PT_WAIT_DEADLINE, PT_TIMERS_LIST)
#define pt_ticks_policy PT_OFF_TYPE_(pt_ticks_policy, PT_TIMERS_LIST)
#define PT_TICKS_BURST PT_OFF_(PT_TICKS_BURST, PT_TIMERS_LIST)
#define PT_TICKS_DELAY PT_OFF_(PT_TICKS_DELAY, PT_TIMERS_LIST)
#define PT_TICKS_SKIP PT_OFF_(PT_TICKS_SKIP, PT_TIMERS_LIST)
#define pt_ticker PT_OFF_TYPE_(pt_ticker, PT_TIMERS_LIST)
#undef pt_ticker_start
#define pt_ticker_start(...) PT_OFF_(pt_ticker_start, PT_TIMERS_LIST)
#undef PT_WAIT_TICK
#define PT_WAIT_TICK(...) PT_OFF_(PT_WAIT_TICK, PT_TIMERS_LIST)
#define pt_alarm PT_OFF_TYPE_(pt_alarm, PT_TIMERS_LIST)
#endif

#if !(PT_TIMERS >= PT_TIMERS_HEAP)
#define pt_heap_entry PT_OFF_TYPE_(pt_heap_entry, PT_TIMERS_HEAP)
#define pt_heap PT_OFF_TYPE_(pt_heap, PT_TIMERS_HEAP)
#define pt_heap_init PT_OFF_(pt_heap_init, PT_TIMERS_HEAP)
#undef pt_heap_storage
#define pt_heap_storage(...) PT_OFF_(pt_heap_storage, PT_TIMERS_HEAP)
#define pt_heap_push PT_OFF_(pt_heap_push, PT_TIMERS_HEAP)
#define pt_heap_first PT_OFF_(pt_heap_first, PT_TIMERS_HEAP)
#define pt_heap_pop PT_OFF_(pt_heap_pop, PT_TIMERS_HEAP)
#define pt_heap_remove PT_OFF_(pt_heap_remove, PT_TIMERS_HEAP)
#define pt_heap_rekey PT_OFF_(pt_heap_rekey, PT_TIMERS_HEAP)
#define pt_heap_rebase PT_OFF_(pt_heap_rebase, PT_TIMERS_HEAP)
#define pt_heap_node PT_OFF_TYPE_(pt_heap_node, PT_TIMERS_HEAP)
#endif

#if !PT_CLEANUP
#undef PT_FINALLY
#define PT_FINALLY PT_OFF_BLOCK_(PT_FINALLY, PT_CLEANUP_1)
#define pt_close PT_OFF_(pt_close, PT_CLEANUP_1)
#endif

#if !PT_SUBGENERATORS
#undef PT_YIELD_FROM
#define PT_YIELD_FROM(...) PT_OFF_(PT_YIELD_FROM, PT_SUBGENERATORS_1)
#endif

#if !PT_TIMED_PARKS
#undef PT_PARK_FOR
#define PT_PARK_FOR(...) PT_OFF_(PT_PARK_FOR, PT_TIMED_PARKS_1)
#undef PT_PARK_DEADLINE
#define PT_PARK_DEADLINE(...) PT_OFF_(PT_PARK_DEADLINE, PT_TIMED_PARKS_1)
#endif

#if !PT_AWAIT
#undef PT_WAIT_COMPLETE
#define PT_WAIT_COMPLETE(...) PT_OFF_(PT_WAIT_COMPLETE, PT_AWAIT_1)
#undef PT_TRY
#define PT_TRY(...) PT_OFF_(PT_TRY, PT_AWAIT_1)
#endif

#if !PT_JOINS
#undef PT_JOIN
#define PT_JOIN(...) PT_OFF_(PT_JOIN, PT_JOINS_1)
#endif

#if !PT_CENSUS
#define pt_loop_ready PT_OFF_(pt_loop_ready, PT_CENSUS_1)
#define pt_loop_live PT_OFF_(pt_loop_live, PT_CENSUS_1)
#define pt_loop_current PT_OFF_(pt_loop_current, PT_CENSUS_1)
#endif

#if !PT_PAUSE
#define pt_pause PT_OFF_(pt_pause, PT_PAUSE_1)
#define pt_resume PT_OFF_(pt_resume, PT_PAUSE_1)
#define pt_task_paused PT_OFF_(pt_task_paused, PT_PAUSE_1)
#endif

#if !PT_POOLS
#define pt_pool PT_OFF_TYPE_(pt_pool, PT_POOLS_1)
#undef PT_POOL
#define PT_POOL(...) struct PT_OFF_TYPE_(PT_POOL, PT_POOLS_1)
#undef PT_SPAWN_FROM
#define PT_SPAWN_FROM(...) PT_OFF_(PT_SPAWN_FROM, PT_POOLS_1)
#undef PT_SPAWN_WHEN_FREE
#define PT_SPAWN_WHEN_FREE(...) PT_OFF_(PT_SPAWN_WHEN_FREE, PT_POOLS_1)
#undef PT_START_FROM
#define PT_START_FROM(...) PT_OFF_(PT_START_FROM, PT_POOLS_1)
#undef PT_LOOP
#define PT_LOOP(...) PT_OFF_(PT_LOOP, PT_POOLS_1)
#undef PT_FRAME
#define PT_FRAME(...) PT_OFF_(PT_FRAME, PT_POOLS_1)
#undef PT_OWNED_TASK
#define PT_OWNED_TASK(...) struct PT_OFF_TYPE_(PT_OWNED_TASK, PT_POOLS_1)
#undef PT_OWN
#define PT_OWN(...) PT_OFF_(PT_OWN, PT_POOLS_1)
#endif

#if !(PT_POOLS && PT_PORT)
#undef PT_SPAWN_NEW
#define PT_SPAWN_NEW(...) PT_OFF_(PT_SPAWN_NEW, PT_POOLS_1_and_PT_PORT_1)
#undef PT_START_NEW
#define PT_START_NEW(...) PT_OFF_(PT_START_NEW, PT_POOLS_1_and_PT_PORT_1)
#endif

#if !PT_CANCEL
#define pt_cancel PT_OFF_(pt_cancel, PT_CANCEL_1)
#endif

#if !PT_TIMEOUTS
#undef PT_WITH_TIMEOUT
#define PT_WITH_TIMEOUT(...) PT_OFF_BLOCK_(PT_WITH_TIMEOUT, PT_TIMEOUTS_1)
#undef PT_WITH_DEADLINE
#define PT_WITH_DEADLINE(...) PT_OFF_BLOCK_(PT_WITH_DEADLINE, PT_TIMEOUTS_1)
#undef PT_REARM
#define PT_REARM(...) PT_OFF_(PT_REARM, PT_TIMEOUTS_1)
#define pt_timed_out PT_OFF_(pt_timed_out, PT_TIMEOUTS_1)
#endif

#if !PT_GROUPS
#define pt_group_policy PT_OFF_TYPE_(pt_group_policy, PT_GROUPS_1)
#define PT_GROUP_ALL PT_OFF_(PT_GROUP_ALL, PT_GROUPS_1)
#define PT_GROUP_ALL_OR_NONE PT_OFF_(PT_GROUP_ALL_OR_NONE, PT_GROUPS_1)
#define PT_GROUP_FIRST PT_OFF_(PT_GROUP_FIRST, PT_GROUPS_1)
#define PT_GROUP_FIRST_SUCCESS PT_OFF_(PT_GROUP_FIRST_SUCCESS, PT_GROUPS_1)
#define pt_group PT_OFF_TYPE_(pt_group, PT_GROUPS_1)
#undef PT_WITH_GROUP
#define PT_WITH_GROUP(...) PT_OFF_BLOCK_(PT_WITH_GROUP, PT_GROUPS_1)
#undef PT_SPAWN_IN
#define PT_SPAWN_IN(...) PT_OFF_(PT_SPAWN_IN, PT_GROUPS_1)
#undef PT_ADOPT
#define PT_ADOPT(...) PT_OFF_(PT_ADOPT, PT_GROUPS_1)
#undef PT_JOIN_GROUP
#define PT_JOIN_GROUP(...) PT_OFF_(PT_JOIN_GROUP, PT_GROUPS_1)
#define pt_group_empty PT_OFF_(pt_group_empty, PT_GROUPS_1)
#define pt_group_cancel PT_OFF_(pt_group_cancel, PT_GROUPS_1)
#define pt_group_add PT_OFF_(pt_group_add, PT_GROUPS_1)
#endif

#if !(PT_TIMEOUTS || PT_GROUPS)
#define pt_local PT_OFF_TYPE_(pt_local, PT_TIMEOUTS_1)
#undef PT_WITH_LOCAL
#define PT_WITH_LOCAL(...) PT_OFF_BLOCK_(PT_WITH_LOCAL, PT_TIMEOUTS_1)
#define pt_task_local PT_OFF_(pt_task_local, PT_TIMEOUTS_1)
#undef PT_LOCAL
#define PT_LOCAL(...) PT_OFF_(PT_LOCAL, PT_TIMEOUTS_1)
#endif

#if !PT_REMOTE
#define pt_remote PT_OFF_TYPE_(pt_remote, PT_REMOTE_1)
#define pt_remote_open PT_OFF_(pt_remote_open, PT_REMOTE_1)
#define pt_remote_post PT_OFF_(pt_remote_post, PT_REMOTE_1)
#define pt_remote_close PT_OFF_(pt_remote_close, PT_REMOTE_1)
#undef PT_PREPARE
#define PT_PREPARE(...) PT_OFF_(PT_PREPARE, PT_REMOTE_1)
#define pt_remote_wake PT_OFF_(pt_remote_wake, PT_REMOTE_1)
#define pt_remote_spawn PT_OFF_(pt_remote_spawn, PT_REMOTE_1)
#define pt_remote_activate PT_OFF_(pt_remote_activate, PT_REMOTE_1)
#endif

#if !(PT_REMOTE || PT_WAKERS)
#define pt_waker PT_OFF_TYPE_(pt_waker, PT_WAKERS_1)
#define pt_loop_posted PT_OFF_(pt_loop_posted, PT_WAKERS_1)
#define pt_loop_shut PT_OFF_(pt_loop_shut, PT_WAKERS_1)
#define pt_waker_open PT_OFF_(pt_waker_open, PT_WAKERS_1)
#define pt_waker_aim PT_OFF_(pt_waker_aim, PT_WAKERS_1)
#define pt_waker_post PT_OFF_(pt_waker_post, PT_WAKERS_1)
#define pt_waker_close PT_OFF_(pt_waker_close, PT_WAKERS_1)
#endif

#if !(PT_PAUSE && PT_REMOTE)
#define pt_remote_pause PT_OFF_(pt_remote_pause, PT_PAUSE_1_and_PT_REMOTE_1)
#define pt_remote_resume PT_OFF_(pt_remote_resume, PT_PAUSE_1_and_PT_REMOTE_1)
#endif

#if !(PT_CANCEL && PT_REMOTE)
#define pt_remote_cancel PT_OFF_(pt_remote_cancel, PT_CANCEL_1_and_PT_REMOTE_1)
#endif

#if !(PT_REMOTE && PT_SYNC)
#define pt_foreign PT_OFF_TYPE_(pt_foreign, PT_REMOTE_1_and_PT_SYNC_1)
#define pt_foreign_done PT_OFF_(pt_foreign_done, PT_REMOTE_1_and_PT_SYNC_1)
#define pt_remote_set PT_OFF_(pt_remote_set, PT_REMOTE_1_and_PT_SYNC_1)
#define pt_remote_trigger PT_OFF_(pt_remote_trigger, PT_REMOTE_1_and_PT_SYNC_1)
#define pt_remote_release PT_OFF_(pt_remote_release, PT_REMOTE_1_and_PT_SYNC_1)
#endif

#if !PT_HAS_URGENT_
#define pt_task_set_urgent PT_OFF_(pt_task_set_urgent, PT_READY_URGENT)
#endif

#if !PT_SLOWMO
#define pt_loop_slow PT_OFF_(pt_loop_slow, PT_SLOWMO_1)
#endif

#if !(PT_HAS_TIMERS_ && PT_CENSUS)
#define pt_loop_update PT_OFF_(pt_loop_update, PT_TIMERS_LIST_and_PT_CENSUS_1)
#endif

#if !PT_PORT
#define pt_loop_open PT_OFF_(pt_loop_open, PT_PORT_1)
#define pt_loop_run PT_OFF_(pt_loop_run, PT_PORT_1)
#define pt_loop_close PT_OFF_(pt_loop_close, PT_PORT_1)
#endif

#if !(PT_GROUPS || (PT_CANCEL && PT_INSPECT) || (PT_CANCEL && PT_NESTING))
#define pt_loop_cancel PT_OFF_(pt_loop_cancel, PT_GROUPS_1)
#endif

#if !PT_NESTING
#define pt_loop_async PT_OFF_TYPE_(pt_loop_async, PT_NESTING_1)
#endif

#if !PT_SELECTS
#undef PT_SELECTION
#define PT_SELECTION(...) struct PT_OFF_TYPE_(PT_SELECTION, PT_SELECTS_1)
#undef PT_SELECT_NONE
#define PT_SELECT_NONE PT_OFF_(PT_SELECT_NONE, PT_SELECTS_1)
#undef pt_select_init
#define pt_select_init(...) PT_OFF_(pt_select_init, PT_SELECTS_1)
#undef PT_SELECT
#define PT_SELECT(...) PT_OFF_(PT_SELECT, PT_SELECTS_1)
#undef PT_SELECT_FROM
#define PT_SELECT_FROM(...) PT_OFF_(PT_SELECT_FROM, PT_SELECTS_1)
#undef PT_SELECT_NOW
#define PT_SELECT_NOW(...) PT_OFF_(PT_SELECT_NOW, PT_SELECTS_1)
#undef PT_SELECTED
#define PT_SELECTED(...) PT_OFF_(PT_SELECTED, PT_SELECTS_1)
#undef PT_CASE_IF
#define PT_CASE_IF(...) PT_OFF_(PT_CASE_IF, PT_SELECTS_1)
#undef PT_CASE_EVENT
#define PT_CASE_EVENT(...) PT_OFF_(PT_CASE_EVENT, PT_SELECTS_1)
#undef PT_CASE_ACQUIRE
#define PT_CASE_ACQUIRE(...) PT_OFF_(PT_CASE_ACQUIRE, PT_SELECTS_1)
#undef PT_CASE_LOCK
#define PT_CASE_LOCK(...) PT_OFF_(PT_CASE_LOCK, PT_SELECTS_1)
#undef PT_CASE_SEND
#define PT_CASE_SEND(...) PT_OFF_(PT_CASE_SEND, PT_SELECTS_1)
#undef PT_CASE_RECV
#define PT_CASE_RECV(...) PT_OFF_(PT_CASE_RECV, PT_SELECTS_1)
#undef PT_CASE_PUSH
#define PT_CASE_PUSH(...) PT_OFF_(PT_CASE_PUSH, PT_SELECTS_1)
#undef PT_CASE_POP
#define PT_CASE_POP(...) PT_OFF_(PT_CASE_POP, PT_SELECTS_1)
#undef PT_CASE_FLAGS
#define PT_CASE_FLAGS(...) PT_OFF_(PT_CASE_FLAGS, PT_SELECTS_1)
#undef PT_CASE_BROADCAST
#define PT_CASE_BROADCAST(...) PT_OFF_(PT_CASE_BROADCAST, PT_SELECTS_1)
#endif

#if !(PT_JOINS && PT_SELECTS)
#undef PT_CASE_JOIN
#define PT_CASE_JOIN(...) PT_OFF_(PT_CASE_JOIN, PT_JOINS_1_and_PT_SELECTS_1)
#endif

#if !(PT_HAS_TIMERS_ && PT_SELECTS)
#undef PT_CASE_AFTER
#define PT_CASE_AFTER(...) PT_OFF_(PT_CASE_AFTER, PT_TIMERS_LIST_and_PT_SELECTS_1)
#undef PT_CASE_UNTIL
#define PT_CASE_UNTIL(...) PT_OFF_(PT_CASE_UNTIL, PT_TIMERS_LIST_and_PT_SELECTS_1)
#endif

#if !PT_SYNC
#define pt_event PT_OFF_TYPE_(pt_event, PT_SYNC_1)
#define pt_event_init PT_OFF_(pt_event_init, PT_SYNC_1)
#undef PT_WAIT_EVENT
#define PT_WAIT_EVENT(...) PT_OFF_(PT_WAIT_EVENT, PT_SYNC_1)
#define pt_event_set PT_OFF_(pt_event_set, PT_SYNC_1)
#define pt_event_clear PT_OFF_(pt_event_clear, PT_SYNC_1)
#define pt_event_trigger PT_OFF_(pt_event_trigger, PT_SYNC_1)
#define pt_semaphore PT_OFF_TYPE_(pt_semaphore, PT_SYNC_1)
#define pt_semaphore_init PT_OFF_(pt_semaphore_init, PT_SYNC_1)
#undef PT_ACQUIRE
#define PT_ACQUIRE(...) PT_OFF_(PT_ACQUIRE, PT_SYNC_1)
#undef PT_SEM_WAIT
#define PT_SEM_WAIT(...) PT_OFF_(PT_SEM_WAIT, PT_SYNC_1)
#undef PT_SEM_SIGNAL
#define PT_SEM_SIGNAL(...) PT_OFF_(PT_SEM_SIGNAL, PT_SYNC_1)
#define pt_semaphore_release PT_OFF_(pt_semaphore_release, PT_SYNC_1)
#define pt_semaphore_try PT_OFF_(pt_semaphore_try, PT_SYNC_1)
#define pt_lock PT_OFF_TYPE_(pt_lock, PT_SYNC_1)
#define pt_lock_init PT_OFF_(pt_lock_init, PT_SYNC_1)
#define pt_lock_init_reentrant PT_OFF_(pt_lock_init_reentrant, PT_SYNC_1)
#undef PT_LOCK
#define PT_LOCK(...) PT_OFF_(PT_LOCK, PT_SYNC_1)
#undef PT_UNLOCK
#define PT_UNLOCK(...) PT_OFF_(PT_UNLOCK, PT_SYNC_1)
#undef PT_HOLDS
#define PT_HOLDS(...) PT_OFF_(PT_HOLDS, PT_SYNC_1)
#define pt_lock_try PT_OFF_(pt_lock_try, PT_SYNC_1)
#define pt_lock_release PT_OFF_(pt_lock_release, PT_SYNC_1)
#undef PT_LATEST
#define PT_LATEST(...) struct PT_OFF_TYPE_(PT_LATEST, PT_SYNC_1)
#undef pt_latest_set
#define pt_latest_set(...) PT_OFF_(pt_latest_set, PT_SYNC_1)
#undef PT_WAIT_LATEST
#define PT_WAIT_LATEST(...) PT_OFF_(PT_WAIT_LATEST, PT_SYNC_1)
#undef PT_BROADCAST
#define PT_BROADCAST(...) struct PT_OFF_TYPE_(PT_BROADCAST, PT_SYNC_1)
#define pt_subscriber PT_OFF_TYPE_(pt_subscriber, PT_SYNC_1)
#undef pt_broadcast_send
#define pt_broadcast_send(...) PT_OFF_(pt_broadcast_send, PT_SYNC_1)
#undef pt_subscribe
#define pt_subscribe(...) PT_OFF_(pt_subscribe, PT_SYNC_1)
#undef PT_WAIT_BROADCAST
#define PT_WAIT_BROADCAST(...) PT_OFF_(PT_WAIT_BROADCAST, PT_SYNC_1)
#endif

#if !PT_CHANNELS
#define pt_rwlock PT_OFF_TYPE_(pt_rwlock, PT_CHANNELS_1)
#define pt_rwlock_init PT_OFF_(pt_rwlock_init, PT_CHANNELS_1)
#undef PT_LOCK_SHARED
#define PT_LOCK_SHARED(...) PT_OFF_(PT_LOCK_SHARED, PT_CHANNELS_1)
#undef PT_LOCK_EXCLUSIVE
#define PT_LOCK_EXCLUSIVE(...) PT_OFF_(PT_LOCK_EXCLUSIVE, PT_CHANNELS_1)
#define pt_rwlock_release_shared PT_OFF_(pt_rwlock_release_shared, PT_CHANNELS_1)
#define pt_rwlock_release_exclusive PT_OFF_(pt_rwlock_release_exclusive, PT_CHANNELS_1)
#undef PT_UNLOCK_EXCLUSIVE
#define PT_UNLOCK_EXCLUSIVE(...) PT_OFF_(PT_UNLOCK_EXCLUSIVE, PT_CHANNELS_1)
#define pt_rwlock_try_shared PT_OFF_(pt_rwlock_try_shared, PT_CHANNELS_1)
#define pt_rwlock_try_exclusive PT_OFF_(pt_rwlock_try_exclusive, PT_CHANNELS_1)
#define pt_condition PT_OFF_TYPE_(pt_condition, PT_CHANNELS_1)
#define pt_condition_init PT_OFF_(pt_condition_init, PT_CHANNELS_1)
#undef PT_WAIT_CONDITION
#define PT_WAIT_CONDITION(...) PT_OFF_(PT_WAIT_CONDITION, PT_CHANNELS_1)
#define pt_condition_notify PT_OFF_(pt_condition_notify, PT_CHANNELS_1)
#define pt_condition_notify_all PT_OFF_(pt_condition_notify_all, PT_CHANNELS_1)
#define pt_preference PT_OFF_TYPE_(pt_preference, PT_CHANNELS_1)
#define PT_PREFER_NEITHER PT_OFF_(PT_PREFER_NEITHER, PT_CHANNELS_1)
#define PT_PREFER_RECEIVER PT_OFF_(PT_PREFER_RECEIVER, PT_CHANNELS_1)
#define PT_PREFER_SENDER PT_OFF_(PT_PREFER_SENDER, PT_CHANNELS_1)
#undef PT_CHANNEL
#define PT_CHANNEL(...) struct PT_OFF_TYPE_(PT_CHANNEL, PT_CHANNELS_1)
#define pt_channel_init PT_OFF_(pt_channel_init, PT_CHANNELS_1)
#undef PT_SEND
#define PT_SEND(...) PT_OFF_(PT_SEND, PT_CHANNELS_1)
#undef PT_RECV
#define PT_RECV(...) PT_OFF_(PT_RECV, PT_CHANNELS_1)
#undef PT_RECV_EACH
#define PT_RECV_EACH(...) PT_OFF_BLOCK_(PT_RECV_EACH, PT_CHANNELS_1)
#undef PT_TRY_SEND
#define PT_TRY_SEND(...) PT_OFF_(PT_TRY_SEND, PT_CHANNELS_1)
#undef PT_TRY_RECV
#define PT_TRY_RECV(...) PT_OFF_(PT_TRY_RECV, PT_CHANNELS_1)
#define pt_channel_close PT_OFF_(pt_channel_close, PT_CHANNELS_1)
#define pt_channel_balance PT_OFF_(pt_channel_balance, PT_CHANNELS_1)
#undef PT_QUEUE
#define PT_QUEUE(...) struct PT_OFF_TYPE_(PT_QUEUE, PT_CHANNELS_1)
#undef PT_QUEUE_INIT
#define PT_QUEUE_INIT(...) PT_OFF_(PT_QUEUE_INIT, PT_CHANNELS_1)
#define pt_queue_init PT_OFF_(pt_queue_init, PT_CHANNELS_1)
#undef PT_PUSH
#define PT_PUSH(...) PT_OFF_(PT_PUSH, PT_CHANNELS_1)
#undef PT_POP
#define PT_POP(...) PT_OFF_(PT_POP, PT_CHANNELS_1)
#undef PT_POP_EACH
#define PT_POP_EACH(...) PT_OFF_BLOCK_(PT_POP_EACH, PT_CHANNELS_1)
#undef PT_TRY_PUSH
#define PT_TRY_PUSH(...) PT_OFF_(PT_TRY_PUSH, PT_CHANNELS_1)
#undef PT_TRY_POP
#define PT_TRY_POP(...) PT_OFF_(PT_TRY_POP, PT_CHANNELS_1)
#define pt_queue_close PT_OFF_(pt_queue_close, PT_CHANNELS_1)
#define pt_flags PT_OFF_TYPE_(pt_flags, PT_CHANNELS_1)
#define PT_FLAGS_ANY PT_OFF_(PT_FLAGS_ANY, PT_CHANNELS_1)
#define PT_FLAGS_ALL PT_OFF_(PT_FLAGS_ALL, PT_CHANNELS_1)
#define PT_FLAGS_CLEAR PT_OFF_(PT_FLAGS_CLEAR, PT_CHANNELS_1)
#define pt_flags_wanted PT_OFF_TYPE_(pt_flags_wanted, PT_CHANNELS_1)
#define pt_flags_init PT_OFF_(pt_flags_init, PT_CHANNELS_1)
#undef PT_WAIT_FLAGS
#define PT_WAIT_FLAGS(...) PT_OFF_(PT_WAIT_FLAGS, PT_CHANNELS_1)
#define pt_flags_set PT_OFF_(pt_flags_set, PT_CHANNELS_1)
#define pt_flags_clear PT_OFF_(pt_flags_clear, PT_CHANNELS_1)
#define pt_barrier PT_OFF_TYPE_(pt_barrier, PT_CHANNELS_1)
#define pt_barrier_init PT_OFF_(pt_barrier_init, PT_CHANNELS_1)
#undef PT_WAIT_BARRIER
#define PT_WAIT_BARRIER(...) PT_OFF_(PT_WAIT_BARRIER, PT_CHANNELS_1)
#endif

#if !((PT_SYNC && PT_TIMEOUTS) || (PT_GROUPS && PT_SYNC))
#undef PT_WITH_LOCK
#define PT_WITH_LOCK(...) PT_OFF_BLOCK_(PT_WITH_LOCK, PT_SYNC_1_and_PT_TIMEOUTS_1)
#endif

#if !((PT_CHANNELS && PT_TIMEOUTS) || (PT_CHANNELS && PT_GROUPS))
#undef PT_WITH_SHARED
#define PT_WITH_SHARED(...) PT_OFF_BLOCK_(PT_WITH_SHARED, PT_CHANNELS_1_and_PT_TIMEOUTS_1)
#undef PT_WITH_EXCLUSIVE
#define PT_WITH_EXCLUSIVE(...) PT_OFF_BLOCK_(PT_WITH_EXCLUSIVE, PT_CHANNELS_1_and_PT_TIMEOUTS_1)
#endif

#if !(PT_CHANNELS && PT_REMOTE)
#undef PT_RING
#define PT_RING(...) struct PT_OFF_TYPE_(PT_RING, PT_CHANNELS_1_and_PT_REMOTE_1)
#undef PT_RING_OPEN
#define PT_RING_OPEN(...) PT_OFF_(PT_RING_OPEN, PT_CHANNELS_1_and_PT_REMOTE_1)
#undef PT_RING_PUT
#define PT_RING_PUT(...) PT_OFF_(PT_RING_PUT, PT_CHANNELS_1_and_PT_REMOTE_1)
#undef PT_RING_GET
#define PT_RING_GET(...) PT_OFF_(PT_RING_GET, PT_CHANNELS_1_and_PT_REMOTE_1)
#define pt_ring_lost PT_OFF_(pt_ring_lost, PT_CHANNELS_1_and_PT_REMOTE_1)
#define pt_ring_close PT_OFF_(pt_ring_close, PT_CHANNELS_1_and_PT_REMOTE_1)
#define pt_mail PT_OFF_TYPE_(pt_mail, PT_CHANNELS_1_and_PT_REMOTE_1)
#define pt_mailbox PT_OFF_TYPE_(pt_mailbox, PT_CHANNELS_1_and_PT_REMOTE_1)
#define pt_mailbox_open PT_OFF_(pt_mailbox_open, PT_CHANNELS_1_and_PT_REMOTE_1)
#define pt_mailbox_post PT_OFF_(pt_mailbox_post, PT_CHANNELS_1_and_PT_REMOTE_1)
#undef PT_RECV_MAIL
#define PT_RECV_MAIL(...) PT_OFF_(PT_RECV_MAIL, PT_CHANNELS_1_and_PT_REMOTE_1)
#undef PT_RECV_MAIL_EACH
#define PT_RECV_MAIL_EACH(...) PT_OFF_BLOCK_(PT_RECV_MAIL_EACH, PT_CHANNELS_1_and_PT_REMOTE_1)
#define pt_mailbox_try PT_OFF_(pt_mailbox_try, PT_CHANNELS_1_and_PT_REMOTE_1)
#define pt_mailbox_close PT_OFF_(pt_mailbox_close, PT_CHANNELS_1_and_PT_REMOTE_1)
#endif

#if !(PT_REMOTE && PT_SELECTS)
#undef PT_CASE_RING_GET
#define PT_CASE_RING_GET(...) PT_OFF_(PT_CASE_RING_GET, PT_REMOTE_1_and_PT_SELECTS_1)
#undef PT_CASE_RECV_MAIL
#define PT_CASE_RECV_MAIL(...) PT_OFF_(PT_CASE_RECV_MAIL, PT_REMOTE_1_and_PT_SELECTS_1)
#endif

#if !PT_INSPECT
#define pt_task_parent PT_OFF_(pt_task_parent, PT_INSPECT_1)
#define pt_loop_task PT_OFF_(pt_loop_task, PT_INSPECT_1)
#undef PT_TASK_STATE_TABLE
#define PT_TASK_STATE_TABLE(...) PT_OFF_(PT_TASK_STATE_TABLE, PT_INSPECT_1)
#define pt_task_state PT_OFF_TYPE_(pt_task_state, PT_INSPECT_1)
#define PT_TASK_IDLE PT_OFF_(PT_TASK_IDLE, PT_INSPECT_1)
#define PT_TASK_DONE PT_OFF_(PT_TASK_DONE, PT_INSPECT_1)
#define PT_TASK_RUNNING PT_OFF_(PT_TASK_RUNNING, PT_INSPECT_1)
#define PT_TASK_READY PT_OFF_(PT_TASK_READY, PT_INSPECT_1)
#define PT_TASK_SLEEPING PT_OFF_(PT_TASK_SLEEPING, PT_INSPECT_1)
#define PT_TASK_PARKED PT_OFF_(PT_TASK_PARKED, PT_INSPECT_1)
#define PT_TASK_WAITING PT_OFF_(PT_TASK_WAITING, PT_INSPECT_1)
#define PT_TASK_HELD PT_OFF_(PT_TASK_HELD, PT_INSPECT_1)
#define pt_task_doing PT_OFF_(pt_task_doing, PT_INSPECT_1)
#define pt_task_name PT_OFF_(pt_task_name, PT_INSPECT_1)
#define pt_task_rename PT_OFF_(pt_task_rename, PT_INSPECT_1)
#define pt_task_deadline PT_OFF_(pt_task_deadline, PT_INSPECT_1)
#define pt_print struct PT_OFF_TYPE_(pt_print, PT_INSPECT_1)
#define pt_dump_task PT_OFF_(pt_dump_task, PT_INSPECT_1)
#define pt_dump PT_OFF_(pt_dump, PT_INSPECT_1)
#define pt_choice_task PT_OFF_(pt_choice_task, PT_INSPECT_1)
#define pt_loop_observe PT_OFF_(pt_loop_observe, PT_INSPECT_1)
#define pt_loop_ignore PT_OFF_(pt_loop_ignore, PT_INSPECT_1)
#endif

#if !PT_TRACE
#undef PT_TRACE_CLOCK
#define PT_TRACE_CLOCK(...) PT_OFF_(PT_TRACE_CLOCK, PT_TRACE_1)
#undef PT_TRACE_TICKS_PER_SEC
#define PT_TRACE_TICKS_PER_SEC PT_OFF_(PT_TRACE_TICKS_PER_SEC, PT_TRACE_1)
#undef PT_TRACE_TABLE
#define PT_TRACE_TABLE(...) PT_OFF_(PT_TRACE_TABLE, PT_TRACE_1)
#define pt_trace_kind PT_OFF_TYPE_(pt_trace_kind, PT_TRACE_1)
#define PT_TRACE_NONE PT_OFF_(PT_TRACE_NONE, PT_TRACE_1)
#define PT_TRACE_RESUME PT_OFF_(PT_TRACE_RESUME, PT_TRACE_1)
#define PT_TRACE_SUSPEND PT_OFF_(PT_TRACE_SUSPEND, PT_TRACE_1)
#define PT_TRACE_AWAIT PT_OFF_(PT_TRACE_AWAIT, PT_TRACE_1)
#define PT_TRACE_RETURN PT_OFF_(PT_TRACE_RETURN, PT_TRACE_1)
#define PT_TRACE_WAKE PT_OFF_(PT_TRACE_WAKE, PT_TRACE_1)
#define PT_TRACE_SPAWN PT_OFF_(PT_TRACE_SPAWN, PT_TRACE_1)
#define PT_TRACE_TIMER PT_OFF_(PT_TRACE_TIMER, PT_TRACE_1)
#define PT_TRACE_POST PT_OFF_(PT_TRACE_POST, PT_TRACE_1)
#define PT_TRACE_POLL PT_OFF_(PT_TRACE_POLL, PT_TRACE_1)
#define PT_TRACE_END PT_OFF_(PT_TRACE_END, PT_TRACE_1)
#define PT_TRACE_NAME PT_OFF_(PT_TRACE_NAME, PT_TRACE_1)
#define PT_TRACE_TIME PT_OFF_(PT_TRACE_TIME, PT_TRACE_1)
#define PT_TRACE_LOST PT_OFF_(PT_TRACE_LOST, PT_TRACE_1)
#define PT_TRACE_HEAD PT_OFF_(PT_TRACE_HEAD, PT_TRACE_1)
#define PT_TRACE_RATE PT_OFF_(PT_TRACE_RATE, PT_TRACE_1)
#define PT_TRACE_STAMP PT_OFF_(PT_TRACE_STAMP, PT_TRACE_1)
#define PT_TRACE_ALIVE PT_OFF_(PT_TRACE_ALIVE, PT_TRACE_1)
#define PT_TRACE_SITE PT_OFF_(PT_TRACE_SITE, PT_TRACE_1)
#define PT_TRACE_MAP PT_OFF_(PT_TRACE_MAP, PT_TRACE_1)
#define PT_TRACE_PAGE PT_OFF_(PT_TRACE_PAGE, PT_TRACE_1)
#define PT_TRACE_BLOCK PT_OFF_(PT_TRACE_BLOCK, PT_TRACE_1)
#define pt_trace_event PT_OFF_TYPE_(pt_trace_event, PT_TRACE_1)
#define pt_trace_time struct PT_OFF_TYPE_(pt_trace_time, PT_TRACE_1)
#define pt_trace PT_OFF_TYPE_(pt_trace, PT_TRACE_1)
#define pt_trace_start PT_OFF_(pt_trace_start, PT_TRACE_1)
#define pt_trace_stop PT_OFF_(pt_trace_stop, PT_TRACE_1)
#define pt_trace_reader PT_OFF_TYPE_(pt_trace_reader, PT_TRACE_1)
#define pt_trace_read PT_OFF_(pt_trace_read, PT_TRACE_1)
#endif

#if !(PT_HAS_TIMERS_ && PT_TRACE)
#define pt_histogram PT_OFF_TYPE_(pt_histogram, PT_TIMERS_LIST_and_PT_TRACE_1)
#define pt_histogram_add PT_OFF_(pt_histogram_add, PT_TIMERS_LIST_and_PT_TRACE_1)
#define pt_histogram_quantile PT_OFF_(pt_histogram_quantile, PT_TIMERS_LIST_and_PT_TRACE_1)
#define pt_metrics PT_OFF_TYPE_(pt_metrics, PT_TIMERS_LIST_and_PT_TRACE_1)
#define pt_metrics_start PT_OFF_(pt_metrics_start, PT_TIMERS_LIST_and_PT_TRACE_1)
#define pt_metrics_stop PT_OFF_(pt_metrics_stop, PT_TIMERS_LIST_and_PT_TRACE_1)
#define pt_metrics_write PT_OFF_(pt_metrics_write, PT_TIMERS_LIST_and_PT_TRACE_1)
#define pt_named_metrics PT_OFF_TYPE_(pt_named_metrics, PT_TIMERS_LIST_and_PT_TRACE_1)
#define pt_metrics_write_all PT_OFF_(pt_metrics_write_all, PT_TIMERS_LIST_and_PT_TRACE_1)
#endif

#if !(PT_INSPECT && PT_PORT)
#define pt_watch PT_OFF_TYPE_(pt_watch, PT_INSPECT_1_and_PT_PORT_1)
#define pt_watch_start PT_OFF_(pt_watch_start, PT_INSPECT_1_and_PT_PORT_1)
#define pt_watch_stuck PT_OFF_(pt_watch_stuck, PT_INSPECT_1_and_PT_PORT_1)
#define pt_watch_report PT_OFF_(pt_watch_report, PT_INSPECT_1_and_PT_PORT_1)
#define pt_watch_stop PT_OFF_(pt_watch_stop, PT_INSPECT_1_and_PT_PORT_1)
#endif

#if !(PT_CHANNELS && PT_INSPECT)
#define pt_area PT_OFF_TYPE_(pt_area, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_piece PT_OFF_TYPE_(pt_piece, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_memory PT_OFF_TYPE_(pt_memory, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_memory_init PT_OFF_(pt_memory_init, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_memory_add PT_OFF_(pt_memory_add, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_kept PT_OFF_TYPE_(pt_kept, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_keep PT_OFF_(pt_keep, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_unkeep PT_OFF_(pt_unkeep, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_stuck PT_OFF_TYPE_(pt_stuck, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_stuck_found struct PT_OFF_TYPE_(pt_stuck_found, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_loop_find_stuck PT_OFF_(pt_loop_find_stuck, PT_CHANNELS_1_and_PT_INSPECT_1)
#define pt_dump_stuck PT_OFF_(pt_dump_stuck, PT_CHANNELS_1_and_PT_INSPECT_1)
#endif

/* clang-format on */

#endif
