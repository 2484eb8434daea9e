/* guard.c - run a program that may compute and print; stop it with a reason if it asks for more
 * SPDX-License-Identifier: MIT
 *
 * usage: guard MEGABYTES PROGRAM
 *
 * Linux only. The kernel lets the calls of QUIET pass, and shows the others to this process, the
 * tracer, before they happen. No file is opened but the libraries (a name with ".so", for
 * reading); memory is given up to MEGABYTES; no process, thread, socket or second program begins.
 * What is refused ends the program: a line
 * "guard: WHY" in the standard error, and status 125. The program cannot take the guard off:
 * without a tracer such a call fails. Status 126: no guard is possible here. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/ptrace.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "guard.c: name the AUDIT_ARCH of this processor"
#endif

enum { REFUSED = 125, IMPOSSIBLE = 126 };

/* They reach nothing outside of the process. */
static const int QUIET[] = {
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef __x86_64__
    SYS_arch_prctl, SYS_access, SYS_pipe, SYS_poll, SYS_epoll_wait, SYS_stat, SYS_time,
#endif
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_lseek, SYS_close, SYS_fstat,
    SYS_newfstatat, SYS_faccessat, SYS_ioctl, SYS_munmap, SYS_mprotect, SYS_madvise, SYS_brk,
    SYS_exit, SYS_exit_group, SYS_futex, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
    SYS_sigaltstack, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getrandom, SYS_set_tid_address,
    SYS_set_robust_list, SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_pipe2, SYS_ppoll, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2,
    SYS_sched_yield, SYS_restart_syscall, SYS_getrusage, SYS_uname
};

static const struct {
    long call;
    const char *why;
} REASONS[] = {
    {SYS_clone, "it starts a process or a thread"},
    {SYS_execve, "it starts another program"},
    {SYS_socket, "it opens a socket"},
    {SYS_kill, "it sends a signal to a process"},
    {SYS_unlinkat, "it removes a file"},
    {SYS_renameat, "it renames a file"},
    {SYS_mkdirat, "it makes a directory"},
#ifdef SYS_clone3
    {SYS_clone3, "it starts a process or a thread"},
#endif
#ifdef __x86_64__
    {SYS_fork, "it starts a process or a thread"},
    {SYS_vfork, "it starts a process or a thread"},
    {SYS_unlink, "it removes a file"},
    {SYS_rename, "it renames a file"},
    {SYS_rmdir, "it removes a directory"},
    {SYS_mkdir, "it makes a directory"},
#endif
};

/* Libraries disagree about its types; the kernel does not. */
static long trace(long request, pid_t program, long address, const void *data)
{
    return syscall(SYS_ptrace, request, (long)program, address, data);
}

