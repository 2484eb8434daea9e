/* lost-notify.c - the notify of a condition comes before the wait, and is lost
 * SPDX-License-Identifier: MIT
 *
 * Cure: wait in a loop that checks what it waits for. */
#include "../scene.h"

struct plugin {
    struct pt_lock lock;
    struct pt_condition changed;
    bool active;
};

struct activate {
    struct pt pt;
    struct plugin *plugin;
};

static PT_ASYNC(activate, self)
{
    self->plugin->active = true;
    pt_condition_notify(&self->plugin->changed);
}
PT_END

struct user {
    struct pt pt;
    struct plugin *plugin;
};

static PT_ASYNC(user, self)
{
    PT_WAIT(PT_MS(10));
    PT_LOCK(&self->plugin->lock);
#ifdef MENDED
    while (!self->plugin->active)
#endif
        PT_WAIT_CONDITION(&self->plugin->changed, &self->plugin->lock);
    PT_UNLOCK(&self->plugin->lock);
}
PT_END

static void scene(struct pt_loop *loop)
{
    struct plugin *plugin = NEW(struct plugin);

    pt_lock_init(&plugin->lock);
    pt_condition_init(&plugin->changed);
    PT_START_NEW(loop, activate, .plugin = plugin);
    PT_START_NEW(loop, user, .plugin = plugin);
}
