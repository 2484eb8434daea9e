/* stopped-timer.c - a task stops a timer, and then waits for it: it never fires
 * SPDX-License-Identifier: MIT */
#include "../scene.h"

struct session {
    struct pt_event rung;
    PT_TASK(pt_alarm) alarm;
};

struct user {
    struct pt pt;
    struct session *session;
};

static PT_ASYNC(user, self)
{
    self->session = NEW(struct session);
    PT_SPAWN(&self->session->alarm, pt_alarm, .delay = PT_MS(100), .period = 0, .call = NULL,
             .argument = NULL, .event = &self->session->rung);
    PT_WAIT(PT_MS(10));
    pt_cancel(&self->session->alarm.task, PT_ECANCELED);
#ifdef MENDED
    PT_JOIN(&self->session->alarm.task);
#else
    PT_WAIT_EVENT(&self->session->rung);
#endif
    free(self->session);
}
PT_END

static void scene(struct pt_loop *loop)
{
    PT_START_NEW(loop, user);
}
