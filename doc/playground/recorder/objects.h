/* objects.h - what tasks of pt wait at: channels, queues, locks ...
 * SPDX-License-Identifier: MIT */
#ifndef PLAY_OBJECTS_H
#define PLAY_OBJECTS_H

#include "frames.h"

static void play_node_(const struct pt_node *node)
{
    struct pt_node *its = (struct pt_node *)(uintptr_t)node;

    play_next_();
    if (pt_waiter_selects_(its))
        play_number_(play_id_(((struct pt_case_ *)(void *)its)->select->task));
    else
        play_number_(play_id_(pt_task_of(its)));
}

static void play_queue_(const char *name, const struct pt_wait_queue_ *queue)
{
    play_next_();
    play_put_("["), play_string_(name), play_put_(",[");
    if (queue->end.prev)
        for (const struct pt_node *node = pt_wait_queue_first_(queue); node;
             node = pt_wait_queue_next_(queue, node))
            play_node_(node);
    play_put_("]]");
}

/* A list holds the task that came last first. */
static void play_list_(const char *name, const struct pt_wait_list_ *list)
{
    const struct pt_node *nodes[32];
    size_t count = 0;

    for (const struct pt_node *node = list->first; node && count < 32; node = node->link.next)
        nodes[count++] = node;
    play_next_();
    play_put_("["), play_string_(name), play_put_(",[");
    while (count--)
        play_node_(nodes[count]);
    play_put_("]]");
}

static void play_fact_(const char *name, long long number)
{
    char text[24];

    snprintf(text, sizeof text, "%lld", number);
    play_next_();
    play_put_("["), play_string_(name), play_put_(","), play_string_(text), play_put_("]");
}

static void play_size_fact_(const char *name, const struct play_object_ *object)
{
    if (object->parameter)
        play_fact_(name, (long long)play_size_(object));
}

static void play_said_(const char *name, bool fact)
{
    play_next_();
    play_put_("["), play_string_(name), play_put_(","), play_string_(fact ? "yes" : "no"),
        play_put_("]");
}

static void play_holder_(const char *name, const struct pt_task *task)
{
    play_next_();
    play_put_("["), play_string_(name), play_put_(","), play_pointer_(task), play_put_("]");
}

/* The tasks of a group. */
static void play_group_members_(const struct pt_group *group)
{
    play_next_();
    play_put_("[\"tasks\",[");
    for (const struct pt_node *node =
             group->members.end.prev ? pt_wait_queue_first_(&group->members) : NULL;
         node; node = pt_wait_queue_next_(&group->members, node)) {
        play_next_();
        play_number_(play_id_(pt_task_of_member_((struct pt_node *)(uintptr_t)node)));
    }
    play_put_("]]");
}

static void play_word_(const char *name, const char *word)
{
    play_next_();
    play_put_("["), play_string_(name), play_put_(","), play_string_(word), play_put_("]");
}

static void play_group_facts_(const struct pt_group *group)
{
    static const char *const policies[] = {"all", "all or none", "first", "first success"};

    play_word_("policy", policies[group->policy]);
    play_word_("status", play_code_(group->status));
    play_said_("canceled", group->over);
    play_holder_("opened by", group->scope.state == PT_SCOPE_CLOSED_ ? NULL : group->owner);
}

/* The sides at which tasks wait. */
static void play_sides_(const struct play_object_ *object)
{
    const void *at = object->at;

    switch (object->kind) {
    case 'C':
        play_queue_("senders", &((const struct pt_channel_ *)at)->senders);
        play_queue_("receivers", &((const struct pt_channel_ *)at)->receivers);
        break;
    case 'Q':
        play_queue_("pushers", &((const struct pt_queue_ *)at)->pushers);
        play_queue_("poppers", &((const struct pt_queue_ *)at)->poppers);
        break;
    case 'E': play_list_("waiters", &((const struct pt_event *)at)->waiters); break;
    case 'L': play_queue_("waiters", &((const struct pt_lock *)at)->waiters); break;
    case 'S': play_queue_("waiters", &((const struct pt_semaphore *)at)->waiters); break;
    case 'N': play_queue_("waiters", &((const struct pt_condition *)at)->waiters); break;
    case 'F': play_queue_("waiters", &((const struct pt_flags *)at)->waiters); break;
    case 'R': play_list_("waiters", &((const struct pt_barrier *)at)->waiters); break;
    case 'B': play_list_("waiters", &((const struct pt_broadcast_ *)at)->waiters); break;
    case 'P': play_queue_("waiters", &((const struct pt_pool *)at)->waiters); break;
    case 'G':
        play_group_members_((const struct pt_group *)at);
        play_list_("waiters", &((const struct pt_group *)at)->waiters);
        break;
    case 'W':
        play_list_("readers", &((const struct pt_rwlock *)at)->readers);
        play_queue_("writers", &((const struct pt_rwlock *)at)->writers);
        break;
    default: break;
    }
}

