/* demod_wfm.c - FM stations in stereo. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/demod/demod_biquad.h"
#include "daemon/demod/demod_fade.h"
#include "daemon/demod/demod_rds.h"
#include "daemon/demod/mode/demod_multiplex.h"
#include "daemon/demod/mode/demod_pilot.h"

#define AUDIO_HZ 48000.0
enum { BLOCK = DEMOD_PILOT_BLOCK, FACTOR = 5, FRAMES = BLOCK / FACTOR };

/* Flat to 15 kHz; the pilot is 70 dB down. */
static const struct demod_band audio_band = {
    .high_hz = 16200, .slope_hz = 2400, .attenuation_db = 73};

/* Stereo has 20 dB more noise: below the upper C/N0 it turns into mono, which it is at the lower.
 */
static const double stereo_dbhz = 70, mono_dbhz = 64;

struct demod {
    bool mono;
    struct demod_multiplex multiplex;
    struct demod_pilot pilot;
    struct demod_rds rds;
    struct demod_filter audio; /* of (L + R) / 2 and (L - R) / 2 */
    struct demod_biquad highpass[2], deemphasis[2], notch[2];
    bool notches;
    double blend; /* 0: mono, 1: stereo */
    struct fft_iq held[BLOCK];
    size_t have;
    struct demod_fade fade;
};

static int wfm_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why)
{
    const int err = demod_multiplex_plan(c, p, why);
    if (err < 0)
        return err;
    const size_t half = demod_band_length(&audio_band, DEMOD_MULTIPLEX_HZ) / 2;
    const size_t delay = half + (c->mono ? 0 : demod_pilot_delay());
    p->audio_rate_hz = AUDIO_HZ;
    p->audio_channels = c->mono ? 1 : 2;
    p->delay_s += (double)delay / DEMOD_MULTIPLEX_HZ;
    return 0;
}

static void wfm_reset(struct demod *d)
{
    demod_multiplex_reset(&d->multiplex);
    if (!d->mono)
        demod_pilot_reset(&d->pilot);
    demod_rds_reset(&d->rds);
    demod_filter_reset(&d->audio);
    for (int i = 0; i < 2; i++) {
        demod_biquad_reset(&d->highpass[i]);
        demod_biquad_reset(&d->deemphasis[i]);
        demod_biquad_reset(&d->notch[i]);
    }
    d->blend = 0;
    d->have = 0;
    demod_fade_reset(&d->fade);
}

static void wfm_destroy(struct demod *d)
{
    if (!d)
        return;
    demod_multiplex_finish(&d->multiplex);
    demod_pilot_finish(&d->pilot);
    demod_rds_finish(&d->rds);
    demod_filter_finish(&d->audio);
    free(d);
}

static int make_parts(struct demod *d, const struct demod_config *c)
{
    int err = demod_multiplex_init(&d->multiplex, c);
    if (err == 0 && !c->mono) /* 4 % of the rated deviation, of the 8 to 10 that a pilot has */
        err = demod_pilot_init(&d->pilot, 0.04 * d->multiplex.rated_hz / d->multiplex.full_hz);
    if (err == 0)
        err = demod_rds_init(&d->rds);
    return err < 0 ? err : demod_filter_init(&d->audio, &audio_band, DEMOD_MULTIPLEX_HZ, FACTOR);
}

static int wfm_create(struct demod **out, const struct demod_config *c, struct reason *why)
{
    struct demod_plan p;
    *out = NULL;
    int err = wfm_plan(c, &p, why);
    if (err < 0)
        return err;
    struct demod *d = calloc(1, sizeof *d);
    err = d ? make_parts(d, c) : -ENOMEM;
    if (err < 0) {
        wfm_destroy(d);
        return reason_set(why, err, "no memory for a demodulator");
    }
    d->mono = c->mono;
    d->notches = c->notch_hz > 0;
    const double tau_us = c->deemphasis_us > 0 ? c->deemphasis_us : 50;
    for (int i = 0; i < 2; i++) {
        demod_biquad_highpass(&d->highpass[i], AUDIO_HZ, 10, 0, 1);
        demod_biquad_deemphasis(&d->deemphasis[i], AUDIO_HZ, tau_us, 15000);
        if (d->notches)
            demod_biquad_notch(&d->notch[i], AUDIO_HZ, c->notch_hz, 100);
    }
    /* A carrier off its frequency is a step for the high-pass: silent until that has settled. */
    demod_fade_init(&d->fade, AUDIO_HZ, 2 * p.delay_s + 0.12);
    *out = d;
    return 0;
}

