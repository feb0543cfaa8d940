/* demod_side.c - filter, turn, gain. */
#include "daemon/demod/mode/demod_side.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/demod/demod_agc.h"
#include "daemon/demod/demod_biquad.h"
#include "daemon/demod/demod_check.h"
#include "daemon/demod/demod_fade.h"
#include "daemon/demod/demod_filter.h"
#include "daemon/demod/demod_meter.h"

#define PI       3.14159265358979323846
#define PITCH_HZ 600.0
#define RATE_HZ  24000.0
#define AUDIO_HZ 12000.0
#define TARGET   0.5 /* -6 dBFS */
enum { CHUNK = 480, FRAMES = CHUNK / 2 + 1 };

struct demod {
    bool manual, notches;
    float manual_gain;
    struct demod_filter mode;
    struct demod_meter meter;
    double re, im, step_re, step_im; /* the turn back: of the next frame, from one to the next */
    struct demod_agc agc;
    struct demod_biquad notch;
    struct demod_fade fade;
};

/* ---- plan --------------------------------------------------------------------------------- */

static double width_of(const struct demod_side *s, const struct demod_config *c)
{
    return c->width_hz > 0 ? c->width_hz : s->width_hz;
}

/* Of the middle of the band, in the audio. */
static double middle_of(const struct demod_side *s, const struct demod_config *c)
{
    if (s->side == 0)
        return c->pitch_hz > 0 ? c->pitch_hz : PITCH_HZ;
    return s->low_hz + width_of(s, c) / 2;
}

static struct demod_band band_of(const struct demod_side *s, const struct demod_config *c)
{
    return (struct demod_band){
        .high_hz = width_of(s, c) / 2, .slope_hz = s->slope_hz, .attenuation_db = 73};
}

int demod_side_plan(const struct demod_side *s, const struct demod_config *c, struct demod_plan *p,
                    struct reason *why)
{
    static const struct demod_limit pitch = {"pitch_hz", "Hz", 300, 1500};
    const struct demod_limit width = {"width_hz", "Hz", s->least_hz, s->most_hz};
    int err = demod_check(c->width_hz, &width, c->ops->name, why);
    if (err == 0)
        err = demod_check(c->pitch_hz, &pitch, c->ops->name, why);
    if (err == 0)
        err = demod_check_audio(c, why);
    if (err < 0)
        return err;
    const struct demod_band band = band_of(s, c);
    *p = (struct demod_plan){.rate_hz = RATE_HZ,
                             .width_hz = width_of(s, c) + s->slope_hz,
                             .passband_hz = width_of(s, c),
                             .offset_hz = s->side * middle_of(s, c),
                             .audio_rate_hz = AUDIO_HZ,
                             .audio_channels = 1,
                             .delay_s =
                                 ((double)demod_band_length(&band, RATE_HZ) - 1) / 2 / RATE_HZ};
    return 0;
}

/* ---- life --------------------------------------------------------------------------------- */

void demod_side_reset(struct demod *d)
{
    demod_filter_reset(&d->mode);
    demod_meter_reset(&d->meter);
    d->re = 1;
    d->im = 0;
    demod_agc_reset(&d->agc);
    demod_biquad_reset(&d->notch);
    demod_fade_reset(&d->fade);
}

void demod_side_destroy(struct demod *d)
{
    if (!d)
        return;
    demod_filter_finish(&d->mode);
    free(d);
}

int demod_side_create(const struct demod_side *s, struct demod **out, const struct demod_config *c,
                      struct reason *why)
{
    struct demod_plan p;
    *out = NULL;
    int err = demod_side_plan(s, c, &p, why);
    if (err < 0)
        return err;
    struct demod *d = calloc(1, sizeof *d);
    const struct demod_band band = band_of(s, c);
    if (!d || demod_filter_init(&d->mode, &band, RATE_HZ, (uint32_t)(RATE_HZ / AUDIO_HZ)) < 0) {
        demod_side_destroy(d);
        return reason_set(why, -ENOMEM, "no memory for a demodulator");
    }
    const double turn = 2 * PI * middle_of(s, c) / AUDIO_HZ * (s->side < 0 ? -1 : 1);
    d->step_re = cos(turn);
    d->step_im = sin(turn);
    demod_meter_init(&d->meter, AUDIO_HZ);
    d->manual = c->manual_gain;
    d->manual_gain = (float)pow(10, c->gain_db / 20);
    demod_agc_init(&d->agc, &(struct demod_agc_config){.rate_hz = AUDIO_HZ,
                                                       .target = TARGET,
                                                       .hang_s = s->side == 0 ? 0.3 : 1.1,
                                                       .rise_db_s = 20});
    d->notches = c->notch_hz > 0;
    if (d->notches)
        demod_biquad_notch(&d->notch, AUDIO_HZ, c->notch_hz, 100);
    demod_fade_init(&d->fade, AUDIO_HZ, 2 * p.delay_s);
    demod_side_reset(d);
    *out = d;
    return 0;
}

/* ---- samples ------------------------------------------------------------------------------ */

/* The length of the turn is kept at 1: its square differs from 1 by little, (3 - square) / 2. */
static void turn_back(struct demod *d, const float *re, const float *im, size_t frames,
                      float *audio, float *level)
{
    for (size_t i = 0; i < frames; i++) {
        audio[i] = re[i] * (float)d->re - im[i] * (float)d->im;
        level[i] = sqrtf(re[i] * re[i] + im[i] * im[i]);
        const double a = d->re * d->step_re - d->im * d->step_im;
        const double b = d->re * d->step_im + d->im * d->step_re;
        const double keep = (3 - (a * a + b * b)) / 2;
        d->re = a * keep;
        d->im = b * keep;
    }
}

static size_t run_some(struct demod *d, const struct fft_iq *in, size_t count, float *audio)
{
    float re[FRAMES], im[FRAMES], plain[FRAMES], level[FRAMES];
    size_t frames = demod_filter_iq(&d->mode, in, count, re, im);
    demod_meter_run(&d->meter, re, im, frames);
    turn_back(d, re, im, frames, plain, level);
    if (d->notches)
        demod_biquad_run(&d->notch, plain, frames, 1);
    demod_fade_run(&d->fade, plain, frames, 1);
    if (!d->manual)
        return demod_agc_run(&d->agc, plain, level, frames, audio);
    for (size_t i = 0; i < frames; i++)
        audio[i] = plain[i] * d->manual_gain;
    return frames;
}

size_t demod_side_run(struct demod *d, const struct fft_iq *in, size_t count, float *audio)
{
    size_t frames = 0;
    for (size_t some; count > 0; count -= some, in += some) {
        some = count < CHUNK ? count : CHUNK;
        frames += run_some(d, in, some, audio + frames);
    }
    return frames;
}

void demod_side_report(const struct demod *d, struct demod_report *r)
{
    demod_report_init(r);
    r->level_dbfs = demod_meter_level_dbfs(&d->meter);
    r->gain_db = d->manual ? 20 * log10((double)d->manual_gain) : demod_agc_gain_db(&d->agc);
}