/* Each call that is not in QUIET stops for the tracer. */
static int filter_calls(void)
{
    enum { FIRST = 4, COUNT = sizeof QUIET / sizeof QUIET[0] };
    struct sock_filter code[FIRST + COUNT + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), /* calls with other numbers */
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    struct sock_fprog program = {FIRST + COUNT + 2, code};

    for (unsigned i = 0; i < COUNT; i++)
        code[FIRST + i] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, (unsigned)QUIET[i], (unsigned char)(COUNT - i), 0);
    code[FIRST + COUNT] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    code[FIRST + COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static unsigned long long memory_of(pid_t program)
{
    char path[40];
    unsigned long long pages = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)program);
    file = fopen(path, "r");
    if (!file || fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

/* Whether the program's text at ADDRESS is the name of a library, as its loader opens them. A program
 * of one thread cannot change it until the call reads it. */
static int is_library(pid_t program, unsigned long long address)
{
    char name[512], path[40];
    ssize_t size;
    int memory;

    snprintf(path, sizeof path, "/proc/%d/mem", (int)program);
    memory = open(path, O_RDONLY | O_CLOEXEC);
    size = pread(memory, name, sizeof name - 1, (off_t)address);
    close(memory);
    name[size < 0 ? 0 : size] = '\0';
    return strstr(name, ".so") != NULL;
}

/* Why a call is refused, or NULL. STARTED: the program itself has been started. */
static const char *refusal(pid_t program, unsigned long long call, const unsigned long long *words,
                           unsigned long long bytes, int *started)
{
    static char why[80];
    unsigned long long flags = call == SYS_openat ? words[2] : words[1];

    switch (call) {
    case SYS_execve:
        if (!(*started)++)
            return NULL;
        break;
    case SYS_prlimit64:
        if (!words[2]) /* it only asks */
            return NULL;
        break;
    case SYS_tgkill: /* abort */
        if (words[0] == (unsigned long long)program)
            return NULL;
        break;
    case SYS_openat:
#ifdef SYS_open
    case SYS_open:
#endif
        if (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC))
            return "it opens a file for writing";
        if (is_library(program, words[call == SYS_openat]))
            return NULL;
        return "it opens a file";
    case SYS_mmap:
    case SYS_mremap:
        if (memory_of(program) + words[call == SYS_mmap ? 1 : 2] <= bytes)
            return NULL;
        snprintf(why, sizeof why, "it asks for more than %llu MB of memory", bytes >> 20);
        return why;
    }
    for (unsigned i = 0; i < sizeof REASONS / sizeof REASONS[0]; i++)
        if ((unsigned long long)REASONS[i].call == call)
            return REASONS[i].why;
    snprintf(why, sizeof why, "it makes the system call %llu", call);
    return why;
}

static void begin(char *path, rlim_t bytes)
{
    /* A heap that cannot grow tries mmap, which the tracer sees. */
    struct rlimit limit = {bytes, bytes};

    if (trace(PTRACE_TRACEME, 0, 0, NULL))
        _exit(IMPOSSIBLE);
    raise(SIGSTOP); /* until the tracer has set its options */
    if (setrlimit(RLIMIT_AS, &limit) || filter_calls())
        _exit(IMPOSSIBLE);
    execl(path, path, (char *)NULL);
    _exit(IMPOSSIBLE);
}

int main(int count, char **words)
{
    const long OPTIONS = PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC;
    unsigned long long bytes = count == 3 ? strtoull(words[1], NULL, 10) << 20 : 0;
    int status, started = 0;
    pid_t program;

    if (!bytes) {
        fprintf(stderr, "usage: guard MEGABYTES PROGRAM\n");
        return 2;
    }
    program = fork();
    if (program == 0)
        begin(words[2], (rlim_t)bytes);
    if (program < 0 || waitpid(program, &status, 0) != program || !WIFSTOPPED(status) ||
        trace(PTRACE_SETOPTIONS, program, 0, (const void *)OPTIONS))
        return IMPOSSIBLE;
    for (long signal_ = 0; !trace(PTRACE_CONT, program, 0, (const void *)signal_) &&
                           waitpid(program, &status, 0) == program;) {
        struct ptrace_syscall_info info;
        const char *why;

        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        if (WIFSIGNALED(status)) { /* end in the same way */
            signal(WTERMSIG(status), SIG_DFL);
            raise(WTERMSIG(status));
            return REFUSED;
        }
        signal_ = status >> 16 ? 0 : WSTOPSIG(status);
        if (status >> 16 != PTRACE_EVENT_SECCOMP)
            continue;
        if (trace(PTRACE_GET_SYSCALL_INFO, program, sizeof info, &info) <= 0)
            return kill(program, SIGKILL), IMPOSSIBLE;
        why = refusal(program, info.seccomp.nr, (unsigned long long *)info.seccomp.args, bytes,
                      &started);
        if (why) {
            kill(program, SIGKILL);
            fprintf(stderr, "guard: %s\n", why);
            return REFUSED;
        }
    }
    return IMPOSSIBLE;
}
