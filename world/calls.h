/* calls.h - the calls of the C library that the simulator has, by the file that has them
 * SPDX-License-Identifier: MIT
 *
 * In a program, world/link renames each function of the C library to call_NAME, unless `pure` lists
 * it. A function that is neither there nor here stops the world at its first call. */
#ifndef WORLD_CALLS_H
#define WORLD_CALLS_H

#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *__tls_get_addr(void *index); /* which the compiler's code calls */

/* Each is declared with the type that the C library gives it. */
#define CALL_(name) extern __typeof__(name) call_##name;

/* clang-format off */
#define DESCRIPTORS_CALLS(X) \
    X(close) X(dup) X(dup2) X(dup3) X(fcntl) X(getrlimit) X(read) X(readv) X(setrlimit) X(write) X(writev)

#define DISK_CALLS(X) \
    X(chmod) X(fchmod) X(fchown) X(fdatasync) X(fstat) X(fsync) X(ftruncate) X(lseek) X(lstat) X(open) X(pread) \
    X(pwrite) X(rename) X(stat) X(unlink)

#define SOCKET_CALLS(X) \
    X(accept) X(accept4) X(bind) X(connect) X(getpeername) X(getsockname) X(getsockopt) \
    X(listen) X(setsockopt) X(shutdown) X(socket)

#define TRANSFER_CALLS(X) \
    X(recv) X(recvfrom) X(recvmsg) X(send) X(sendfile) X(sendmsg) X(sendto)

#define PIPE_CALLS(X) X(eventfd) X(pipe) X(pipe2)

#define UNIX_CALLS(X) X(socketpair)

#define EPOLL_CALLS(X) \
    X(epoll_create1) X(epoll_ctl) X(epoll_pwait) X(epoll_pwait2) X(epoll_wait) X(poll) X(ppoll)

#define CLOCK_CALLS(X) \
    X(clock_gettime) X(clock_nanosleep) X(gettimeofday) X(nanosleep) X(sleep) X(time) X(usleep)

#define MEMORY_CALLS(X) X(calloc) X(free) X(madvise) X(malloc) X(mmap) X(mprotect) X(munmap) X(realloc) X(strdup)

#define CONSOLE_CALLS(X) \
    X(dprintf) X(isatty) X(perror) X(printf) X(putchar) X(puts) X(stderr) X(stdout) X(vprintf)

#define SIGNALS_CALLS(X) \
    X(pthread_sigmask) X(raise) X(sigaction) X(sigaltstack) X(signal) X(sigpending) X(sigprocmask)

#define KILL_CALLS(X) \
    X(kill) X(pause) X(pthread_kill) X(sigsuspend) X(sigtimedwait) X(sigwait) X(sigwaitinfo)

#define JUMP_CALLS(X) X(__sigsetjmp) X(_setjmp) X(longjmp) X(siglongjmp)

#define LOCALS_CALLS(X) X(__tls_get_addr)

#define PTHREAD_CALLS(X) \
    X(pthread_create) X(pthread_detach) X(pthread_exit) X(pthread_getattr_np) X(pthread_getspecific) X(pthread_join) \
    X(pthread_key_create) X(pthread_key_delete) X(pthread_once) X(pthread_self) X(pthread_setname_np) \
    X(pthread_setspecific) X(sched_yield)

#define LOCKS_CALLS(X) \
    X(pthread_cond_broadcast) X(pthread_cond_clockwait) X(pthread_cond_destroy) X(pthread_cond_init) \
    X(pthread_cond_signal) X(pthread_cond_timedwait) X(pthread_cond_wait) \
    X(pthread_mutex_destroy) X(pthread_mutex_lock) X(pthread_mutex_timedlock) X(pthread_mutex_trylock) \
    X(pthread_mutex_unlock) \
    X(pthread_rwlock_destroy) X(pthread_rwlock_init) X(pthread_rwlock_rdlock) X(pthread_rwlock_tryrdlock) \
    X(pthread_rwlock_trywrlock) X(pthread_rwlock_unlock) X(pthread_rwlock_wrlock)

#define SEMAPHORES_CALLS(X) \
    X(sem_destroy) X(sem_getvalue) X(sem_init) X(sem_post) X(sem_timedwait) X(sem_trywait) X(sem_wait) X(syscall)

#define PROCESS_CALLS(X) \
    X(abort) X(backtrace) X(backtrace_symbols_fd) X(environ) X(exit) X(_exit) X(getenv) X(getpid) X(getppid) \
    X(getrandom) X(getrusage) X(pthread_atfork) X(sysconf)

#define SPAWN_CALLS(X) \
    X(posix_spawn) X(posix_spawnp) X(posix_spawn_file_actions_addclose) \
    X(posix_spawn_file_actions_addclosefrom_np) X(posix_spawn_file_actions_adddup2) \
    X(posix_spawn_file_actions_addopen) X(posix_spawn_file_actions_destroy) X(posix_spawn_file_actions_init)

#define CHILD_CALLS(X) X(wait) X(waitid) X(waitpid)
/* clang-format on */

DESCRIPTORS_CALLS(CALL_)
DISK_CALLS(CALL_)
SOCKET_CALLS(CALL_)
TRANSFER_CALLS(CALL_)
PIPE_CALLS(CALL_)
UNIX_CALLS(CALL_)
EPOLL_CALLS(CALL_)
CLOCK_CALLS(CALL_)
MEMORY_CALLS(CALL_)
CONSOLE_CALLS(CALL_)
SIGNALS_CALLS(CALL_)
KILL_CALLS(CALL_)
JUMP_CALLS(CALL_)
LOCALS_CALLS(CALL_)
PTHREAD_CALLS(CALL_)
LOCKS_CALLS(CALL_)
SEMAPHORES_CALLS(CALL_)
PROCESS_CALLS(CALL_)
SPAWN_CALLS(CALL_)
CHILD_CALLS(CALL_)

#undef CALL_
#endif
