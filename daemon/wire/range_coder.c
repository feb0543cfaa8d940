/* range_coder.c - codes numbers as decisions, and decisions by their probability. */
#include "daemon/wire/range_coder.h"

#include <string.h>

enum {
    ONE_BITS = 15,
    CERTAIN = 1 << ONE_BITS,
    EXPONENT_NODES = 12,
    TREE_EXPONENT_MAX = 4, /* numbers up to 30 have a context for each bit */
    TOP_NODE = 37,         /* + exponent: the bit after the first, of larger numbers */
    EXPONENT_MAX = 12      /* that has contexts of its own */
};
static const uint32_t range_min = 1U << 24;

void range_coder_init(struct range_coder *c, uint8_t *bytes, size_t capacity)
{
    *c = (struct range_coder){.bytes = bytes, .capacity = capacity, .range = UINT32_MAX};
}

void range_coder_init_table(struct range_table *t)
{
    for (size_t i = 0; i < sizeof t->one / sizeof t->one[0]; i++)
        t->one[i] = CERTAIN / 2;
    memset(t->seen, 0, sizeof t->seen);
    for (uint32_t i = 0; i <= RANGE_SEEN_MAX; i++)
        t->rate[i] = (uint16_t)(65536 / (i + 2));
}

/* ---- decisions -------------------------------------------------------------------------- */

/* Adds the bit above the 32 of `low` to the bytes written. */
static void carry(struct range_coder *c)
{
    size_t at = c->size;
    while (at > 0 && ++c->bytes[--at] == 0) {
    }
    c->low &= UINT32_MAX;
}

static void write_byte(struct range_coder *c)
{
    if (c->size < c->capacity)
        c->bytes[c->size++] = (uint8_t)(c->low >> 24);
    else
        c->full = true;
    c->low = c->low << 8 & UINT32_MAX;
}

static inline void decide(struct range_coder *c, uint32_t one, bool bit)
{
    const uint32_t bound = (c->range >> ONE_BITS) * one;
    c->low += bit ? 0 : bound;
    c->range = bit ? bound : c->range - bound;
    if (c->low > UINT32_MAX)
        carry(c);
    while (c->range < range_min) {
        write_byte(c);
        c->range <<= 8;
    }
}

/* `one` stays between 63 and 32705: from there on, steps are less than 1 and round to 0. */
static inline void learn(struct range_table *t, size_t context, bool bit)
{
    const uint32_t rate = t->rate[t->seen[context]];
    const uint32_t one = t->one[context];
    t->one[context] =
        (uint16_t)(bit ? one + ((CERTAIN - one) * rate >> 16) : one - (one * rate >> 16));
    if (t->seen[context] < RANGE_SEEN_MAX)
        t->seen[context]++;
}

static inline void put_bit(struct range_coder *c, struct range_table *t, uint32_t at, uint32_t node,
                           bool bit)
{
    const uint32_t part = at % RANGE_PARTS;
    const size_t lower = (size_t)(at / RANGE_PARTS) * RANGE_NODES + node;
    const size_t upper = lower + RANGE_NODES;
    const uint32_t one =
        (t->one[lower] * (RANGE_PARTS - part) + t->one[upper] * part) / RANGE_PARTS;
    decide(c, one, bit);
    learn(t, lower, bit);
    if (part > 0)
        learn(t, upper, bit);
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* The bits of number + 1 below its highest one, which is 2^exponent. */
static void put_mantissa(struct range_coder *c, struct range_table *t, uint32_t at, uint32_t value,
                         uint32_t exponent)
{
    uint32_t prefix = 1;
    for (uint32_t i = exponent; i-- > 0;) {
        const bool bit = value >> i & 1;
        if (exponent <= TREE_EXPONENT_MAX)
            put_bit(c, t, at, EXPONENT_NODES + (1U << exponent) - 3 + prefix, bit);
        else if (i == exponent - 1)
            put_bit(c, t, at, TOP_NODE + (exponent < EXPONENT_MAX ? exponent : EXPONENT_MAX), bit);
        else
            decide(c, CERTAIN / 2, bit);
        prefix = prefix << 1 | bit;
    }
}

void range_coder_put(struct range_coder *c, struct range_table *t, uint32_t at, uint32_t number)
{
    const uint32_t value = number + 1;
    const uint32_t exponent = 31 - (uint32_t)__builtin_clz(value);
    for (uint32_t i = 0; i < exponent; i++)
        put_bit(c, t, at, i < EXPONENT_NODES ? i : EXPONENT_NODES - 1, true);
    put_bit(c, t, at, exponent < EXPONENT_NODES ? exponent : EXPONENT_NODES - 1, false);
    put_mantissa(c, t, at, value, exponent);
}

uint32_t range_coder_interleave(int32_t number)
{
    return number > 0 ? 2 * (uint32_t)number - 1 : 2 * (0 - (uint32_t)number);
}

/* The shortest number in [low, low + range) is a multiple of 2^24. */
size_t range_coder_finish(struct range_coder *c)
{
    c->low += range_min - 1;
    if (c->low > UINT32_MAX)
        carry(c);
    write_byte(c);
    return c->full ? 0 : c->size;
}
