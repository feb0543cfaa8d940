/* demod_nfm.c - narrow FM: speech, and data for decoders. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/demod/demod.h"
#include "daemon/demod/demod_biquad.h"
#include "daemon/demod/demod_check.h"
#include "daemon/demod/demod_fade.h"
#include "daemon/demod/demod_filter.h"
#include "daemon/demod/demod_fm.h"
#include "daemon/demod/demod_fm_noise.h"
#include "daemon/demod/demod_meter.h"
#include "daemon/demod/demod_tone.h"

#define PI            3.14159265358979323846
#define MINUS_3_DB    0.70794578438
#define SPEECH_HZ     12000.0 /* rate of the audio */
#define DEEMPHASIS_US 750.0   /* 6 dB an octave from 212 Hz on */
enum { CHUNK = 240 };

static const double mode_slope_hz = 1500;

struct demod {
    double rate_hz, full_hz; /* the deviation that reads 1 */
    bool flat, notches;
    double tone_hz;   /* that opens the audio; 0: none is needed */
    size_t in_chunk;  /* samples since it was looked at */
    float open, rise; /* the audio's factor for it; its change from one frame to the next */
    bool opens;
    float speech_gain; /* makes up for the de-emphasis at 1 kHz */
    struct demod_filter mode, audio;
    struct demod_fm fm;
    struct demod_fm_noise noise;
    struct demod_tone tone;
    struct demod_meter meter;
    struct demod_range range; /* of the audio in parts of full_hz */
    struct demod_biquad highpass[DEMOD_HIGHPASS_SECTIONS], deemphasis, tone_notch, notch;
    struct demod_fade fade;
};

/* ---- plan --------------------------------------------------------------------------------- */

static double deviation_of(const struct demod_config *c)
{
    return c->deviation_hz > 0 ? c->deviation_hz : 5000;
}

/* Carson's rule, for speech up to 3 kHz. */
static double width_of(const struct demod_config *c)
{
    return c->width_hz > 0 ? c->width_hz : 2 * (deviation_of(c) + 3000);
}

static struct demod_band mode_band(const struct demod_config *c)
{
    return (struct demod_band){
        .high_hz = width_of(c) / 2, .slope_hz = mode_slope_hz, .attenuation_db = 80};
}

static struct demod_band audio_band(const struct demod_config *c, double rate_hz)
{
    return (struct demod_band){.high_hz = c->flat ? width_of(c) / 2 : 3300,
                               .slope_hz = c->flat ? mode_slope_hz : 600,
                               .attenuation_db = 60,
                               .mean_hz = rate_hz};
}

static bool is_tone(double hz)
{
    bool is = false;
    for (int k = 0; k < DEMOD_TONES; k++)
        is = is || fabs(demod_tones_hz[k] - hz) < 0.05;
    return is;
}

/* The tone of the list that is next to hz, below it (-1) or above it (1). */
static double neighbour(double hz, int side)
{
    double best = side < 0 ? demod_tones_hz[0] : demod_tones_hz[DEMOD_TONES - 1];
    for (int k = 0; k < DEMOD_TONES; k++)
        if ((demod_tones_hz[k] - hz) * side > 0 && fabs(demod_tones_hz[k] - hz) < fabs(best - hz))
            best = demod_tones_hz[k];
    return best;
}

static int check(const struct demod_config *c, struct reason *why)
{
    static const struct demod_limit deviation = {"deviation_hz", "Hz", 500, 15000},
                                    width = {"width_hz", "Hz", 3000, 40000},
                                    tone = {"tone_hz", "Hz", 60, 260};
    int err = demod_check(c->deviation_hz, &deviation, "nfm", why);
    if (err == 0)
        err = demod_check(c->width_hz, &width, "nfm", why);
    if (err == 0)
        err = demod_check(c->tone_hz, &tone, "nfm", why);
    if (err == 0 && c->tone_hz > 0 && !is_tone(c->tone_hz))
        err = reason_key(why, -EINVAL, "tone_hz",
                         "tone_hz = %g is no CTCSS tone: nearby are %.1f and %.1f Hz", c->tone_hz,
                         neighbour(c->tone_hz, -1), neighbour(c->tone_hz, 1));
    return err < 0 ? err : demod_check_audio(c, why);
}

