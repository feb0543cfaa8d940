/*
 * base.h - the derivation's fourth step: the radix becomes a variable (figures 14 to 17).
 *
 * Double precision, forward sign, n a power of `base`.
 */
#ifndef FFTD_TESTS_DERIVATION_BASE_H
#define FFTD_TESTS_DERIVATION_BASE_H

#include "../engine/reference.h"

enum { BASE_MAX = 64 };

/* With the matrix B_L of figures 14 and 15 written out for any base: n <= some hundred. */
void base_fft_dense(struct complex64 *x, uint32_t n, uint32_t base);

/* Figure 17's loop nest: the same code for every base. In place; needs nothing but n and the base. */
void base_fft(struct complex64 *x, uint32_t n, uint32_t base);

/* ---- which base? -------------------------------------------------------------------------- */

/* What a machine takes for a transform of complex doubles that may not fit into its memory. */
struct base_machine {
    double memory_bytes, page_bytes;
    double point_s,
        term_s; /* a pass: for each point, and for each of the base's terms of a point */
    double fault_s;
};

struct base_cost {
    double passes, faults, user_s, fault_s;
};

/*
 * Every pass reads all points once. If they do not fit into memory it faults each page in once; so do
 * the loading of the input, and half of the pages in the reversal.
 */
struct base_cost base_cost(const struct base_machine *m, uint32_t n, uint32_t base);

#endif
