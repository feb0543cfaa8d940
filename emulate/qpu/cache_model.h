/*
 * cache_model.h - models the cache lines that the first pass of a transform reads, for two orders
 * of its requests. Without a program: a check of the emulator's count, and the order that the
 * program does not use.
 */
#ifndef FFTD_EMULATE_QPU_CACHE_MODEL_H
#define FFTD_EMULATE_QPU_CACHE_MODEL_H

#include <stdbool.h>

#include "fft/qpu/qpu_plan.h"

enum cache_model_order {
    CACHE_MODEL_PLAIN,       /* the real parts of 16 points, then their imaginary parts; the window
                                point by point */
    CACHE_MODEL_INTERLEAVED, /* both parts of 8 points, then of the other 8; the window in the order
                                of the reads */
};

/*
 * Bytes read from memory, as a multiple of the 8 bytes of each point. The plan's `windowed` decides
 * whether the window is read, too. The QPUs read in turn, a vector each. NaN: out of memory.
 */
double cache_model_first_pass(const struct qpu_plan *plan, enum cache_model_order order);

/*
 * How many reads of a line the TMUs ask the L2 cache for in that pass, for each point. best: with
 * the lanes of each request in the order that asks for the fewest, as a swizzle of lanes may at
 * most achieve: no line twice. NaN: out of memory.
 */
double cache_model_misses(const struct qpu_plan *plan, enum cache_model_order order, bool best);

/*
 * Bytes read from memory by all passes in Stockham's order, as cache_model_first_pass counts them.
 * Each pass reads blocks of points that are n / 2^bits apart; the eight QPUs take adjacent blocks,
 * with interleaved requests. NaN: out of memory.
 */
double cache_model_stockham(const struct qpu_plan *plan);

#endif
