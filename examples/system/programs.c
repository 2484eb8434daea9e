/* programs.c - run programs: one from beginning to end, one that takes too long, one to talk to
 * SPDX-License-Identifier: MIT
 *
 * What to notice:
 *   - pt_run_process writes the input and reads the output as each is possible: however much there
 *     is of either, the program and the task do not wait for each other.
 *   - A program that fails is an await that fails: PT_EFAILED. pt_process_error_text has the words.
 *   - A timeout or a cancel kills the program and all that it has started, and waits for its end.
 *   - pt_process_start is for a program that lives while the task talks to it. A field that is not
 *     set is inherited: the environment, the directory, 0, 1 and 2. No other descriptor is.
 *   - The group ends the child, however its block is left: the wait owns it, by `.kill`.
 *   - The child reads the end of its input when the task closes its end of the pipe. */
#include <pt/host.h>

#include <stdio.h>
#include <string.h>

static struct pt_system sys;

struct commands {
    struct pt pt;
    struct pt_scope limit;
    struct pt_run_process run;
    struct pt_process child;
    struct pt_group group;
    PT_TASK(pt_wait_process) end;
    size_t moved;
    char text[80], why[80];
};

static PT_ASYNC(commands, self)
{
    static const char *const sort[] = {"sort", "-r", NULL};
    static const char *const fail[] = {"sh", "-c", "echo no fruit is left >&2; exit 3", NULL};
    static const char *const wait[] = {"sh", "-c", "echo soon >&2; sleep 1000", NULL};
    static const char *const greet[] = {"sh", "-c", "read name; echo \"$GREETING, $name!\"", NULL};
    static const char *const greeting[] = {"GREETING=Hello", NULL};
    static const char fruit[] = "pear\napple\nplum\n";

    PT_WAIT_COMPLETE(&self->run, pt_run_process, .system = &sys, .process.words = sort,
                     .input = fruit, .input_size = strlen(fruit), .output = self->text,
                     .output_size = sizeof self->text);
    printf("sort: code %d\n%.*s", self->run.end.code, (int)self->run.length, self->text);

    PT_WAIT_COMPLETE(&self->run, pt_run_process, .system = &sys, .process.words = fail,
                     .errors = self->text, .errors_size = sizeof self->text);
    pt_process_error_text(&self->run.end, self->run.pt.status, self->why, sizeof self->why);
    printf("fail: %s: %.*s", self->why, (int)self->run.errors_length, self->text);

    PT_WITH_TIMEOUT(&self->limit, PT_MS(100))
        PT_WAIT_COMPLETE(&self->run, pt_run_process, .system = &sys, .process.words = wait,
                         .process.err = PT_PROCESS_NULL);
    printf("wait: ended by %s\n", self->run.end.signal == SIGKILL ? "SIGKILL" : "itself");

    self->child.words = greet;
    self->child.variables = greeting;
    self->child.in = self->child.out = PT_PROCESS_PIPE;
    self->child.err = PT_PROCESS_OUTPUT;
    self->child.group = true;
    if (pt_process_start(&self->child, &sys) != PT_OK) {
        fprintf(stderr, "%s: %s\n", greet[0], strerror(self->child.error));
        PT_RETURN(PT_EIO);
    }
    PT_WITH_GROUP(&self->group, PT_GROUP_ALL_OR_NONE) {
        PT_SPAWN_IN(&self->group, &self->end, pt_wait_process, .system = &sys,
                    .pid = self->child.pid, .kill = true);
        PT_WRITE(&self->child.input, "Ada\n", 4, &self->moved);
        pt_io_close(&self->child.input);
        PT_READ(&self->child.output, self->text, sizeof self->text, &self->moved);
        printf("greet: %.*s", (int)self->moved, self->text);
    }
    PT_FINALLY
    pt_io_close(&self->child.input);
    pt_io_close(&self->child.output);
}
PT_END

int main(void)
{
    static PT_TASK(commands) task;
    struct pt_loop loop;

    if (pt_system_open(&sys, &loop, NULL) != PT_OK)
        return 1;
    PT_START(&loop, &task, commands);
    pt_loop_run(&loop);
    pt_system_close(&sys);
    return pt_task_status(&task.task) != PT_OK;
}
