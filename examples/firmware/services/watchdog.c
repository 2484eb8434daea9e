/* watchdog.c - a list of promises, and who looks at it
 * SPDX-License-Identifier: MIT */
#include "watchdog.h"

void watchdog_remove(struct watchdog *dog, struct ward *ward)
{
    struct ward **link = &dog->wards;

    while (*link && *link != ward)
        link = &(*link)->next;
    if (*link)
        *link = ward->next;
}

void watchdog_add(struct watchdog *dog, struct ward *ward, const char *name, pt_time within,
                  pt_time now)
{
    watchdog_remove(dog, ward); /* it can be there from the life of its task before */
    ward->name = name;
    ward->within = within;
    ward_report(ward, now);
    ward->next = dog->wards;
    dog->wards = ward;
}

/* Whether WARD is late; tells it once. It stays so, however the clock wraps. */
static bool is_late(struct watchdog *dog, struct ward *ward, pt_time now)
{
    if (ward->rests || (!ward->late && !pt_time_before(ward->due, now)))
        return false;
    if (!ward->late) {
        ward->late = true;
        dog->late(dog, ward);
    }
    return true;
}

bool watchdog_look(struct watchdog *dog, pt_time now)
{
    bool all_are_well = true;

    for (struct ward *ward = dog->wards; ward; ward = ward->next)
        all_are_well = !is_late(dog, ward, now) && all_are_well;
    if (all_are_well)
        dog->feed(dog);
    return all_are_well;
}

PT_ASYNC(watchdog_guard, self)
{
    for (;;) {
        watchdog_look(self->dog, PT_NOW());
        PT_WAIT(self->every);
    }
}
PT_END
