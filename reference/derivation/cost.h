/*
 * cost.h - which base is best? A model of what a general radix takes on a machine.
 *
 * The document's measured answer is base 8, by two effects: fewer passes mean fewer page faults,
 * wider butterflies more cache misses; it conjectures that the cache's associativity is what limits
 * the base. So here too: `base` streams at a power-of-two distance fall into few sets of a cache,
 * and when these have fewer lines than there are streams, none is kept until its next point is
 * used.
 */
#ifndef FFTD_REFERENCE_DERIVATION_COST_H
#define FFTD_REFERENCE_DERIVATION_COST_H

#include <stdint.h>

/* Least recently used, `ways` lines in each set. A TLB is one of pages, with one set. */
struct cost_cache {
    uint64_t bytes, line_bytes;
    uint32_t ways;
    double miss_s; /* what a miss takes */
};

struct cost_machine {
    double memory_bytes, page_bytes;
    uint64_t point_bytes; /* 8: complex floats, 16: doubles */
    double point_s,
        term_s; /* a pass: for each point, and for each of the base's terms of a point */
    double fault_s;
    struct cost_cache cache, tlb; /* bytes 0: not considered */
};

struct cost {
    double passes, faults, user_s, fault_s;
    double misses, tlb_misses;
};

/*
 * Every pass reads all points once. If they do not fit into memory it faults each page in once; so
 * do the loading of the input, and half of the pages in the reversal.
 */
struct cost cost_of(const struct cost_machine *m, uint32_t n, uint32_t base);

/*
 * The misses of all passes by closed form: a pass misses each line once, or, where its streams do
 * not fit beside each other, at every access.
 */
double cost_misses(const struct cost_cache *c, uint64_t point_bytes, uint32_t n, uint32_t base);

/*
 * The same by playing through every access of the loop nest (passes, blocks, rows; a butterfly
 * reads all of its points, then writes them): slow, and the formula's truth.
 */
double cost_misses_simulated(const struct cost_cache *c, uint64_t point_bytes, uint32_t n,
                             uint32_t base);

/* The cheapest of `count` bases, those that n is no power of left out; 0: all of them. */
uint32_t cost_best(const struct cost_machine *m, uint32_t n, const uint32_t *bases, uint32_t count);

#endif