/* What else is known of an object. */
static void play_facts_(const struct play_object_ *object)
{
    const void *at = object->at;

    switch (object->kind) {
    case 'C': play_said_("closed", ((const struct pt_channel_ *)at)->closed); break;
    case 'Q':
        play_fact_("values", ((const struct pt_queue_ *)at)->count);
        play_fact_("places", ((const struct pt_queue_ *)at)->capacity);
        play_said_("closed", ((const struct pt_queue_ *)at)->closed);
        break;
    case 'E': play_said_("set", ((const struct pt_event *)at)->set); break;
    case 'L': play_holder_("holder", ((const struct pt_lock *)at)->owner); break;
    case 'S':
        play_fact_("free", ((const struct pt_semaphore *)at)->count);
        play_fact_("of", ((const struct pt_semaphore *)at)->limit);
        break;
    case 'F': play_fact_("bits", ((const struct pt_flags *)at)->bits); break;
    case 'R':
        play_fact_("waiting", ((const struct pt_barrier *)at)->waiting);
        play_fact_("parties", ((const struct pt_barrier *)at)->parties);
        break;
    case 'B':
        play_fact_("sent", ((const struct pt_broadcast_ *)at)->count);
        play_size_fact_("keeps", object);
        break;
    case 'P':
        play_fact_("used", ((const struct pt_pool *)at)->used);
        play_size_fact_("of", object);
        break;
    case 'G': play_group_facts_((const struct pt_group *)at); break;
    case 'W':
        play_holder_("writer", ((const struct pt_rwlock *)at)->writer);
        play_fact_("reading", ((const struct pt_rwlock *)at)->reading);
        break;
    default: break;
    }
}

/* The values in a queue, the oldest first. */
static void play_items_(const struct play_object_ *object)
{
    const struct pt_queue_ *queue = (const struct pt_queue_ *)object->at;

    play_key_("items");
    play_put_("[");
    for (unsigned i = 0; queue->items && i < queue->count && i < 16; i++) {
        unsigned place = (queue->first + i) % queue->capacity;

        play_next_();
        play_one_value_(object->item,
                        (const unsigned char *)queue->items + place * object->item_size,
                        object->item_size);
    }
    play_put_("]");
}

static void play_show_object_(const struct play_object_ *object)
{
    play_next_();
    play_put_("{");
    play_key_("name"), play_string_(object->name);
    play_key_("kind"), play_string_(object->word);
    play_key_("sides"), play_put_("["), play_sides_(object), play_put_("]");
    play_key_("facts"), play_put_("["), play_facts_(object), play_put_("]");
    if (object->kind == 'Q')
        play_items_(object);
    play_put_("}");
}

/* A frame that no loop runs: a generator's, or of a program with a scheduler of its own. */
static bool play_alone_(const struct play_object_ *object)
{
    if (object->kind != 'X')
        return false;
    for (int i = 0; i < play_count_; i++)
        if ((const char *)play_known_[i].task <= (const char *)object->at &&
            (const char *)object->at < (const char *)(play_known_[i].task + 1) + sizeof(void *))
            return false;
    return play_type_of_((const struct pt *)object->at) != NULL;
}

static void play_objects_all_(void)
{
    play_key_("objects");
    play_put_("[");
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_found_[i].kind != 'X')
            play_show_object_(&play_found_[i]);
    play_put_("]");
    play_key_("alone");
    play_put_("[");
    for (size_t i = 0; i < play_objects_count_; i++)
        if (play_alone_(&play_found_[i])) {
            play_next_();
            play_frame_((const struct pt *)play_found_[i].at, play_found_[i].name,
                        play_line_of_((const struct pt *)play_found_[i].at, false));
        }
    play_put_("]");
}

#endif
