/* cost.c - passes, misses and faults of a base. */
#include "studies/four_easy_ways/derivation/cost.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const struct cost_machine cost_sun_20 = {.memory_bytes = 64e6,
                                         .page_bytes = 8192,
                                         .point_bytes = 16,
                                         .point_s = 5.8e-6,
                                         .term_s = 2.4e-6,
                                         .fault_s = 12.4e-3};

static uint32_t passes_of(uint32_t n, uint32_t base)
{
    return (uint32_t)lround(log(n) / log(base));
}

static bool is_power(uint32_t n, uint32_t base)
{
    while (n % base == 0)
        n /= base;
    return n == 1;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Counts the lines at this distance that a cache can hold at once: the sets they reach, times its
 * ways. */
static uint64_t capacity(const struct cost_cache *c, uint64_t distance)
{
    const uint64_t way = c->bytes / c->ways, step = common_divisor(distance, way);
    assert(c->line_bytes > 0);
    return way / (step > c->line_bytes ? step : c->line_bytes) * c->ways;
}

double cost_misses(const struct cost_cache *c, uint64_t point_bytes, uint32_t n, uint32_t base)
{
    const double lines = (double)(n * point_bytes) / (double)c->line_bytes;
    double misses = 0;

    if (c->bytes == 0)
        return 0;
    if (n * point_bytes <= c->bytes)
        return lines;
    for (uint64_t apart = 1; apart < n; apart *= base) {
        const uint64_t distance = apart * point_bytes;
        const bool shared = distance < c->line_bytes; /* neighbours in one line */
        misses += !shared && base > capacity(c, distance) ? 2.0 * n : lines;
    }
    return misses;
}

double cost_reversal_misses(const struct cost_cache *c, uint64_t point_bytes, uint32_t n)
{
    if (c->bytes == 0)
        return 0;
    return n * point_bytes <= c->bytes ? (double)(n * point_bytes) / (double)c->line_bytes : n;
}

/* ---- by simulation ------------------------------------------------------------------- */

struct simulation {
    const struct cost_cache *cache;
    uint64_t point_bytes, sets, *held; /* [sets][ways]: line + 1, the last one used first */
    double misses;
};

static void touch(struct simulation *p, uint64_t point)
{
    const uint64_t line = point * p->point_bytes / p->cache->line_bytes + 1;
    uint64_t *set = p->held + line % p->sets * p->cache->ways;
    uint32_t at = 0;
    while (at < p->cache->ways - 1 && set[at] != line)
        at++;
    p->misses += set[at] != line;
    memmove(set + 1, set, at * sizeof *set);
    *set = line;
}

static void simulate_pass(struct simulation *p, uint32_t n, uint32_t base, uint32_t apart)
{
    for (uint64_t column = 0; column < n; column += (uint64_t)base * apart)
        for (uint64_t row = 0; row < apart; row++)
            for (uint64_t k = 0; k < 2ULL * base; k++)
                touch(p, column + row + k % base * apart);
}

double cost_misses_simulated(const struct cost_cache *c, uint64_t point_bytes, uint32_t n,
                             uint32_t base)
{
    struct simulation p = {
        .cache = c, .point_bytes = point_bytes, .sets = c->bytes / c->line_bytes / c->ways};
    p.held = calloc((size_t)(p.sets * c->ways), sizeof *p.held);
    for (uint32_t apart = 1; p.held && apart < n; apart *= base)
        simulate_pass(&p, n, base, apart);
    free(p.held);
    return p.misses;
}

/* Digit k of i, counted from the lowest, becomes digit passes - 1 - k. */
static uint32_t reversed(uint32_t i, uint32_t n, uint32_t base)
{
    uint32_t j = 0;
    for (uint32_t worth = 1; worth < n; worth *= base, i /= base)
        j = j * base + i % base;
    return j;
}

double cost_reversal_misses_simulated(const struct cost_cache *c, uint64_t point_bytes, uint32_t n,
                                      uint32_t base)
{
    struct simulation p = {
        .cache = c, .point_bytes = point_bytes, .sets = c->bytes / c->line_bytes / c->ways};
    p.held = calloc((size_t)(p.sets * c->ways), sizeof *p.held);
    for (uint32_t i = 0; p.held && i < n; i++)
        touch(&p, reversed(i, n, base));
    free(p.held);
    return p.misses;
}

/* ---- all costs ---------------------------------------------------------------------------- */

struct cost cost_of(const struct cost_machine *m, uint32_t n, uint32_t base)
{
    const double bytes = (double)n * (double)m->point_bytes;
    struct cost cost = {.passes = passes_of(n, base),
                        .misses = cost_misses(&m->cache, m->point_bytes, n, base),
                        .tlb_misses = cost_misses(&m->tlb, m->point_bytes, n, base) +
                                      cost_reversal_misses(&m->tlb, m->point_bytes, n),
                        .walks = cost_misses(&m->walked, m->point_bytes, n, base) +
                                 cost_reversal_misses(&m->walked, m->point_bytes, n)};
    if (bytes > m->memory_bytes)
        cost.faults = bytes / m->page_bytes * (cost.passes + 1.5);
    cost.cache_s = cost.misses * m->cache.miss_s;
    cost.tlb_s = cost.tlb_misses * m->tlb.miss_s + cost.walks * m->walked.miss_s;
    cost.user_s = cost.passes * n * (m->point_s + m->term_s * base) + cost.cache_s + cost.tlb_s;
    cost.fault_s = cost.faults * m->fault_s;
    return cost;
}

uint32_t cost_best(const struct cost_machine *m, uint32_t n, const uint32_t *bases, uint32_t count)
{
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const struct cost cost = cost_of(m, n, bases[i]);
        if (is_power(n, bases[i]) && cost.user_s + cost.fault_s < least) {
            least = cost.user_s + cost.fault_s;
            best = bases[i];
        }
    }
    return best;
}

uint32_t cost_capacity(const uint32_t *sizes, const double *ns, uint32_t count, double rise)
{
    uint32_t i = 1;
    while (i < count && ns[i] <= rise * ns[0])
        i++;
    return sizes[i - 1];
}
