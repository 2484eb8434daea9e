/* console.c - descriptors 0 to 2, and the streams; /dev/null
 * SPDX-License-Identifier: MIT */
#include "files.h"

#include "calls.h"

#include <errno.h>
#include <stdarg.h>

static unsigned events(struct file *file)
{
    return EPOLLIN | EPOLLOUT;
}

/* There is no input. */
static ssize_t read_(struct file *file, void *data, size_t size)
{
    return 0;
}

static ssize_t write_(struct file *file, const void *data, size_t size)
{
    printed_add(file->machine, data, size);
    return (ssize_t)size;
}

static void close_(struct file *file, bool crash)
{
    free(file);
}

static ssize_t null_write(struct file *file, const void *data, size_t size)
{
    return (ssize_t)size;
}

static const struct file_kind console = {S_IFCHR, events, read_, write_, close_},
                              null = {S_IFCHR, events, read_, null_write, close_};

static struct file *new_file(struct world_machine *machine, const struct file_kind *kind, int flags)
{
    struct file *file = calloc(1, sizeof *file);

    if (!file)
        abort();
    file->kind = kind;
    file->flags = flags;
    file->machine = machine;
    return file;
}

void console_open(struct process *process)
{
    struct file *file = new_file(process->machine, &console, O_RDWR);

    file->users = 3;
    process->files[0] = process->files[1] = process->files[2] = file;
    process->descriptors = 3;
}

int null_open(int flags)
{
    return file_install(new_file(here, &null, flags & ~O_CLOEXEC), 0, flags & O_CLOEXEC);
}

bool is_null(const struct file *file)
{
    return file->kind == &null;
}

/* --- streams: both print at once, for the process that runs ----------------------------------- */

FILE *call_stdout, *call_stderr;

/* COOKIE is the place of its descriptor; what a program has there can be a pipe. */
static ssize_t write_stream(void *cookie, const char *data, size_t size)
{
    const int *fd = cookie;
    const struct file *file = running->files[*fd];

    if (!file || file->kind != &console)
        return call_write(*fd, data, size);
    printed_add(here, data, size);
    return (ssize_t)size;
}

__attribute__((constructor)) static void open_streams(void)
{
    static int output = 1, errors = 2;
    const cookie_io_functions_t functions = {NULL, write_stream, NULL, NULL};

    call_stdout = fopencookie(&output, "w", functions);
    call_stderr = fopencookie(&errors, "w", functions);
    if (!call_stdout || !call_stderr)
        abort();
    setvbuf(call_stdout, NULL, _IONBF, 0);
    setvbuf(call_stderr, NULL, _IONBF, 0);
}

__attribute__((destructor)) static void close_streams(void)
{
    fclose(call_stdout);
    fclose(call_stderr);
}

int call_vprintf(const char *format, va_list arguments)
{
    return vfprintf(call_stdout, format, arguments);
}

int call_printf(const char *format, ...)
{
    va_list arguments;
    int count;

    va_start(arguments, format);
    count = vfprintf(call_stdout, format, arguments);
    va_end(arguments);
    return count;
}

int call_puts(const char *text)
{
    return fprintf(call_stdout, "%s\n", text);
}

int call_putchar(int character)
{
    return fputc(character, call_stdout);
}

void call_perror(const char *what)
{
    fprintf(call_stderr, "%s: %s\n", what, strerror(errno));
}

/* No console is a terminal. */
int call_isatty(int fd)
{
    if (file_at(fd))
        errno = ENOTTY;
    return 0;
}

int call_dprintf(int fd, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int count;

    va_start(arguments, format);
    count = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (count >= (int)sizeof text)
        world_unknown("dprintf of more than 1023 bytes");
    return count < 0 ? count : (int)call_write(fd, text, (size_t)count);
}
