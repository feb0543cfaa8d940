/*
 * capabilities.h - the conformance table: what each engine must support.
 *
 * An engine that refuses what its row lists fails the tests. It may refuse anything else
 * (-ENOTSUP). If it accepts, the result must be correct.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_CAPABILITIES_H
#define FFTD_TESTS_SUPPORT_ENGINE_CAPABILITIES_H

#include "fft/engine.h"

struct capabilities {
    const char *engine;

    /* spectra */
    uint32_t min_n, max_n;
    unsigned formats, detectors; /* bits: 1 << FFT_IQ_..., FFT_DETECTOR_... */
    bool density, correction;

    /* transforms */
    unsigned types; /* bits: 1 << FFT_TRANSFORM_... */
    uint32_t rank;  /* supports ranks 1 .. rank; 0: no transforms */
    uint32_t min_length, max_points;
    bool any_smooth; /* lengths 2^a 3^b 5^c 7^d; else only powers of two */
    bool any_layout; /* any strides; else only packed arrays */
};

/* The row of an engine, or NULL if it has none. "cuda:1" has the row of "cuda". */
const struct capabilities *capabilities_of(const char *engine);

bool capabilities_cover_spectrum(const struct capabilities *p,
                                 const struct fft_spectrum_config *plan);
bool capabilities_cover_transform(const struct capabilities *p,
                                  const struct fft_transform_config *plan);

#endif
