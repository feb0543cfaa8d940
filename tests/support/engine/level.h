/*
 * level.h - measures one line of one detector and compares levels in dB.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_LEVEL_H
#define FFTD_TESTS_SUPPORT_ENGINE_LEVEL_H

#include "tests/support/engine/test_engines.h"

struct setup {
    uint32_t n, hop, frames;
    enum fft_iq_format format;
    const char *window;
    unsigned detector;
};

uint64_t setup_samples(const struct setup *m);

/* Returns true if the engine supports the setup (test_engine_does). */
bool can_measure(struct fft_engine *e, const struct setup *m);

/* One line of the detector: linear power [n], malloc'ed. */
float *measure(struct fft_engine *e, const struct setup *m, const void *raw);

double mean_of(const float *power, uint32_t n);
void expect_db(const char *what, double got, double want, double tolerance);

#endif
