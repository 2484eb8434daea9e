/* threads.c - programs with threads, for the tests of a world: the first word says which
 * SPDX-License-Identifier: MIT
 *
 *     threads calls          what the calls return: as in Linux, where it runs, too
 *     threads queue ROUNDS   a queue of one place between three threads and main
 *     threads hasty ROUNDS   the same with an `if` around a wait, where there must be a `while`
 *     threads dozy ROUNDS    the same with one condition for both sides, which can signal the wrong one
 *     threads order          which of three is first
 *     threads embrace        two threads that take two mutexes, each the other one first
 *     threads leave          one that ends with a mutex for which main waits
 *     threads serve          main reads what another thread writes at a signal
 *     threads pair           two threads with a socketpair */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CHECK(holds) check(holds, #holds)

static void check(int holds, const char *text)
{
    if (!holds) {
        printf("not so: %s\n", text);
        exit(1);
    }
}

/* --- what the calls return ------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t semaphore, begun;
static __thread int local = 7, zero;
static int times, destroyed;

static void count_up(void)
{
    times++;
}

static void destroy(void *value)
{
    destroyed += *(int *)value;
}

/* A thread that holds all, until the semaphore lets it go on. */
static void *holder(void *argument)
{
    static int ten = 10;

    CHECK(local == 7 && zero == 0 && errno == 0 && !pthread_getspecific(key));
    local = zero = 1;
    errno = ENOENT;
    CHECK(!pthread_setspecific(key, &ten) && !pthread_once(&once, count_up));
    CHECK(!pthread_mutex_lock(&mutex) && !pthread_rwlock_wrlock(&rwlock));
    CHECK(!sem_post(&begun) && !sem_wait(&semaphore));
    CHECK(local == 1 && zero == 1);
    CHECK(!pthread_rwlock_unlock(&rwlock) && !pthread_mutex_unlock(&mutex));
    return argument;
}

static struct timespec soon(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    now.tv_sec++;
    return now;
}

static void *quick(void *argument)
{
    pthread_exit(argument);
}

static void kinds(void)
{
    pthread_mutexattr_t kind;
    pthread_mutex_t recursive, careful;

    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&careful, &kind);
    CHECK(!pthread_mutex_lock(&recursive) && !pthread_mutex_lock(&recursive) &&
          !pthread_mutex_trylock(&recursive));
    for (int i = 0; i < 3; i++)
        CHECK(!pthread_mutex_unlock(&recursive));
    CHECK(pthread_mutex_unlock(&recursive) == EPERM && !pthread_mutex_destroy(&recursive));
    CHECK(!pthread_mutex_lock(&careful) && pthread_mutex_lock(&careful) == EDEADLK);
    CHECK(pthread_mutex_trylock(&careful) == EBUSY && !pthread_mutex_unlock(&careful));
    CHECK(pthread_mutex_unlock(&careful) == EPERM && !pthread_mutex_destroy(&careful));
}

static void times_are_over(void)
{
    pthread_condattr_t monotonic;
    pthread_cond_t steady;
    struct timespec wall = soon(CLOCK_REALTIME), end = soon(CLOCK_MONOTONIC), now;
    int over;

    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&steady, &monotonic);
    CHECK(!pthread_mutex_lock(&mutex));
    while (!(over = pthread_cond_timedwait(&steady, &mutex, &end))) {
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    CHECK(over == ETIMEDOUT && now.tv_sec >= end.tv_sec);
    while (!(over = pthread_cond_timedwait(&cond, &mutex, &wall))) {
    }
    CHECK(over == ETIMEDOUT && !pthread_mutex_unlock(&mutex) && !pthread_cond_destroy(&steady));
}

