/* powers.c - the largest power of a range, its bin, and the first bin above a power. */
#include "daemon/line/powers.h"

enum { LANES = 16 }; /* comparisons that do not wait for each other */

struct powers powers_of_bins(const float *bins, uint32_t n)
{
    return (struct powers){.n = n, .levels = 1, .level = {bins}};
}

struct powers powers_of_line(const struct line *line, unsigned detector)
{
    struct powers p = powers_of_bins(line->detector[detector], line->n);
    line_need_pyramid(line, detector);
    const float *at = line->peak[detector];
    for (uint32_t count = line->n / 2; count > 0; at += count, count /= 2)
        p.level[p.levels++] = at;
    return p;
}

/* As fmaxf, also for a NAN, but without a call. */
static float larger(float max, float power)
{
    return power > max ? power : max;
}

/* ---- without a pyramid ------------------------------------------------------------------ */

static float scan_largest(const float *power, uint32_t from, uint32_t to)
{
    float most[LANES] = {0}, max = 0;
    for (; from + LANES <= to; from += LANES)
        for (uint32_t lane = 0; lane < LANES; lane++)
            most[lane] = larger(most[lane], power[from + lane]);
    for (; from < to; from++)
        max = larger(max, power[from]);
    for (uint32_t lane = 0; lane < LANES; lane++)
        max = larger(max, most[lane]);
    return max;
}

static bool is_any_above(const float *power, float limit)
{
    int any = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
        any |= power[lane] > limit;
    return any;
}

static uint32_t scan_above(const float *power, uint32_t from, uint32_t to, float limit)
{
    while (from + LANES <= to && !is_any_above(power + from, limit))
        from += LANES;
    while (from < to && !(power[from] > limit))
        from++;
    return from;
}

static uint32_t scan_strongest(const float *power, uint32_t from, uint32_t to)
{
    const float largest = scan_largest(power, from, to);
    uint32_t k = from;
    while (k + 1 < to && !(power[k] >= largest))
        k++;
    return k;
}

/* ---- with a pyramid --------------------------------------------------------------------- */

/* A range of one level is at most a bin at each end and a range of the level above. */
static float climb_largest(const struct powers *p, uint32_t from, uint32_t to)
{
    float max = 0;
    for (unsigned l = 0; from < to; l++, from /= 2, to /= 2) {
        const float *level = p->level[l];
        if (from & 1)
            max = larger(max, level[from++]);
        if (to & 1)
            max = larger(max, level[--to]);
    }
    return max;
}

static uint32_t divide_strongest(const struct powers *p, uint32_t from, uint32_t to)
{
    while (to - from > 1) {
        const uint32_t middle = from + (to - from) / 2;
        if (climb_largest(p, from, middle) >= climb_largest(p, middle, to))
            to = middle;
        else
            from = middle;
    }
    return from;
}

static bool has_parent(const struct powers *p, uint32_t at, unsigned l)
{
    return l + 1 < p->levels && at / 2 < p->n >> (l + 1);
}

/* The first bin above the limit among those of value `at` of level l, which is above it. */
static uint32_t descend(const struct powers *p, uint32_t at, unsigned l, float limit)
{
    while (l > 0) {
        at *= 2;
        l--;
        at += !(p->level[l][at] > limit);
    }
    return at;
}

static uint32_t climb_above(const struct powers *p, uint32_t from, uint32_t to, float limit)
{
    unsigned l = 0;
    for (uint32_t at = from; (uint64_t)at << l < to;) {
        if (p->level[l][at] > limit) {
            const uint32_t bin = descend(p, at, l, limit);
            return bin < to ? bin : to;
        }
        at++;
        for (; at % 2 == 0 && has_parent(p, at, l); l++)
            at /= 2;
        for (; l > 0 && at >= p->n >> l; l--) /* the last of an odd number has no parent */
            at *= 2;
    }
    return to;
}

/* ---- either ----------------------------------------------------------------------------- */

float powers_largest(const struct powers *p, uint32_t from, uint32_t to)
{
    return p->levels > 1 ? climb_largest(p, from, to) : scan_largest(p->level[0], from, to);
}

uint32_t powers_strongest(const struct powers *p, uint32_t from, uint32_t to)
{
    return p->levels > 1 ? divide_strongest(p, from, to) : scan_strongest(p->level[0], from, to);
}

uint32_t powers_above(const struct powers *p, uint32_t from, uint32_t to, float power)
{
    return p->levels > 1 ? climb_above(p, from, to, power)
                         : scan_above(p->level[0], from, to, power);
}
