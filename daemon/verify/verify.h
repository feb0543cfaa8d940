/*
 * verify.h - checks an engine on this machine against known truths: what instruments call
 * self-alignment.
 *
 * Each check makes samples whose spectrum follows from a formula, and passes them through the
 * engine as a stream would be. It is one file and one row of verify_list.c. The caller's thread.
 */
#ifndef FFTD_DAEMON_VERIFY_VERIFY_H
#define FFTD_DAEMON_VERIFY_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "fft/fft.h"

struct verify_result {
    bool passed;
    char figure[96]; /* the measured figure, and its limit */
};

/*
 * 0 and the result, or -errno of the engine. rate_hz: of the stream that the engine has to keep up
 * with.
 */
typedef int verify_run(struct fft_engine *e, double rate_hz, struct verify_result *out);
verify_run verify_level, verify_burst, verify_density, verify_correction, verify_speed;

/* Prints one line for each check. True: all passed. */
bool verify_engine(struct fft_engine *e, double rate_hz, FILE *out);

/* ---- for checks: verify_check.c -------------------------------------------------------- */

/* Spectra of `frames` frames of `raw`, folded. The fold is the caller's. */
int verify_fold(struct fft_engine *e, const struct fft_spectrum_config *plan, const void *raw,
                uint32_t frames, struct fft_fold **out);
/* The same with samples that are corrected on load; the plan is `corrected`. NULL: they are not. */
int verify_fold_corrected(struct fft_engine *e, const struct fft_spectrum_config *plan,
                          const struct fft_correction *correction, const void *raw, uint32_t frames,
                          struct fft_fold **out);
/* Writes sample number `at`, rounded. */
void verify_put(enum fft_iq_format format, void *raw, size_t at, double re, double im);
/* A tone of this amplitude, as raw samples. */
void verify_tone(enum fft_iq_format format, double amplitude, double cycles_per_sample, void *raw,
                 size_t samples);

#endif
