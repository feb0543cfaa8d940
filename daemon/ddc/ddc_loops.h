/*
 * ddc_loops.h - the loops of a down-converter over all samples, compiled once for each instruction
 * set.
 *
 * Real and imaginary parts lie apart. What a loop computes of a sample or of an output depends on
 * its arguments alone, not on the sample's place among the others. Any thread.
 */
#ifndef FFTD_DAEMON_DDC_DDC_LOOPS_H
#define FFTD_DAEMON_DDC_DDC_LOOPS_H

#include "fft/iq.h"

/* The name of a loop in the instruction set that its file is compiled for: ddc_filter_avx2. */
#define DDC_PASTE(name, isa) ddc_##name##_##isa
#define DDC_JOIN(name, isa)  DDC_PASTE(name, isa)
#define DDC_SYMBOL(name)     DDC_JOIN(name, DDC_ISA)

enum { DDC_TAPS_STEP = 16 }; /* taps are padded with zeros to a multiple of it */

/* A factor for each sample: base * turn[i]. */
struct ddc_turn {
    float base_re, base_im;
    const float *re, *im;
};

/* Output i is the sum of tap[k] * in[i * factor + k]. */
struct ddc_filter {
    const float *tap; /* [taps] */
    size_t taps, factor;
};

/* raw: [count], in the units of its format. */
typedef void ddc_shift_loop(const struct ddc_turn *turn, const void *raw, size_t count, float *re,
                            float *im);

struct ddc_loops {
    ddc_shift_loop *const *shift; /* [FFT_IQ_FORMATS] */
    /* re, im: [(outputs - 1) * factor + taps]; to_re, to_im: [outputs]. */
    void (*filter)(const struct ddc_filter *f, const float *re, const float *im, size_t outputs,
                   float *to_re, float *to_im);
};

/* The loops that this machine can run, best first; NULL after the last one. */
const struct ddc_loops *ddc_loops_at(size_t i);

#endif
