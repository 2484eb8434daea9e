/* programs.c - typical programs written with the classic pt.h and pt-sem.h
 * SPDX-License-Identifier: MIT */
#include "pt-sem.h"
#include "trace.h"

/* --- a bounded buffer, and three semaphores ---------------------------------------------- */

#define ITEMS 7
#define ROOM 2

static char buffer[ROOM];
static int in, out;
static struct pt_sem mutex, filled, empty;

static void add_to_buffer(char item)
{
    put(item);
    buffer[in] = item;
    in = (in + 1) % ROOM;
}

static char get_from_buffer(void)
{
    char item = buffer[out];

    out = (out + 1) % ROOM;
    return item;
}

static PT_THREAD(producer(struct pt *pt))
{
    static int produced;

    PT_BEGIN(pt);
    for (produced = 0; produced < ITEMS; produced++) {
        PT_SEM_WAIT(pt, &empty);
        PT_SEM_WAIT(pt, &mutex);
        add_to_buffer((char)('a' + produced));
        PT_SEM_SIGNAL(pt, &mutex);
        PT_SEM_SIGNAL(pt, &filled);
    }
    PT_END(pt);
}

static PT_THREAD(consumer(struct pt *pt))
{
    static int consumed;

    PT_BEGIN(pt);
    for (consumed = 0; consumed < ITEMS; consumed++) {
        PT_SEM_WAIT(pt, &filled);
        PT_SEM_WAIT(pt, &mutex);
        put((char)(get_from_buffer() - 'a' + 'A'));
        PT_SEM_SIGNAL(pt, &mutex);
        PT_SEM_SIGNAL(pt, &empty);
        if (consumed == 3)
            PT_YIELD(pt);
    }
    PT_END(pt);
}

static PT_THREAD(driver_thread(struct pt *pt))
{
    static struct pt pt_producer, pt_consumer;

    PT_BEGIN(pt);
    in = out = 0;
    PT_SEM_INIT(&empty, ROOM);
    PT_SEM_INIT(&filled, 0);
    PT_SEM_INIT(&mutex, 1);
    PT_INIT(&pt_producer);
    PT_INIT(&pt_consumer);
    PT_WAIT_THREAD(pt, producer(&pt_producer) & consumer(&pt_consumer));
    PT_END(pt);
}

int a_producer_and_a_consumer_share_a_bounded_buffer(void)
{
    static struct pt driver;

    PT_INIT(&driver);
    while (PT_SCHEDULE(driver_thread(&driver)))
        put(' ');
    return traced("abAB cdCD efEF gG") && mutex.count == 1 && filled.count == 0;
}

static PT_THREAD(passes(struct pt *pt))
{
    PT_BEGIN(pt);
    for (;;) {
        PT_SEM_WAIT(pt, &filled);
        put('p');
    }
    PT_END(pt);
}

int a_semaphore_lets_so_many_pass_and_no_more(void)
{
    static struct pt pt;

    PT_INIT(&pt);
    PT_SEM_INIT(&filled, 2);
    put_said(passes(&pt));
    put_said(passes(&pt));
    PT_SEM_SIGNAL(&pt, &filled);
    put_said(passes(&pt));
    return traced("ppWWpW");
}

/* --- a code lock: four keys, each within so many ticks of the one before -------------------- */

struct timer {
    unsigned start, interval;
};

static unsigned now;
static char key;

static void timer_set(struct timer *t, unsigned interval)
{
    t->start = now;
    t->interval = interval;
}

static int timer_expired(struct timer *t)
{
    return now - t->start >= t->interval;
}

static int key_pressed(void)
{
    return key != 0;
}

static PT_THREAD(lock_thread(struct pt *pt))
{
    static const char code[] = "1742";
    static struct timer limit;
    static int n;

    PT_BEGIN(pt);
    for (;;) {
        for (n = 0; n < 4; n++) {
            if (n == 0) {
                PT_WAIT_UNTIL(pt, key_pressed());
            } else {
                timer_set(&limit, 10);
                PT_WAIT_UNTIL(pt, key_pressed() || timer_expired(&limit));
                if (timer_expired(&limit)) {
                    put('t');
                    break;
                }
            }
            if (key != code[n]) {
                key = 0;
                put('x');
                break;
            }
            key = 0;
            put('.');
        }
        if (n == 4) {
            put('!');
            PT_EXIT(pt);
        }
    }
    PT_END(pt);
}

