/* idioms.c - what programs build on the names below the classic pt.h, and on what these names did
 * SPDX-License-Identifier: MIT */
#include "pt-sem.h"
#include "trace.h"

static struct pt state;
static int flag;

/* --- the flag of a yield --------------------------------------------------------------------- */

static PT_THREAD(mentions_the_flag(struct pt *pt))
{
    PT_BEGIN(pt);
    (void)PT_YIELD_FLAG; /* as where a program silences a warning */
    put('a');
    PT_WAIT_UNTIL(pt, flag);
    put(PT_YIELD_FLAG ? 'b' : '?');
    PT_END(pt);
}

int a_thread_can_mention_the_flag_of_a_yield(void)
{
    PT_INIT(&state);
    flag = 0;
    put_said(mentions_the_flag(&state));
    flag = 1;
    put_said(mentions_the_flag(&state));
    return traced("aWbE");
}

/* Sleep before each return, and report the way back. */
#define DOZE_UNTIL(pt, condition)                 \
    do {                                          \
        PT_YIELD_FLAG = 0;                        \
        LC_SET((pt)->lc);                         \
        if (PT_YIELD_FLAG == 0 || !(condition)) { \
            put('z');                             \
            return PT_YIELDED;                    \
        }                                         \
        put('!');                                 \
    } while (0)

static PT_THREAD(dozes(struct pt *pt))
{
    PT_BEGIN(pt);
    put('a');
    DOZE_UNTIL(pt, 1);
    put('b');
    DOZE_UNTIL(pt, flag > 1);
    PT_YIELD(pt);
    put('c');
    PT_END(pt);
}

int a_yield_of_the_programs_own_lets_others_run_once(void)
{
    PT_INIT(&state);
    for (flag = 0; flag < 5; flag++)
        put_said(dozes(&state));
    return traced("azY!bzY!YcEazY");
}

/* --- a body and waits of the program's own ---------------------------------------------------- */

struct job {
    unsigned ticks; /* its continuation need not come first, and is in no struct pt */
    lc_t lc;
};

#define JOB_INIT(job) LC_INIT((job)->lc)
#define JOB_BEGIN(job)          \
    {                           \
        char PT_YIELD_FLAG = 1; \
        LC_RESUME((job)->lc)
#define JOB_END(job)   \
    LC_END((job)->lc); \
    PT_YIELD_FLAG = 0; \
    JOB_INIT(job);     \
    return PT_ENDED;   \
    }
#define JOB_DELAY(job, n)      \
    do {                       \
        (job)->ticks = (n);    \
        LC_SET((job)->lc)      \
        if ((job)->ticks > 0)  \
            return PT_WAITING; \
    } while (0)

static char runs_a_job(struct job *job)
{
    JOB_BEGIN(job);
    for (;;) {
        put('(');
        JOB_DELAY(job, 2);
        put(')');
        PT_YIELD(job);
        PT_WAIT_UNTIL(job, flag);
        if (flag > 1)
            break;
        JOB_DELAY(job, 1);
    }
    JOB_END(job);
}

int a_program_has_a_begin_an_end_and_a_delay_of_its_own(void)
{
    static struct job job;
    int i;

    JOB_INIT(&job);
    for (i = 0; i < 9; i++) {
        flag = i > 5 ? 2 : i > 3;
        if (i > 0 && job.ticks > 0)
            job.ticks--;
        put_said(runs_a_job(&job));
    }
    return traced("(WW)YWW(WW)YE");
}

/* --- a continuation by hand, as before there was LC_SET ---------------------------------------- */

#ifndef LC_INCLUDE /* with lc-switch.h */
#define LINE_WAIT(pt, condition) \
    do {                         \
        (pt)->lc = __LINE__;     \
        if (0) {                 \
        case __LINE__:;          \
        }                        \
        if (!(condition))        \
            return PT_WAITING;   \
    } while (0)

#define BOTH_INIT(a, b) PT_INIT(a) PT_INIT(b)

static PT_THREAD(waits_by_line(struct pt *pt))
{
    PT_BEGIN(pt);
    put('a');
    LINE_WAIT(pt, flag > 0);
    put('b');
    PT_YIELD(pt);
    LINE_WAIT(pt, flag > 1);
    put('c');
    PT_END(pt);
}

int a_case_of_a_line_is_among_those_of_the_waits(void)
{
    static struct pt other;

    BOTH_INIT(&state, &other)
    for (flag = 0; flag < 4; flag++)
        put_said(waits_by_line(&state));
    flag = 1;
    put_said(waits_by_line(&other));
    return traced("aWbYcEabYabY");
}
#else
int a_case_of_a_line_is_among_those_of_the_waits(void)
{
    return 1;
}
#endif

/* --- the rest ----------------------------------------------------------------------------------- */

#ifndef __PT_H__
#error "programs ask whether it is defined"
#endif

static struct pt_sem units;

static PT_THREAD(takes_a_unit(struct pt *pt))
{
    PT_BEGIN(pt);
    PT_SEM_WAIT(pt, &units);
    put((char)('0' + PT_SEM_COUNT(&units)));
    PT_END(pt);
}

int a_program_can_look_at_the_count_of_a_semaphore(void)
{
    PT_INIT(&state);
    PT_SEM_INIT(&units, 0);
    put((char)('0' + PT_SEM_COUNT(&units)));
    put_said(takes_a_unit(&state));
    PT_SEM_SIGNAL(nobody, &units);
    PT_SEM_SIGNAL(&state, &units);
    put((char)('0' + PT_SEM_COUNT(&units)));
    put_said(takes_a_unit(&state));
    return traced("0W21E");
}
