/* chance.c - the source of all random choices
 * SPDX-License-Identifier: MIT */
#include "draw.h"

/* xorshift64*, Vigna, 2014: the model shares no code with pt, not even the random generator. */
static uint64_t chance;

static const uint8_t *bytes, *bytes_end; /* used instead of the generator, unless NULL */

void chance_seed(uint64_t seed)
{
    bytes = NULL;
    chance = seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
}

void chance_bytes(const uint8_t *data, size_t count)
{
    static const uint8_t none;

    bytes = count ? data : &none;
    bytes_end = bytes + count;
}

static int byte(void)
{
    return bytes == bytes_end ? 0 : *bytes++;
}

int below(int limit)
{
    if (bytes) {
        int high = limit > 256 ? byte() : 0;

        return (high << 8 | byte()) % limit;
    }
    chance ^= chance >> 12;
    chance ^= chance << 25;
    chance ^= chance >> 27;
    return (int)((chance * 0x2545f4914f6cdd1du >> 33) % (unsigned)limit);
}

bool one_in(int n)
{
    return below(n) == 0;
}