static int nfm_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why)
{
    const int err = check(c, why);
    if (err < 0)
        return err;
    const struct demod_band mode = mode_band(c);
    const double width_hz = width_of(c) + mode_slope_hz;
    const double rate_hz =
        width_hz <= 18400 ? 24000 : 48000; /* a channel of 24 kS/s is flat there */
    const struct demod_band audio = audio_band(c, rate_hz);
    const size_t length = demod_band_length(&mode, rate_hz) + demod_band_length(&audio, rate_hz);
    *p = (struct demod_plan){.rate_hz = rate_hz,
                             .width_hz = width_hz,
                             .passband_hz = width_of(c),
                             .audio_rate_hz = c->flat ? rate_hz : SPEECH_HZ,
                             .audio_channels = 1,
                             .delay_s = ((double)length - 1) / 2 / rate_hz};
    return 0;
}

/* ---- life --------------------------------------------------------------------------------- */

static void nfm_reset(struct demod *d)
{
    demod_filter_reset(&d->mode);
    demod_filter_reset(&d->audio);
    demod_fm_reset(&d->fm);
    demod_fm_noise_reset(&d->noise);
    demod_tone_reset(&d->tone);
    demod_meter_reset(&d->meter);
    demod_range_reset(&d->range);
    for (int i = 0; i < DEMOD_HIGHPASS_SECTIONS; i++)
        demod_biquad_reset(&d->highpass[i]);
    demod_biquad_reset(&d->deemphasis);
    demod_biquad_reset(&d->tone_notch);
    demod_biquad_reset(&d->notch);
    demod_fade_reset(&d->fade);
    d->in_chunk = 0;
    d->open = 0;
    d->opens = false;
}

static void nfm_destroy(struct demod *d)
{
    if (!d)
        return;
    demod_filter_finish(&d->mode);
    demod_filter_finish(&d->audio);
    demod_fm_noise_finish(&d->noise);
    demod_tone_finish(&d->tone);
    free(d);
}

static void init_audio(struct demod *d, const struct demod_config *c, const struct demod_plan *p)
{
    const double tau_us = c->deemphasis_us > 0 ? c->deemphasis_us : DEEMPHASIS_US;
    const double at_1_khz = 2 * PI * 1000 * tau_us * 1e-6;
    d->speech_gain = (float)sqrt(1 + at_1_khz * at_1_khz);
    for (int i = 0; i < DEMOD_HIGHPASS_SECTIONS; i++)
        demod_biquad_highpass(&d->highpass[i], p->audio_rate_hz, 270, i, DEMOD_HIGHPASS_SECTIONS);
    demod_biquad_deemphasis(&d->deemphasis, p->audio_rate_hz, tau_us, 3000);
    d->tone_hz = c->tone_hz;
    d->rise = (float)(1 / (0.005 * p->audio_rate_hz));
    if (d->tone_hz > 0)
        demod_biquad_notch(&d->tone_notch, p->audio_rate_hz, c->tone_hz, 20);
    d->notches = c->notch_hz > 0;
    if (d->notches)
        demod_biquad_notch(&d->notch, p->audio_rate_hz, c->notch_hz, 100);
    /* A carrier off its frequency is a step for the high-pass: silent until that has settled. */
    demod_fade_init(&d->fade, p->audio_rate_hz, 2 * p->delay_s + (c->flat ? 0 : 0.015));
}

