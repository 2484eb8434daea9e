/* overflow.c - report a fault in the guard of a stack, with the name of the stack
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include "../fork.h"
#include "stack.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* An access to a guard page raises one of these signals. */
static const int signals[] = {SIGSEGV, SIGBUS};
enum { SIGNALS = sizeof signals / sizeof signals[0], ALTERNATE = 64 << 10 };

static struct sigaction before[SIGNALS];
static bool installed;
static __thread void *alternate;

/* A fault in a guard. */
struct fault {
    const struct pt_stack_top_ *top; /* of the stack with the guard; NULL: it is in no guard */
    size_t bytes;                    /* of that stack */
    bool low; /* lower half of the guard, above another stack, which may have been overrun upward */
};

/* Find the guard that ADDRESS lies in. */
static struct fault look_up(const char *address)
{
    struct fault fault = {NULL, 0, false};
    struct pt_stacks *stacks = __atomic_load_n(&pt_all_stacks_, __ATOMIC_ACQUIRE);

    for (; stacks; stacks = stacks->next) {
        struct pt_stack_block_ *block = __atomic_load_n(&stacks->blocks, __ATOMIC_ACQUIRE);

        for (; stacks->guard && block; block = block->next) {
            const char *first = (const char *)block + block->first;
            size_t offset = (size_t)(address - first);

            if (address < first || offset >= block->count * stacks->stride ||
                offset % stacks->stride >= stacks->guard)
                continue;
            fault.top = top_of(stacks, block, offset / stacks->stride);
            fault.bytes = stacks->bytes;
            fault.low = offset >= stacks->stride && offset % stacks->stride < stacks->guard / 2;
            return fault;
        }
    }
    return fault;
}

static void say(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

    (void)ignored;
}

static void say_number(size_t number)
{
    char digits[24], *at = digits + sizeof digits - 1;

    *at = '\0';
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    say(at);
}

/* The name of the stack below is not reported: a write past its upper end has overwritten it. */
static void report(const struct fault *fault)
{
    say("pt: stack overflow: ");
    say(fault->top->name ? fault->top->name : "a fiber without a name");
    say(" has ");
    say_number(fault->bytes);
    say(" bytes\n");
    if (fault->low)
        say("pt: or the stack below it was written past its upper end\n");
}

/* Whether the signal was sent (raise, kill, sigqueue): then there is no fault, now or later. */
static bool sent(const siginfo_t *info)
{
    return info->si_code <= 0 || info->si_code == SI_USER;
}

/* Call the program's previous handler as the system would have; false if there was none. */
static bool pass_on(struct sigaction *old, int signal, siginfo_t *info, void *machine)
{
    struct sigaction action = *old;
    sigset_t mask, kept;

    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
        return false;
    if (action.sa_flags & (int)SA_RESETHAND) {
        old->sa_handler = SIG_DFL;
        old->sa_flags &= ~SA_SIGINFO;
    }
    mask = action.sa_mask;
    sigaddset(&mask, signal);
    pthread_sigmask(SIG_BLOCK, &mask, &kept);
    if (action.sa_flags & SA_NODEFER) { /* it may leave by longjmp and need the next signal, too */
        sigemptyset(&mask);
        sigaddset(&mask, signal);
        pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
    }
    if (action.sa_flags & SA_SIGINFO)
        action.sa_sigaction(signal, info, machine);
    else
        action.sa_handler(signal);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    return true;
}

/* All functions called here are safe in a signal handler. */
static void handle(int signal, siginfo_t *info, void *machine)
{
    struct sigaction *old = &before[signal == signals[0] ? 0 : 1];
    struct fault fault = {NULL, 0, false};
    int error = errno;

    if (!sent(info))
        fault = look_up(info->si_addr);
    if (fault.top)
        report(&fault);
    else if (pass_on(old, signal, info, machine) || (sent(info) && old->sa_handler == SIG_IGN)) {
        errno = error;
        return;
    }
    sigaction(signal, old, NULL); /* a fault happens again, and the previous action handles it */
    if (sent(info))
        raise(signal); /* a sent signal does not: it comes when this handler has returned */
}

static void install(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    pt_mutex_lock_(PT_MUTEX_PROCESS_);
    for (int i = 0; !installed && i < SIGNALS; i++)
        sigaction(signals[i], &action, &before[i]);
    installed = true;
    pt_mutex_unlock_(PT_MUTEX_PROCESS_);
}

/* Use the thread's own alternate stack, mapped at first use; the program may have replaced it. */
static bool take_alternate(stack_t *stack)
{
    if (!alternate) {
        void *memory =
            mmap(NULL, ALTERNATE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (memory == MAP_FAILED)
            return false;
        alternate = memory;
    }
    stack->ss_sp = alternate;
    stack->ss_size = ALTERNATE;
    stack->ss_flags = 0;
    return true;
}

pt_status pt_overflow_watch(void)
{
    stack_t stack;

    if (sigaltstack(NULL, &stack) || stack.ss_flags & SS_DISABLE) {
        if (!take_alternate(&stack))
            return PT_ENOMEM;
        sigaltstack(&stack, NULL);
    }
    install();
    return PT_OK;
}

void pt_overflow_unwatch(void)
{
    stack_t stack;

    if (!alternate)
        return;
    if (!sigaltstack(NULL, &stack) && stack.ss_sp == alternate) {
        stack.ss_flags = SS_DISABLE;
        sigaltstack(&stack, NULL);
    }
    munmap(alternate, ALTERNATE);
    alternate = NULL;
}
