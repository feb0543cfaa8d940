/*
 * measure_fixture.h - measurements under test: samples become lines through the real CPU engine.
 *
 * Failures end the test.
 */
#ifndef FFTD_TESTS_SUPPORT_MEASURE_MEASURE_FIXTURE_H
#define FFTD_TESTS_SUPPORT_MEASURE_MEASURE_FIXTURE_H

#include "tests/support/cmocka_all.h"

#include "daemon/line/trace.h"
#include "daemon/measure/measure.h"

/* How samples become a line. */
struct fixture {
    uint32_t n, hop;
    const char *window;
    double center_hz, rate_hz;
};

/* One line of all frames that fit into the samples, with all detectors. line_destroy frees it. */
struct line *fixture_line(const struct fixture *fixture, const struct fft_iq *iq, size_t count);
/* A line whose bins are all `power`, for made-up spectra. */
struct line *fixture_flat_line(const struct fixture *fixture, float power);

/* Signals; malloc'ed, [count]. */
struct fft_iq *fixture_silence(size_t count);
void fixture_add_tone(struct fft_iq *iq, size_t count, double amplitude, double cycles_per_sample);
/* Complex Gaussian noise; `power` is the mean of |x|^2. */
void fixture_add_noise(struct fft_iq *iq, size_t count, double power, uint64_t seed);
/* The same, but only from low to high, in cycles per sample: cut out in the frequency domain. */
void fixture_add_band(struct fft_iq *iq, size_t count, double density, double low, double high,
                      uint64_t seed);
/* QPSK with a root raised cosine filter, power 1; samples_per_symbol is a whole number. */
void fixture_add_qpsk(struct fft_iq *iq, size_t count, unsigned samples_per_symbol, double roll_off,
                      double cycles_per_sample, uint64_t seed);

/* A measurement with options as in "center=1M width=20k"; those not named have their defaults. */
struct fixture_measure {
    const struct measure_ops *ops;
    void *state;
    struct measure_result result;
    int err; /* of the last update */
};

void fixture_measure_start(struct fixture_measure *m, const char *name, const char *options);
void fixture_measure_finish(struct fixture_measure *m);
/* The mean detector, clear/write, with as many samples as the measurement asks for. */
struct measure_input fixture_input(const struct line *line);
void fixture_update(struct fixture_measure *m, const struct measure_input *in);
/* Start, one update of this line's mean detector, finish; the result. */
struct measure_result fixture_measure_line(const char *name, const char *options,
                                           const struct line *line);
/* The value; fails if it is not there or the measurement was refused. */
double fixture_value(const struct measure_result *r, const char *name);
double fixture_cell(const struct measure_result *r, unsigned row, const char *column);
/* Fails unless the measurement was refused with these words in its reason. */
void fixture_refused(const struct measure_result *r, const char *words);

#endif
