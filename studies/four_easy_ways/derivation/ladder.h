/*
 * ladder.h - derives the radix 2 fast Fourier transform step by step, from a matrix to a butterfly.
 *
 * After L. R. Mullin and S. G. Small, "Four Easy Ways to a Faster FFT" (J. Math. Modelling and
 * Algorithms 1, 2002), figures 1 to 10. Each step is one form of a pass over the whole array. All
 * of them compute the same, and each follows from the previous one by a single rewriting.
 * ladder_fft has what they share: the order of the input, the weights, and the loop over the
 * passes.
 *
 * Double precision, n a power of two. Figures 9 and 10 are whole programs, which compute their
 * weights in every pass. They print EXP((2*pi*i*row)/L), the sign of the inverse transform; figure
 * 17 prints the other sign. All steps but these two have the forward sign exp(-2 pi i / L).
 */
#ifndef FFTD_STUDIES_FOUR_EASY_WAYS_DERIVATION_LADDER_H
#define FFTD_STUDIES_FOUR_EASY_WAYS_DERIVATION_LADDER_H

#include "reference/reference.h"

/* One pass: `columns` pairs of transforms of block/2 points become transforms of `block` points. */
struct stage {
    uint32_t n, block, columns; /* n = block * columns */
    struct complex64 *x;        /* [n] */
    struct complex64 *xx;       /* [n]: the result of steps that are not in place */
    struct complex64 *weight;   /* [block/2]: given; printed steps compute them here */
};

struct ladder_step {
    const char *name;
    void (*stage)(const struct stage *s);
    bool in_place;  /* otherwise the caller copies xx to x, the last line of figure 9's loop */
    bool printed;   /* the document's program, with the sign that it prints */
    uint32_t max_n; /* largest n: a dense matrix takes too long above it; 0: no limit */
};

enum { LADDER_STEPS = 11 };
extern const struct ladder_step ladder[LADDER_STEPS]; /* figure 1 first, figure 10 last */

void ladder_fft(const struct ladder_step *step, struct complex64 *x, uint32_t n);

/* ---- what the document leaves out: "similarly optimised" ---------------------------------- */

/* Swap x[i] and x[reverse(i)]: each index is reversed bit by bit, or a second counter carries from
 * the top bit downwards. */
void reverse_by_bits(struct complex64 *x, uint32_t n);
void reverse_by_counting(struct complex64 *x, uint32_t n);

/*
 * weight[row] = exp(-2 pi i row / block), row < block/2: each by cos and sin, or from the weights
 * of half the block, which are every second one (block = 2 starts from nothing).
 */
void weights_by_sincos(struct complex64 *weight, uint32_t block);
void weights_by_doubling(struct complex64 *weight, uint32_t block);

#endif