/* ---- samples ------------------------------------------------------------------------------ */

static double wanted_blend(const struct demod *d)
{
    const double snr_db = demod_meter_snr_db(&d->multiplex.meter);
    const double c_n0 = snr_db + 10 * log10(DEMOD_MULTIPLEX_HZ);
    if (!d->pilot.found || isnan(snr_db))
        return 0;
    return fmin(fmax((c_n0 - mono_dbhz) / (stereo_dbhz - mono_dbhz), 0), 1);
}

/* In place of sum and difference: left and right, interleaved. */
static void separate(struct demod *d, const float *sum, const float *difference, float *audio)
{
    const double wanted = wanted_blend(d), weight = 1 / (0.05 * AUDIO_HZ);
    for (size_t i = 0; i < FRAMES; i++) {
        d->blend += weight * (wanted - d->blend);
        const float share = (float)d->blend * difference[i];
        audio[2 * i] = sum[i] + share;
        audio[2 * i + 1] = sum[i] - share;
    }
}

static void shape(struct demod *d, float *audio, unsigned channels)
{
    for (unsigned c = 0; c < channels; c++) {
        demod_biquad_run(&d->highpass[c], audio + c, FRAMES, channels);
        demod_biquad_run(&d->deemphasis[c], audio + c, FRAMES, channels);
        if (d->notches)
            demod_biquad_run(&d->notch[c], audio + c, FRAMES, channels);
    }
    demod_fade_run(&d->fade, audio, FRAMES, channels);
}

static void run_block(struct demod *d, float *audio)
{
    float x[BLOCK], both[BLOCK], difference[BLOCK], out_sum[FRAMES], out_difference[FRAMES];
    demod_multiplex_run(&d->multiplex, d->held, BLOCK, x);
    demod_rds_run(&d->rds, x, BLOCK);
    if (d->mono) {
        demod_filter_run(&d->audio, x, x, BLOCK, audio, out_difference);
        shape(d, audio, 1);
        return;
    }
    demod_pilot_run(&d->pilot, x, both, difference);
    demod_filter_run(&d->audio, both, difference, BLOCK, out_sum, out_difference);
    separate(d, out_sum, out_difference, audio);
    shape(d, audio, 2);
}

static size_t wfm_run(struct demod *d, const struct fft_iq *in, size_t count, float *audio)
{
    const size_t channels = d->mono ? 1 : 2;
    size_t frames = 0;
    for (size_t some; count > 0; count -= some, in += some) {
        some = BLOCK - d->have < count ? BLOCK - d->have : count;
        memcpy(d->held + d->have, in, some * sizeof *in);
        d->have += some;
        if (d->have < BLOCK)
            break;
        run_block(d, audio + frames * channels);
        frames += FRAMES;
        d->have = 0;
    }
    return frames;
}

static void wfm_report(const struct demod *d, struct demod_report *r)
{
    demod_report_init(r);
    demod_multiplex_report(&d->multiplex, r);
    r->stereo = d->blend > 0.5;
    r->rds = d->rds.groups.station;
    r->locked = d->pilot.found;
    if (!d->mono)
        r->pilot = d->pilot.level * d->multiplex.full_hz / d->multiplex.rated_hz;
}

const struct demod_ops demod_wfm = {
    .name = "wfm",
    .about = "FM stations in stereo",
    .plan = wfm_plan,
    .create = wfm_create,
    .run = wfm_run,
    .reset = wfm_reset,
    .report = wfm_report,
    .destroy = wfm_destroy,
};
