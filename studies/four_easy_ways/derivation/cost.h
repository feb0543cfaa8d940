/*
 * cost.h - a model of what a general radix costs on a machine, to find the best base.
 *
 * The document measured base 8 as the best, for two reasons: fewer passes cause fewer page faults,
 * wider butterflies more cache misses. It conjectures that the cache's associativity limits the
 * base. In this model `base` streams at a power-of-two distance map to few sets of a cache; if
 * these have fewer lines than there are streams, no line is kept until its next point is used.
 */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_DERIVATION_COST_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_DERIVATION_COST_H

#include <stdint.h>

/*
 * A cache with least-recently-used replacement and `ways` lines in each set. A TLB is a cache of
 * pages: line_bytes is the size of a page, bytes that of all pages that it maps at once (J.
 * Hennessy and D. Patterson, "Computer Architecture", appendix B.4).
 */
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
    struct cost_cache cache;  /* bytes 0: not modelled; also the next two */
    struct cost_cache tlb;    /* the first level, which a pass needs for each of its streams */
    struct cost_cache walked; /* the last level: a miss walks the page tables */
};

struct cost {
    double passes, faults, user_s, fault_s;
    double misses, tlb_misses, walks;
    double cache_s, tlb_s; /* parts of user_s; tlb_s with the walks */
};

/*
 * The SUN 20 of the document's table III, which transformed 2^24 complex doubles in 64 MB of memory
 * with pages of 8 KB: fitted with one time each for a fault, a point and a term.
 */
extern const struct cost_machine cost_sun_20;

/*
 * The cost of a transform:
 *
 *     user_s = passes n (point_s + term_s base) + misses miss_s + tlb_misses tlb.miss_s
 *              + walks walked.miss_s
 *
 * The misses of the cache are those of the passes; the misses of the TLB and the walks are those of
 * the passes and of the digit reversal. Every pass reads all points once. If they do not fit into
 * memory, a pass faults each page once; so does loading the input, and the reversal faults half of
 * the pages.
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

/* The misses of the digit reversal's writes: each is to another page (or line) than the ones before
 * it, and comes back to the first after all of them. In closed form, and by simulation. */
double cost_reversal_misses(const struct cost_cache *c, uint64_t point_bytes, uint32_t n);
double cost_reversal_misses_simulated(const struct cost_cache *c, uint64_t point_bytes, uint32_t n,
                                      uint32_t base);

/*
 * Reads the capacity of a cache from the times of walks over more and more lines: the largest of
 * `count` ascending sizes before the time exceeds `rise` times the first one.
 */
uint32_t cost_capacity(const uint32_t *sizes, const double *ns, uint32_t count, double rise);

/* Returns the cheapest of `count` bases, without those that n is no power of; 0: none fits. */
uint32_t cost_best(const struct cost_machine *m, uint32_t n, const uint32_t *bases, uint32_t count);

#endif
