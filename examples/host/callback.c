/* callback.c - a library that calls back, once and from a thread of its own, as a wait of a task
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - The callback writes the answer into the frame of the task, and then says that it is done.
 *   - A timeout tells the library to stop, and waits until that has called back: after the wait
 *     nobody writes into the frame.
 *   - A native task does the same with a frame on its stack. */
#include <pt/host.h>
#include <pt/native.h>

#include <semaphore.h>
#include <stdio.h>

/* The library, which knows nothing of pt: it answers one question, and thinks about the other one
 * until it is told to stop. */
struct library_query {
    void (*callback)(void *user, int answer);
    void *user;
    sem_t stop;
    pthread_t thread;
};

static void *library_answer(void *argument)
{
    struct library_query *query = (struct library_query *)argument;

    query->callback(query->user, 42);
    return NULL;
}

static void *library_think(void *argument)
{
    struct library_query *query = (struct library_query *)argument;

    sem_wait(&query->stop);
    query->callback(query->user, -1);
    return NULL;
}

/* The adapter. */
struct question {
    struct pt_foreign asking;
    struct library_query query;
    int answer;
};

static void answered(void *user, int answer)
{
    struct question *question = (struct question *)user;

    question->answer = answer;
    pt_foreign_done(&question->asking, answer < 0 ? PT_EIO : PT_OK);
}

static void start(struct pt_foreign *asking, void *(*library)(void *))
{
    struct question *question = (struct question *)asking->argument;

    question->query.callback = answered;
    question->query.user = question;
    sem_init(&question->query.stop, 0, 0);
    if (pthread_create(&question->query.thread, NULL, library, &question->query))
        pt_foreign_done(asking, PT_EIO);
    else
        pthread_detach(question->query.thread);
}

static void ask_easy(struct pt_foreign *asking)
{
    start(asking, library_answer);
}

static void ask_hard(struct pt_foreign *asking)
{
    start(asking, library_think);
}

static void stop(struct pt_foreign *asking)
{
    sem_post(&((struct question *)asking->argument)->query.stop);
}

struct patient {
    struct pt pt;
    struct pt_scope limit;
    struct question question;
};

static PT_ASYNC(patient, self)
{
    PT_WITH_TIMEOUT(&self->limit, PT_MS(20)) {
        PT_WAIT_COMPLETE(&self->question.asking, pt_foreign, .start = ask_hard, .cancel = stop,
                         .argument = &self->question);
    }
    printf("the hard question: %s, answer %d\n",
           pt_timed_out(&self->limit) ? "timed out" : "answered", self->question.answer);
}
PT_END

static pt_status native(struct pt_native *self)
{
    struct question question;
    pt_status status = pt_native_call(self, &question.asking, pt_foreign, .start = ask_easy,
                                      .argument = &question);

    printf("the easy question: %s, answer %d\n", pt_status_name(status), question.answer);
    return status;
}

int main(void)
{
    static char stack[64 << 10];
    static PT_TASK(patient) patient_task;
    static PT_TASK(pt_native) native_task;
    struct pt_loop loop;

    pt_loop_open(&loop, &pt_posix);
    PT_START(&loop, &patient_task, patient);
    pt_loop_run(&loop);
    PT_START(&loop, &native_task, pt_native, .function = native, .stack = stack,
             .bytes = sizeof stack);
    pt_loop_run(&loop);
    pt_loop_close(&loop);
    return 0;
}
