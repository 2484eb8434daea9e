/* test_pieces.c - a description of the memory: areas, pieces in pieces, copies of what can vanish
 * SPDX-License-Identifier: MIT */
/* with the room loop: others of its own have some of its names */
#include "pt_test.h"

#if PT_INSPECT && PT_CHANNELS

static struct pt_area areas[1];
static struct pt_piece pieces[64];
static struct pt_memory memory;

static void *target[4][2]; /* blocks */

/* Describe the targets and these blocks, and read the area. */
static void read_area(const void *start, const void *end)
{
    areas[0].start = start;
    areas[0].end = end;
    for (int i = 0; i < 4; i++)
        ck_assert(pt_memory_add(&memory, target[i], sizeof target[i]));
    pt_memory_begin_(&memory);
    pt_memory_read_areas_(&memory);
}

/* Whether something points to the Ith target. */
static bool reached(int i)
{
    return pt_memory_reached_(&memory, (uintptr_t)target[i]);
}

START_TEST(an_area_that_begins_in_a_piece_in_a_piece_is_read_behind_both)
{
    static void *words[12];

    words[4] = target[0]; /* in the inner piece */
    words[7] = target[1]; /* in the outer one */
    words[8] = target[2]; /* behind it */
    words[11] = target[3];
    pt_memory_init(&memory, areas, 1, pieces, 64);
    ck_assert(pt_memory_add(&memory, words, 8 * sizeof words[0]));
    ck_assert(pt_memory_add(&memory, words + 2, 4 * sizeof words[0]));
    read_area(words + 3, words + 12);
    ck_assert(!reached(0));
    ck_assert(!reached(1));
    ck_assert(reached(2));
    ck_assert(reached(3));
}
END_TEST

START_TEST(a_word_at_the_end_of_an_area_that_is_not_whole_is_not_read)
{
    static void *words[3];

    words[0] = target[0];
    words[1] = target[1];
    words[2] = target[2];
    pt_memory_init(&memory, areas, 1, pieces, 64);
    read_area((const char *)words + 1, (const char *)words + sizeof words - 1);
    ck_assert(!reached(0));
    ck_assert(reached(1));
    ck_assert(!reached(2));
}
END_TEST

enum { PAGE = 4096 };

static char region[4 * PAGE];
static uintptr_t hole; /* the page that cannot be read */

static size_t copy_but_not_the_hole(struct pt_memory *of, uintptr_t from, size_t bytes)
{
    if (from / PAGE * PAGE == hole)
        return 0;
    if (from < hole && from + bytes > hole)
        bytes = hole - from;
    memcpy(of->copy, (const void *)from, bytes);
    return bytes;
}

START_TEST(what_cannot_be_read_is_left_out_up_to_the_next_page)
{
    static uintptr_t copy[100];
    char *const page = region + (PAGE - (uintptr_t)region % PAGE);
    void *const points[] = {target[0], target[1], target[2], target[3]};

    memset(region, 0, sizeof region);
    hole = (uintptr_t)page + PAGE;
    memcpy(page + PAGE - sizeof(void *), &points[0], sizeof(void *));
    memcpy(page + PAGE, &points[1], sizeof(void *));
    memcpy(page + 2 * PAGE - sizeof(void *), &points[2], sizeof(void *));
    memcpy(page + 2 * PAGE, &points[3], sizeof(void *));
    pt_memory_init(&memory, areas, 1, pieces, 64);
    memory.read = copy_but_not_the_hole;
    memory.copy = copy;
    memory.copy_bytes = sizeof copy;
    read_area(page + 1, page + 3 * PAGE - 1);
    ck_assert(reached(0));
    ck_assert(!reached(1));
    ck_assert(!reached(2));
    ck_assert(reached(3));
}
END_TEST

START_TEST(pieces_in_pieces_are_found_at_each_address)
{
    static char bytes[100];
    const struct {
        int start, end;
    } spans[] = {{60, 70}, {0, 50}, {10, 40}, {20, 30}, {10, 20}, {90, 100}};

    pt_memory_init(&memory, NULL, 0, pieces, 64);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++)
        ck_assert(pt_memory_add(&memory, bytes + spans[i].start,
                                (size_t)(spans[i].end - spans[i].start)));
    pt_memory_begin_(&memory);
    for (int at = 0; at < 100; at++) {
        size_t piece = pt_memory_piece_(&memory, (uintptr_t)bytes + (uintptr_t)at);
        int best = -1;

        for (int i = 0; i < 6; i++)
            if (at >= spans[i].start && at < spans[i].end &&
                (best < 0 || spans[i].end - spans[i].start < spans[best].end - spans[best].start))
                best = i;
        if (best < 0)
            ck_assert(piece == PT_NO_PIECE_);
        else
            ck_assert_uint_eq(memory.pieces[piece].start,
                              (uintptr_t)bytes + (uintptr_t)spans[best].start);
    }
}
END_TEST

Suite *suite_pieces(void)
{
    Suite *suite = test_suite("pieces");

    test_add(suite, an_area_that_begins_in_a_piece_in_a_piece_is_read_behind_both);
    test_add(suite, a_word_at_the_end_of_an_area_that_is_not_whole_is_not_read);
    test_add(suite, what_cannot_be_read_is_left_out_up_to_the_next_page);
    test_add(suite, pieces_in_pieces_are_found_at_each_address);
    return suite;
}
#else

Suite *suite_pieces(void)
{
    return test_suite("pieces");
}

#endif
