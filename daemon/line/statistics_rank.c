/* statistics_rank.c - percentiles of bins: selects a value by its bits. */
#include <math.h>
#include <string.h>

#include "daemon/line/statistics.h"

/* Floats that are not negative have the order of their bits. */
static int32_t bits_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
enum { LANES = 4, VECTORS = 2, BLOCK = VECTORS * LANES };

typedef int32_t vector __attribute__((vector_size(LANES * sizeof(int32_t))));

static bool is_any(vector v)
{
    return v[0] | v[1] | v[2] | v[3];
}

struct values {
    const float *value;
    uint32_t count, stride;
    const struct line_bins *gap;
    uint32_t gaps;
};

/* Bits from first to last, which have at most DIGITS different ones above the shift. */
struct value_range {
    int32_t first, last;
    int shift;
};

static struct value_range range_of(uint32_t first, uint32_t last)
{
    struct value_range s = {(int32_t)first, (int32_t)last, 0};
    while ((last - first) >> s.shift >= DIGITS)
        s.shift++;
    return s;
}

static struct value_range whole_range(void)
{
    return range_of(0, INT32_MAX);
}

/* Values below a range, and those in it by their digits. */
struct tally {
    struct value_range range;
    uint32_t below;
    uint32_t counts[2][DIGITS]; /* their sum counts */
};

/*
 * Noise has few different digits, and an addition waits for the one before it to the same count:
 * two tables take turns. A branch would often be predicted wrongly.
 */
static void add_digits(struct tally *t, const int32_t *bits, uint32_t count, uint32_t sign)
{
    const struct value_range s = t->range;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t inside = (bits[i] >= s.first) & (bits[i] <= s.last);
        const uint32_t digit = ((uint32_t)bits[i] - (uint32_t)s.first) >> s.shift & (DIGITS - 1);
        t->counts[i % 2][digit] += inside * sign;
    }
}

static void add_one(struct tally *t, float value, uint32_t sign)
{
    const int32_t bits = bits_of(value);
    t->below += bits < t->range.first ? sign : 0;
    add_digits(t, &bits, 1, sign);
}

/* Most blocks have no value in a narrow range. */
static void add_blocks(struct tally *t, const float *value, uint32_t count, uint32_t sign)
{
    const struct value_range s = t->range;
    vector below = {0};
    uint32_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        vector bits[VECTORS], inside = {0};
        memcpy(bits, value + i, sizeof bits);
        for (int k = 0; k < VECTORS; k++) {
            below += bits[k] < s.first;
            inside |= (bits[k] >= s.first) & (bits[k] <= s.last);
        }
        if (is_any(inside))
            add_digits(t, (const int32_t *)bits, BLOCK, sign);
    }
    for (int k = 0; k < LANES; k++)
        t->below -= (uint32_t)below[k] * sign; /* true is -1 */
    for (; i < count; i++)
        add_one(t, value[i], sign);
}

static void tally(struct tally *t, const struct values *v, struct value_range range)
{
    *t = (struct tally){.range = range};
    if (v->stride > 1)
        for (uint32_t i = 0; i < v->count; i++)
            add_one(t, v->value[(size_t)i * v->stride], 1);
    else
        add_blocks(t, v->value, v->count, 1);
    for (uint32_t g = 0; g < v->gaps; g++)
        add_blocks(t, v->value + v->gap[g].first, v->gap[g].last - v->gap[g].first + 1, -1U);
}

/* The part of the range that has the value of this rank. False: it is not in the range. */
static bool narrow(const struct tally *t, uint32_t rank, struct value_range *part)
{
    uint32_t before = t->below;
    for (uint32_t digit = 0; rank >= before && digit < DIGITS; digit++) {
        const uint32_t count = t->counts[0][digit] + t->counts[1][digit];
        const uint32_t first = (uint32_t)t->range.first + (digit << t->range.shift);
        if (rank - before < count) {
            *part = range_of(first, first + (1U << t->range.shift) - 1);
            return true;
        }
        before += count;
    }
    return false;
}

/* The value of a rank, by its bits. A range that has it, and few others, saves time. */
static float select_rank(const struct values *v, uint32_t rank, struct value_range range)
{
    struct tally t;
    do {
        const bool whole = range.shift == whole_range().shift;
        tally(&t, v, range);
        if (!narrow(&t, rank, &range)) {
            if (whole)
                return 0; /* of values that should be >= 0 */
            range = whole_range();
        }
    } while (t.range.shift > 0 || range.first != range.last);
    float value;
    memcpy(&value, &range.first, sizeof value);
    return value;
}

/*
 * Where the rank is among many values: between two ranks of a sample, three standard deviations of
 * the sample's rank away. Two passes find it there, which skip most blocks. In 3 of 1000 cases it
 * is not there, and three slow passes follow.
 */
static struct value_range likely_range(const struct values *v, uint32_t rank, uint32_t left)
{
    enum { SAMPLE = 1 << 15, WORTH = 16 * SAMPLE };
    if (v->count < WORTH || v->count - left > v->count / SAMPLE)
        return whole_range();
    /* odd: bins of a periodic signal repeat at powers of two */
    const uint32_t stride = (v->count / SAMPLE - 1) | 1;
    const struct values sample = {.value = v->value, .count = SAMPLE, .stride = stride};
    const double part = (double)rank / left, reach = 3 * sqrt(part * (1 - part) / SAMPLE) + 3e-4;
    const double low = (part - reach) * (SAMPLE - 1), high = (part + reach) * (SAMPLE - 1);
    struct value_range range = whole_range();
    const int32_t first =
        low > 0 ? bits_of(select_rank(&sample, (uint32_t)low, range)) : range.first;
    const int32_t last =
        high < SAMPLE - 1 ? bits_of(select_rank(&sample, (uint32_t)high, range)) : range.last;
    return range_of((uint32_t)first, (uint32_t)last);
}

static uint32_t sum_of(const struct line_bins *gap, uint32_t gaps)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < gaps; i++)
        sum += gap[i].last - gap[i].first + 1;
    return sum;
}

float statistics_percentile_without(const float *values, uint32_t count,
                                    const struct line_bins *gap, uint32_t gaps, double percent)
{
    const struct values v = {values, count, 1, gap, gaps};
    const uint32_t left = count - sum_of(gap, gaps);
    if (left == 0)
        return statistics_percentile(values, count, percent);
    const uint32_t rank = (uint32_t)(percent / 100 * (left - 1) + 0.5);
    return select_rank(&v, rank, likely_range(&v, rank, left));
}

float statistics_percentile(const float *values, uint32_t count, double percent)
{
    return statistics_percentile_without(values, count, NULL, 0, percent);
}