static int nfm_create(struct demod **out, const struct demod_config *c, struct reason *why)
{
    struct demod_plan p;
    *out = NULL;
    int err = nfm_plan(c, &p, why);
    if (err < 0)
        return err;
    struct demod *d = calloc(1, sizeof *d);
    if (!d)
        return reason_set(why, -ENOMEM, "no memory for a demodulator");
    const struct demod_band mode = mode_band(c), audio = audio_band(c, p.rate_hz);
    d->rate_hz = p.rate_hz;
    d->full_hz = deviation_of(c) / MINUS_3_DB;
    d->flat = c->flat;
    err = demod_filter_init(&d->mode, &mode, p.rate_hz, 1);
    if (err == 0)
        err = demod_filter_init(&d->audio, &audio, p.rate_hz,
                                (uint32_t)(p.rate_hz / p.audio_rate_hz));
    if (err == 0)
        err = demod_fm_noise_init(&d->noise, &mode, p.rate_hz, d->full_hz);
    if (err == 0)
        err = demod_tone_init(&d->tone, p.rate_hz);
    if (err < 0) {
        nfm_destroy(d);
        return reason_set(why, err, "no memory for a demodulator");
    }
    demod_fm_init(&d->fm, p.rate_hz, d->full_hz);
    demod_meter_init(&d->meter, p.rate_hz);
    demod_range_init(&d->range, p.audio_rate_hz);
    init_audio(d, c, &p);
    *out = d;
    return 0;
}

/* ---- samples ------------------------------------------------------------------------------ */

static void shape_speech(struct demod *d, float *audio, size_t frames)
{
    for (int i = 0; i < DEMOD_HIGHPASS_SECTIONS; i++)
        demod_biquad_run(&d->highpass[i], audio, frames, 1);
    demod_biquad_run(&d->deemphasis, audio, frames, 1);
    for (size_t i = 0; i < frames; i++)
        audio[i] *= d->speech_gain;
}

/* Silent without the tone: it opens and shuts in 5 ms. */
static void gate(struct demod *d, float *audio, size_t frames)
{
    for (size_t i = 0; i < frames; i++) {
        d->open += d->opens ? d->rise : -d->rise;
        d->open = d->open < 0 ? 0 : d->open > 1 ? 1 : d->open;
        audio[i] *= d->open;
    }
}

static size_t run_some(struct demod *d, const struct fft_iq *in, size_t count, float *audio)
{
    float re[CHUNK], im[CHUNK], hz[CHUNK], unused[CHUNK];
    demod_filter_iq(&d->mode, in, count, re, im);
    demod_meter_run(&d->meter, re, im, count);
    demod_fm_run(&d->fm, re, im, count, hz);
    demod_fm_noise_run(&d->noise, hz, count);
    demod_tone_run(&d->tone, hz, count);
    const size_t frames = demod_filter_run(&d->audio, hz, hz, count, audio, unused);
    demod_range_run(&d->range, audio, frames);
    if (!d->flat)
        shape_speech(d, audio, frames);
    if (d->tone_hz > 0)
        demod_biquad_run(&d->tone_notch, audio, frames, 1);
    if (d->notches)
        demod_biquad_run(&d->notch, audio, frames, 1);
    demod_fade_run(&d->fade, audio, frames, 1);
    if (d->tone_hz > 0)
        gate(d, audio, frames);
    return frames;
}

static size_t nfm_run(struct demod *d, const struct fft_iq *in, size_t count, float *audio)
{
    size_t frames = 0;
    for (size_t some; count > 0; count -= some, in += some) {
        some = CHUNK - d->in_chunk < count ? CHUNK - d->in_chunk : count;
        frames += run_some(d, in, some, audio + frames);
        d->in_chunk += some;
        if (d->in_chunk < CHUNK)
            break;
        d->in_chunk = 0; /* at the ends of chunks alone, wherever calls end */
        d->opens = fabs(demod_tone_hz(&d->tone) - d->tone_hz) < 0.05;
    }
    return frames;
}

static void nfm_report(const struct demod *d, struct demod_report *r)
{
    demod_report_init(r);
    r->level_dbfs = demod_meter_level_dbfs(&d->meter);
    r->snr_db = demod_meter_snr_db(&d->meter);
    r->noise_db = demod_fm_noise_db(&d->noise);
    r->offset_hz = d->range.newest_mean * d->full_hz;
    r->deviation_hz = d->range.newest_half * d->full_hz;
    r->tone_hz = demod_tone_hz(&d->tone);
}

const struct demod_ops demod_nfm = {
    .name = "nfm",
    .about = "narrow FM",
    .plan = nfm_plan,
    .create = nfm_create,
    .run = nfm_run,
    .reset = nfm_reset,
    .report = nfm_report,
    .destroy = nfm_destroy,
};
