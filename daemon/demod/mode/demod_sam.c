/*
 * demod_sam.c - synchronous AM: what is in phase with the carrier, which a loop follows.
 *
 * Where the carrier fades, or one sideband, the envelope is distorted, and this is not. The loop of
 * 2nd order is wide until it has caught the carrier, and then narrow. It goes by what is in
 * quadrature: modulation of more than 100 % does not move it. Until it has caught the carrier, the
 * audio is the envelope.
 *
 * Source of the pull-in, W^2 / (2 zeta w^3) at a distance of W: F. M. Gardner, "Phaselock
 * Techniques".
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/base/reason.h"
#include "daemon/demod/demod_meter.h"
#include "daemon/demod/mode/demod_carrier.h"

enum { CHUNK = DEMOD_CARRIER_CHUNK };

/* Natural frequencies in radians a second, and damping. */
static const double catch_w = 500, catch_zeta = 1, follow_w = 70, follow_zeta = 0.7;
static const double limit_hz = 2000;

/* The loop; its averages have 20 ms. */
struct loop {
    double rate_hz, weight, limit;
    double phase, step;                     /* radians; from one sample to the next */
    double in_phase, quadrature, amplitude; /* means; the second is of magnitudes */
    double share;                           /* of what is in phase in the audio */
    bool locked;
};

struct demod {
    struct demod_filter mode;
    struct demod_meter meter;
    struct loop loop;
    struct demod_carrier carrier;
};

/* ---- the loop ----------------------------------------------------------------------------- */

static void loop_init(struct loop *l, double rate_hz)
{
    *l = (struct loop){
        .rate_hz = rate_hz, .weight = 1 / (0.02 * rate_hz), .limit = 2 * M_PI * limit_hz / rate_hz};
}

/*
 * Locked: the mean in phase is most of the amplitude, and so much more than what is in quadrature
 * that this cannot be noise. In noise alone each of the magnitudes is 0.64 of the amplitude.
 */
static void decide(struct loop *l)
{
    if (l->in_phase > 0.6 * l->amplitude && l->quadrature < 0.4 * l->in_phase)
        l->locked = true;
    if (l->in_phase < 0.3 * l->amplitude)
        l->locked = false;
}

/* A sideband may be nearer than the carrier, which is in the middle of the power. */
static void loop_aim(struct loop *l, double hz)
{
    if (!l->locked && fabs(hz) < limit_hz)
        l->step = 2 * M_PI * hz / l->rate_hz;
}

static float loop_run(struct loop *l, double re, double im)
{
    const double c = cos(l->phase), s = sin(l->phase);
    const double a = re * c + im * s, b = im * c - re * s, amplitude = hypot(re, im);
    l->in_phase += l->weight * (a - l->in_phase);
    l->quadrature += l->weight * (fabs(b) - l->quadrature);
    l->amplitude += l->weight * (amplitude - l->amplitude);
    decide(l);
    const double w = (l->locked ? follow_w : catch_w) / l->rate_hz;
    const double zeta = l->locked ? follow_zeta : catch_zeta;
    const double scale = l->locked ? l->in_phase : l->amplitude + 1e-30;
    const double error = fmax(fmin(b / scale, 1), -1);
    l->step = fmax(fmin(l->step + w * w * error, l->limit), -l->limit);
    l->phase = remainder(l->phase + l->step + 2 * zeta * w * error, 2 * M_PI);
    l->share += l->weight * ((l->locked ? 1 : 0) - l->share);
    return (float)(amplitude + l->share * (a - amplitude));
}

/* ---- the demodulator ---------------------------------------------------------------------- */

static int sam_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why)
{
    return demod_carrier_plan(c, p, why);
}

static void sam_reset(struct demod *d)
{
    demod_filter_reset(&d->mode);
    demod_meter_reset(&d->meter);
    loop_init(&d->loop, d->loop.rate_hz);
    demod_carrier_reset(&d->carrier);
}

static void sam_destroy(struct demod *d)
{
    if (!d)
        return;
    demod_filter_finish(&d->mode);
    demod_carrier_finish(&d->carrier);
    free(d);
}

static int sam_create(struct demod **out, const struct demod_config *c, struct reason *why)
{
    struct demod_plan p;
    *out = NULL;
    int err = demod_carrier_plan(c, &p, why);
    if (err < 0)
        return err;
    struct demod *d = calloc(1, sizeof *d);
    const struct demod_band band = demod_carrier_band(c);
    err = d ? demod_filter_init(&d->mode, &band, p.rate_hz, 1) : -ENOMEM;
    if (err == 0)
        err = demod_carrier_init(&d->carrier, c, &p);
    if (err < 0) {
        sam_destroy(d);
        return reason_set(why, err, "no memory for a demodulator");
    }
    demod_meter_init(&d->meter, p.rate_hz);
    loop_init(&d->loop, p.rate_hz);
    *out = d;
    return 0;
}

static size_t sam_run(struct demod *d, const struct fft_iq *in, size_t count, float *audio)
{
    float re[CHUNK], im[CHUNK], detected[CHUNK], amplitude[CHUNK];
    size_t frames = 0;
    for (size_t some; count > 0; count -= some, in += some) {
        some = count < CHUNK ? count : CHUNK;
        demod_filter_iq(&d->mode, in, some, re, im);
        for (size_t i = 0; i < some; i++) {
            demod_meter_run(&d->meter, re + i, im + i, 1);
            if (d->meter.have == 0)
                loop_aim(&d->loop, demod_meter_offset_hz(&d->meter));
            amplitude[i] = sqrtf(re[i] * re[i] + im[i] * im[i]);
            detected[i] = loop_run(&d->loop, (double)re[i], (double)im[i]);
        }
        frames += demod_carrier_run(&d->carrier, detected, amplitude, some, audio + frames);
    }
    return frames;
}

static void sam_report(const struct demod *d, struct demod_report *r)
{
    demod_report_init(r);
    r->level_dbfs = demod_meter_level_dbfs(&d->meter);
    r->locked = d->loop.locked;
    if (d->loop.locked)
        r->offset_hz = d->loop.step / (2 * M_PI) * d->loop.rate_hz;
    r->gain_db = demod_carrier_gain_db(&d->carrier);
}

const struct demod_ops demod_sam = {
    .name = "sam",
    .about = "AM by a copy of its carrier, for fading",
    .plan = sam_plan,
    .create = sam_create,
    .run = sam_run,
    .reset = sam_reset,
    .report = sam_report,
    .destroy = sam_destroy,
};
