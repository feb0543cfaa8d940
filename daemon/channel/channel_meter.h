/*
 * channel_meter.h - the power in the bins of a bank's blocks: levels of bands, and the noise around
 * them.
 *
 * The bank's blocks have no window: a carrier between two bins would leak into distant channels,
 * and at -30 dB into the next one. Powers are therefore those under Hann's window, which two
 * neighbours of each bin give,
 *
 *     X'[k] = (X[k] - (X[k - 1] + X[k + 1]) / 2) / sqrt(3 / 2)
 *
 * with the power of the samples kept: the sum over all bins is that of |x|^2 w^2 / mean(w^2).
 *
 * Noise: average each bin over 250 ms; take a low quantile q of the bins around a band; divide it
 * by the same quantile of noise with power 1. For a single block that is -ln(1 - q), for means of K
 * blocks the quantile of a gamma distribution of shape K. Signals around the band lie above that
 * quantile unless they fill most bins. Keying a carrier fills all bins for one block, so the noise
 * is the minimum of the last CHANNEL_METER_MEANS estimates.
 *
 * Only zones that somebody watches are computed. One thread.
 *
 * Sources: ka9q-radio, "Robust Noise Floor Estimation"; E. B. Wilson, M. M. Hilferty, "The
 * Distribution of Chi-Square", PNAS 1931 (the quantile).
 */
#ifndef FFTD_DAEMON_CHANNEL_CHANNEL_METER_H
#define FFTD_DAEMON_CHANNEL_CHANNEL_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "fft/iq.h"

enum { CHANNEL_METER_MEANS = 4 };
#define CHANNEL_METER_MEAN_S 0.25

/*
 * Fraction of the values in a Hann-windowed block that are statistically independent,
 * (sum w^2)^2 / (n sum w^4).
 */
#define CHANNEL_METER_INDEPENDENT (18.0 / 35.0)

/* Bins -n/2 .. n/2 - 1 of the forward transform. What lies outside is left out. */
struct channel_bins {
    int64_t first;
    uint32_t count;
};

struct channel_meter;

/* n: bins. mean_blocks: of a mean, at least 1. -ENOMEM. */
int channel_meter_create(struct channel_meter **out, uint32_t n, uint32_t mean_blocks);
void channel_meter_destroy(struct channel_meter *p); /* NULL is fine */

/* From the next block on, these bins are computed, until each user has left. */
void channel_meter_watch(struct channel_meter *p, struct channel_bins bins);
void channel_meter_leave(struct channel_meter *p, struct channel_bins bins);

/* A block, unscaled, bin 0 first: [n]. means: it also counts for the noise. */
void channel_meter_add(struct channel_meter *p, const struct fft_iq *spectrum, bool means);
/* Forgets all means: the bins now are other frequencies. */
void channel_meter_forget(struct channel_meter *p);

/* The sum of response^2 * power over bins of the newest block, all of which are watched. */
double channel_meter_sum(const struct channel_meter *p, struct channel_bins bins,
                         const float *response);
/* The bins from which the noise of a band is estimated: four times its width, at least 512. */
struct channel_bins channel_meter_around(const struct channel_meter *p, struct channel_bins band);
/*
 * The mean power of noise in a bin among these, which are watched; NAN: not known yet. *blocks:
 * number of blocks in those means.
 */
double channel_meter_noise(struct channel_meter *p, struct channel_bins bins, uint32_t *blocks);

#endif
