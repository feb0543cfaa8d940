/*
 * cost.h - a model of what a general radix costs on a machine, to find the best base.
 *
 * The document measured base 8 as the best, for two reasons: fewer passes cause fewer page faults,
 * wider butterflies more cache misses. It conjectures that the cache's associativity limits the
 * base. In this model `base` streams at a power-of-two distance map to few sets of a cache; if
 * these have fewer lines than there are streams, no line is kept until its next point is used.
 */
#ifndef FFTD_REFERENCE_DERIVATION_COST_H
#define FFTD_REFERENCE_DERIVATION_COST_H

#include <stdint.h>

/* A cache with least-recently-used replacement and `ways` lines in each set. A TLB is a cache of
 * pages with one set. */
struct cost_cache {
    uint64_t bytes, line_bytes;
    uint32_t ways;
    double miss_s; /* the time of a miss */
};

struct cost_machine {
    double memory_bytes, page_bytes;
    uint64_t point_bytes; /* 8: complex floats, 16: doubles */
    double point_s,
        term_s; /* time of a pass: for each point, and for each of the base's terms of a point */
    double fault_s;
    struct cost_cache cache, tlb; /* bytes 0: not modelled */
};

struct cost {
    double passes, faults, user_s, fault_s;
    double misses, tlb_misses;
};

/*
 * The cost of a transform. Every pass reads all points once. If they do not fit into memory, a pass
 * faults each page once; so does loading the input, and the reversal faults half of the pages.
 */
struct cost cost_of(const struct cost_machine *m, uint32_t n, uint32_t base);

/*
 * The misses of all passes in closed form: a pass misses each line once or, where its streams do
 * not fit into the cache together, at every access.
 */
double cost_misses(const struct cost_cache *c, uint64_t point_bytes, uint32_t n, uint32_t base);

/*
 * The same by simulating every access of the loop nest (passes, blocks, rows; a butterfly reads all
 * of its points, then writes them). Slow; it verifies the formula.
 */
double cost_misses_simulated(const struct cost_cache *c, uint64_t point_bytes, uint32_t n,
                             uint32_t base);

/* Returns the cheapest of `count` bases, without those that n is no power of; 0: none fits. */
uint32_t cost_best(const struct cost_machine *m, uint32_t n, const uint32_t *bases, uint32_t count);

#endif