static int calls(void)
{
    struct timespec past = {1, 0};
    pthread_t thread, other;
    void *value;
    int count;

    CHECK(!sem_init(&semaphore, 0, 0) && !sem_init(&begun, 0, 0) &&
          !pthread_key_create(&key, destroy));
    errno = 0;
    CHECK(!pthread_create(&thread, NULL, holder, &count));
    CHECK(!sem_wait(&begun) && local == 7 && zero == 0 && errno == 0);
    CHECK(pthread_mutex_trylock(&mutex) == EBUSY &&
          pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
    CHECK(pthread_rwlock_tryrdlock(&rwlock) == EBUSY && pthread_rwlock_trywrlock(&rwlock) == EBUSY);
    CHECK(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    CHECK(sem_timedwait(&semaphore, &past) == -1 && errno == ETIMEDOUT);
    CHECK(!sem_post(&semaphore) && !pthread_join(thread, &value) && value == &count &&
          destroyed == 10);
    CHECK(!pthread_once(&once, count_up) && times == 1 && local == 7);
    CHECK(!pthread_rwlock_rdlock(&rwlock) && !pthread_rwlock_tryrdlock(&rwlock));
    CHECK(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
    CHECK(!pthread_rwlock_unlock(&rwlock) && !pthread_rwlock_unlock(&rwlock) &&
          !pthread_rwlock_wrlock(&rwlock));
    CHECK(pthread_rwlock_rdlock(&rwlock) == EDEADLK && !pthread_rwlock_unlock(&rwlock));
    CHECK(!pthread_create(&thread, NULL, quick, &value) &&
          !pthread_create(&other, NULL, quick, NULL));
    CHECK(!pthread_detach(other) && !pthread_join(thread, &value) && value == &value);
    CHECK(pthread_join(pthread_self(), NULL) == EDEADLK && !sem_getvalue(&semaphore, &count) &&
          count == 0);
    CHECK(!pthread_key_delete(key) && pthread_setspecific(key, &count) == EINVAL);
    kinds();
    times_are_over();
    puts("done");
    return 0;
}

/* --- a queue --------------------------------------------------------------------------------- */

static pthread_cond_t room = PTHREAD_COND_INITIALIZER;
static int place, used, rounds, hasty, dozy;

/* Waits while the queue has this many; a hasty one looks once. */
static void wait_while(int count, pthread_cond_t *changed)
{
    while (used == count) {
        pthread_cond_wait(changed, &mutex);
        if (hasty)
            break;
    }
}

static pthread_cond_t *there_is_room(void)
{
    return dozy ? &cond : &room;
}

static void *put(void *argument)
{
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&mutex);
        wait_while(1, there_is_room());
        CHECK(!used);
        place = *(int *)argument;
        used = 1;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static int take(void)
{
    int value;

    pthread_mutex_lock(&mutex);
    wait_while(0, &cond);
    CHECK(used);
    value = place;
    used = 0;
    pthread_cond_signal(there_is_room());
    pthread_mutex_unlock(&mutex);
    return value;
}

static int queue(void)
{
    int values[] = {1, 10, 100}, sum = 0;
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        CHECK(!pthread_create(&threads[i], NULL, put, &values[i]));
    for (int i = 0; i < 3 * rounds; i++)
        sum += take();
    for (int i = 0; i < 3; i++)
        CHECK(!pthread_join(threads[i], NULL));
    CHECK(sum == 111 * rounds);
    puts("done");
    return 0;
}

/* --- others ---------------------------------------------------------------------------------- */

static void *tell(void *argument)
{
    puts(argument);
    return NULL;
}

static int order(void)
{
    static char names[][2] = {"a", "b", "c"};
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        CHECK(!pthread_create(&threads[i], NULL, tell, names[i]));
    for (int i = 0; i < 3; i++)
        CHECK(!pthread_join(threads[i], NULL));
    return 0;
}

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void *embrace(void *argument)
{
    pthread_mutex_t *first = argument ? &left : &right, *second = argument ? &right : &left;

    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return NULL;
}

static int embraces(void)
{
    pthread_t thread;

    CHECK(!pthread_create(&thread, NULL, embrace, NULL));
    embrace(&left);
    CHECK(!pthread_join(thread, NULL));
    return 0;
}

static void *keep_it(void *argument)
{
    pthread_mutex_lock(&left);
    usleep(2000);
    return NULL;
}

static int leave(void)
{
    pthread_t thread;

    CHECK(!pthread_create(&thread, NULL, keep_it, NULL));
    usleep(1000);
    return pthread_mutex_lock(&left);
}

static int ends[2];
static pthread_t listener;

static void heard(int number)
{
    CHECK(pthread_equal(pthread_self(), listener));
    CHECK(write(ends[1], "x", 1) == 1);
}

/* Closes what main reads from, and waits for a signal, which no other thread gets. */
static void *listen_to_signals(void *argument)
{
    struct timespec moment = {0, 1000000};
    sigset_t none;

    listener = pthread_self();
    sigemptyset(&none);
    CHECK(!nanosleep(&moment, NULL) && !close(ends[0]));
    CHECK(!pthread_sigmask(SIG_SETMASK, &none, NULL));
    CHECK(pause() == -1 && errno == EINTR);
    return NULL;
}

static int serve(void)
{
    pthread_t thread;
    sigset_t all;
    char byte;

    sigfillset(&all);
    signal(SIGTERM, heard);
    CHECK(!pipe(ends) && !pthread_sigmask(SIG_BLOCK, &all, NULL));
    CHECK(!pthread_create(&thread, NULL, listen_to_signals, NULL));
    CHECK(read(ends[0], &byte, 1) == 1 && byte == 'x');
    CHECK(read(ends[0], &byte, 1) == -1 && errno == EBADF);
    CHECK(!pthread_join(thread, NULL));
    puts("served");
    return 0;
}

static void *answer(void *argument)
{
    char text[8];

    CHECK(recv(ends[1], text, sizeof text, MSG_PEEK) == 4 && read(ends[1], text, sizeof text) == 4);
    CHECK(!memcmp(text, "ping", 4) && send(ends[1], "pong", 4, MSG_NOSIGNAL) == 4);
    CHECK(read(ends[1], text, sizeof text) == 0 && !shutdown(ends[1], SHUT_WR));
    return NULL;
}

static int pairs(void)
{
    struct sockaddr_storage name;
    socklen_t length = sizeof name;
    pthread_t thread;
    char text[8];

    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends) &&
          !pthread_create(&thread, NULL, answer, NULL));
    CHECK(!getsockname(ends[0], (struct sockaddr *)&name, &length) && name.ss_family == AF_UNIX &&
          length == 2);
    CHECK(write(ends[0], "ping", 4) == 4 && read(ends[0], text, sizeof text) == 4 &&
          !memcmp(text, "pong", 4));
    CHECK(!shutdown(ends[0], SHUT_WR) && read(ends[0], text, sizeof text) == 0 &&
          !pthread_join(thread, NULL));
    CHECK(send(ends[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE && !close(ends[1]));
    CHECK(!close(ends[0]) && !socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends));
    CHECK(read(ends[0], text, 1) == -1 && errno == EAGAIN && write(ends[0], "x", 1) == 1 &&
          !close(ends[1]));
    CHECK(read(ends[0], text, 1) == -1 && errno == ECONNRESET && read(ends[0], text, 1) == 0);
    puts("done");
    return 0;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    rounds = argc > 2 ? atoi(argv[2]) : 0;
    hasty = !strcmp(word, "hasty");
    dozy = !strcmp(word, "dozy");
    return !strcmp(word, "calls")     ? calls()
           : !strcmp(word, "order")   ? order()
           : !strcmp(word, "embrace") ? embraces()
           : !strcmp(word, "leave")   ? leave()
           : !strcmp(word, "serve")   ? serve()
           : !strcmp(word, "pair")    ? pairs()
           : rounds                   ? queue()
                                      : 1;
}
