/* files.c - a program that does with files what its words say
 * SPDX-License-Identifier: MIT
 *
 *     write NAME TEXT    at its end; the file is made         sync NAME        the file; or `.`, the names
 *     cut NAME SIZE      to this size                         rename NAME TO
 *     read NAME          and print it                         wait             for ever
 *     remove NAME        while it is open                     calls            each call, on files of its own */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* RESULT, unless it is below 0: then the program ends. */
static ssize_t must(ssize_t result, const char *what)
{
    if (result >= 0)
        return result;
    printf("%s: %s\n", what, strerror(errno));
    exit(1);
}

static int open_file(const char *name, int flags)
{
    return (int)must(open(name, flags, 0600), "open");
}

static void put(const char *name, const char *text)
{
    int fd = open_file(name, O_WRONLY | O_CREAT | O_APPEND);

    while (*text)
        text += must(write(fd, text, strlen(text)), "write");
    close(fd);
}

static void show(const char *name)
{
    int fd = open_file(name, O_RDONLY);
    char text[1024] = "";

    must(read(fd, text, sizeof text - 1), "read");
    puts(text);
    close(fd);
}

static void hold(int condition, const char *text)
{
    if (condition)
        return;
    printf("not so: %s\n", text);
    exit(1);
}

#define HOLD(condition) hold(condition, #condition)

/* What a file is, by its name and by a descriptor: a program that looks whether its log was moved compares them. */
static void about(void)
{
    struct stat named, opened;
    int fd = open_file("own", O_RDWR | O_CREAT), folder = open_file(".", O_RDONLY);

    HOLD(!stat("own", &named) && !fstat(fd, &opened) && named.st_ino == opened.st_ino &&
         opened.st_nlink == 1);
    HOLD(!rename("own", "other") && open_file("own", O_RDWR | O_CREAT) == folder + 1);
    HOLD(!stat("own", &named) && named.st_ino != opened.st_ino && !close(folder + 1) &&
         !unlink("own"));
    HOLD(!unlink("other") && !fstat(fd, &opened) && opened.st_nlink == 0 && !close(fd));
    HOLD(!fstat(folder, &opened) && S_ISDIR(opened.st_mode) && !stat(".", &named) &&
         S_ISDIR(named.st_mode));
    HOLD(open(".", O_RDWR) < 0 && errno == EISDIR && unlink(".") < 0 && errno == EISDIR &&
         !close(folder));
    HOLD(open(".", O_RDONLY | O_CREAT | O_EXCL, 0600) < 0 && errno == EEXIST &&
         rename(".", "own") < 0);
}

static void appends(void)
{
    char text[8] = "", more[8] = "";
    const struct iovec parts[] = {{text, 2}, {more, 0}, {more, 3}};
    int fd = open_file("own", O_RDWR | O_CREAT | O_APPEND), copy = dup(fd);
    volatile int none = -1, many = 1 << 30; /* compilers do not see that these are bad */

    HOLD(write(fd, "abc", 3) == 3 && pwrite(fd, "d", 1, 0) == 1 && pread(fd, text, 7, 0) == 4 &&
         !strcmp(text, "abcd"));
    HOLD((fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND)) == (O_RDWR | O_APPEND) &&
         !fcntl(copy, F_SETFL, 0));
    HOLD(!(fcntl(fd, F_GETFL) & O_APPEND) && pwrite(fd, "X", 1, 0) == 1 && !lseek(fd, 0, SEEK_SET));
    HOLD(readv(fd, parts, 3) == 4 && !memcmp(text, "Xb", 2) && !strcmp(more, "cd"));
    HOLD(writev(fd, parts, 3) == 5 && pread(fd, text, 7, 4) == 5 && !memcmp(text, "Xbcd", 5));
    HOLD(readv(fd, parts, none) < 0 && errno == EINVAL && writev(fd, parts, none) < 0);
    HOLD(fcntl(fd, F_DUPFD, none) < 0 && errno == EINVAL && readv(fd, parts, many) < 0);
    errno = 0;
    HOLD(fcntl(fd, F_DUPFD, many) < 0 && errno == EINVAL);
    HOLD(!close(fd) && !close(copy) && !unlink("own"));
}

static void calls(void)
{
    int fd = open_file("own", O_RDWR | O_CREAT | O_EXCL),
        folder = open_file(".", O_RDONLY | O_DIRECTORY);
    char text[8] = "";
    struct stat about;

    HOLD(open("own", O_RDWR | O_CREAT | O_EXCL, 0600) < 0 && errno == EEXIST);
    HOLD(write(fd, "abcdef", 6) == 6 && lseek(fd, 1, SEEK_SET) == 1 && read(fd, text, 2) == 2);
    HOLD(!memcmp(text, "bc", 2) && lseek(fd, 0, SEEK_CUR) == 3 && lseek(fd, -1, SEEK_END) == 5);
    HOLD(pread(fd, text, 7, 4) == 2 && !memcmp(text, "ef", 2) && lseek(fd, 0, SEEK_CUR) == 5);
    HOLD(pread(fd, text, 7, 6) == 0 && pread(fd, text, 7, -1) < 0 && errno == EINVAL);
    HOLD(pwrite(fd, "X", 1, 8) == 1 && pread(fd, text, 8, 4) == 5 && !memcmp(text, "ef\0\0X", 5));
    HOLD(!ftruncate(fd, 2) && !fstat(fd, &about) && about.st_size == 2 && S_ISREG(about.st_mode));
    HOLD(!fsync(fd) && !fdatasync(fd) && !fsync(folder));
    HOLD(read(folder, text, 1) < 0 && errno == EISDIR);
    HOLD(fsync(STDOUT_FILENO) < 0 && errno == EINVAL);
    HOLD(!rename("own", "other") && open("own", O_RDONLY) < 0 && errno == ENOENT);
    HOLD(!unlink("other") && unlink("other") < 0 && errno == ENOENT);
    HOLD(pread(fd, text, 2, 0) == 2 && !close(fd) && !close(folder));
    fd = open_file("own", O_WRONLY | O_CREAT | O_TRUNC);
    HOLD(read(fd, text, 1) < 0 && errno == EBADF && write(fd, "1", 1) == 1 && !close(fd));
    fd = open_file("own", O_RDONLY);
    HOLD(write(fd, "1", 1) < 0 && errno == EBADF && !unlink("own"));
}

int main(int argc, char **argv)
{
    for (char **word = argv + 1; *word; word++)
        if (!strcmp(*word, "wait")) {
            pause();
        } else if (!strcmp(*word, "calls")) {
            calls();
            about();
            appends();
            puts("done");
        } else if (!strcmp(*word, "read")) {
            show(*++word);
        } else if (!strcmp(*word, "sync")) {
            must(fsync(open_file(*++word, O_RDONLY)), "sync");
        } else if (!strcmp(*word, "write")) {
            put(word[1], word[2]);
            word += 2;
        } else if (!strcmp(*word, "cut")) {
            must(ftruncate(open_file(word[1], O_WRONLY), atoi(word[2])), "cut");
            word += 2;
        } else if (!strcmp(*word, "rename")) {
            must(rename(word[1], word[2]), "rename");
            word += 2;
        } else if (!strcmp(*word, "remove")) {
            open_file(*++word, O_RDONLY);
            must(unlink(*word), "remove");
        }
    return argc < 2;
}
