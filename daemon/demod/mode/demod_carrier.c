/* demod_carrier.c - audio of a carrier's amplitude. */
#include "daemon/demod/mode/demod_carrier.h"

#include <errno.h>
#include <math.h>

#include "daemon/demod/demod_check.h"

#define RATE_HZ  24000.0
#define AUDIO_HZ 12000.0
#define TARGET   0.5 /* -6 dBFS */

static double width_of(const struct demod_config *c)
{
    return c->width_hz > 0 ? c->width_hz : 8000;
}

struct demod_band demod_carrier_band(const struct demod_config *c)
{
    return (struct demod_band){.high_hz = width_of(c) / 2, .slope_hz = 1000, .attenuation_db = 80};
}

/* The modulation that the mode filter lets through, as far as the audio's rate has room for it. */
static struct demod_band audio_band(const struct demod_config *c)
{
    return (struct demod_band){
        .high_hz = fmin(width_of(c) / 2 + 200, 5000), .slope_hz = 900, .attenuation_db = 60};
}

int demod_carrier_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why)
{
    static const struct demod_limit width = {"width_hz", "Hz", 2000, 16000};
    int err = demod_check(c->width_hz, &width, c->ops->name, why);
    if (err == 0)
        err = demod_check_audio(c, why);
    if (err < 0)
        return err;
    const struct demod_band mode = demod_carrier_band(c), audio = audio_band(c);
    const size_t length = demod_band_length(&mode, RATE_HZ) + demod_band_length(&audio, RATE_HZ);
    *p = (struct demod_plan){.rate_hz = RATE_HZ,
                             .width_hz = width_of(c) + mode.slope_hz,
                             .passband_hz = width_of(c),
                             .audio_rate_hz = AUDIO_HZ,
                             .audio_channels = 1,
                             .delay_s = ((double)length - 2) / 2 / RATE_HZ};
    return 0;
}

int demod_carrier_init(struct demod_carrier *d, const struct demod_config *c,
                       const struct demod_plan *p)
{
    const struct demod_band audio = audio_band(c);
    const int err = demod_filter_init(&d->audio, &audio, RATE_HZ, DEMOD_CARRIER_DECIMATION);
    if (err < 0)
        return err;
    d->manual = c->manual_gain;
    d->manual_gain = (float)pow(10, c->gain_db / 20);
    demod_biquad_highpass(&d->highpass, AUDIO_HZ, 60, 0, 1);
    d->notches = c->notch_hz > 0;
    if (d->notches)
        demod_biquad_notch(&d->notch, AUDIO_HZ, c->notch_hz, 100);
    d->memory = AUDIO_HZ * 0.1;
    demod_agc_init(&d->agc,
                   &(struct demod_agc_config){
                       .rate_hz = AUDIO_HZ, .target = TARGET, .hang_s = 0, .rise_db_s = 50});
    /* The carrier is a step for the high-pass: silent until that has settled. */
    demod_fade_init(&d->fade, AUDIO_HZ, 2 * p->delay_s + 0.03);
    demod_carrier_reset(d);
    return 0;
}

void demod_carrier_finish(struct demod_carrier *d)
{
    demod_filter_finish(&d->audio);
}

void demod_carrier_reset(struct demod_carrier *d)
{
    demod_filter_reset(&d->audio);
    demod_biquad_reset(&d->highpass);
    demod_biquad_reset(&d->notch);
    d->mean = d->seen = 0;
    demod_agc_reset(&d->agc);
    demod_fade_reset(&d->fade);
}

/* In place: amplitudes become levels. */
static void find_level(struct demod_carrier *d, const float *audio, float *amplitude, size_t frames)
{
    const double shout = 0.6; /* TARGET / 0.6 is -1.6 dBFS */
    for (size_t i = 0; i < frames; i++) {
        d->seen = fmin(d->seen + 1, d->memory);
        d->mean += ((double)amplitude[i] - d->mean) / d->seen;
        amplitude[i] = (float)fmax(d->mean, shout * (double)fabsf(audio[i]));
    }
}

size_t demod_carrier_run(struct demod_carrier *d, const float *detected, const float *amplitude,
                         size_t count, float *audio)
{
    float plain[DEMOD_CARRIER_CHUNK], level[DEMOD_CARRIER_CHUNK];
    const size_t frames = demod_filter_run(&d->audio, detected, amplitude, count, plain, level);
    demod_biquad_run(&d->highpass, plain, frames, 1);
    if (d->notches)
        demod_biquad_run(&d->notch, plain, frames, 1);
    demod_fade_run(&d->fade, plain, frames, 1);
    find_level(d, plain, level, frames);
    if (!d->manual)
        return demod_agc_run(&d->agc, plain, level, frames, audio);
    for (size_t i = 0; i < frames; i++)
        audio[i] = plain[i] * d->manual_gain;
    return frames;
}

double demod_carrier_gain_db(const struct demod_carrier *d)
{
    return d->manual ? 20 * log10((double)d->manual_gain) : demod_agc_gain_db(&d->agc);
}