/* press - press the keys, two ticks apart; a blank is a tick without a key */
static void press(struct pt *pt, const char *keys)
{
    for (; *keys; keys++) {
        key = (char)(*keys == ' ' ? 0 : *keys);
        if (!PT_SCHEDULE(lock_thread(pt)))
            return;
        now += 2;
    }
}

int a_code_lock_opens_for_the_right_keys_in_time(void)
{
    static struct pt pt;

    now = 0u - 7u; /* the clock wraps in the middle */
    PT_INIT(&pt);
    press(&pt, "1 74  3");
    press(&pt, "17      2");
    press(&pt, "17 4   2");
    return traced("...x..tx....!");
}

/* --- a radio that sleeps, awake for 2 of 10 ticks, or for as long as it sends ---------------- */

static int sending;

static PT_THREAD(radio_wake_thread(struct pt *pt))
{
    static struct timer wake, sleep;

    PT_BEGIN(pt);
    while (1) {
        put('+');
        timer_set(&wake, 2);
        PT_WAIT_UNTIL(pt, timer_expired(&wake) && !sending);
        put('-');
        timer_set(&sleep, 8);
        PT_WAIT_UNTIL(pt, timer_expired(&sleep));
    }
    PT_END(pt);
}

int a_radio_sleeps_unless_it_has_something_to_say(void)
{
    static struct pt pt;

    PT_INIT(&pt);
    for (now = 0; now < 26; now++) {
        put((char)('0' + now % 10));
        sending = now > 10 && now < 15;
        radio_wake_thread(&pt);
    }
    return traced("0+12-3456789"
                  "0+12345-6789"
                  "0123+45-");
}

/* --- nested threads: one reads a line, a child reads a word, its child reads a letter --------- */

static const char *input;
static char letter;

static PT_THREAD(read_letter(struct pt *pt))
{
    PT_BEGIN(pt);
    PT_WAIT_UNTIL(pt, *input != '_'); /* no input yet */
    letter = *input++;
    PT_END(pt);
}

static PT_THREAD(read_word(struct pt *pt))
{
    static struct pt child;

    PT_BEGIN(pt);
    do {
        PT_SPAWN(pt, &child, read_letter(&child));
        if (letter == '\n')
            PT_EXIT(pt);
        put(letter);
    } while (letter != ' ');
    PT_END(pt);
}

static PT_THREAD(read_line(struct pt *pt))
{
    static struct pt child;
    static int words;

    PT_BEGIN(pt);
    for (words = 1;; words++) {
        PT_SPAWN(pt, &child, read_word(&child));
        if (letter == '\n')
            break;
    }
    put((char)('0' + words));
    PT_END(pt);
}

int threads_of_three_levels_are_called_through_their_parents(void)
{
    static struct pt pt;

    PT_INIT(&pt);
    for (input = "to_ b_e or\n"; PT_SCHEDULE(read_line(&pt)); input++)
        put('/');
    return traced("to/ b/e or3");
}

/* --- possible because labels are counters, not line numbers ------------------------------------ */

/* clang-format off */
static PT_THREAD(on_one_line(struct pt *pt))
{
    PT_BEGIN(pt);
#if PT_COUNTER_ || defined(LC_INCLUDE)
    put('a'); PT_YIELD(pt); put('b'); PT_YIELD(pt); put('c');
#else
    put('a'); PT_YIELD(pt);
    put('b'); PT_YIELD(pt); put('c');
#endif
    PT_END(pt);
}
/* clang-format on */

int waits_on_one_line_are_different(void)
{
    static struct pt pt;

    PT_INIT(&pt);
    put_said(on_one_line(&pt));
    put_said(on_one_line(&pt));
    put_said(on_one_line(&pt));
    return traced("aYbYcE");
}
