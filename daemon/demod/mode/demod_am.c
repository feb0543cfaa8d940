/* demod_am.c - amplitude modulation by its envelope. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/demod/demod.h"
#include "daemon/demod/demod_agc.h"
#include "daemon/demod/demod_biquad.h"
#include "daemon/demod/demod_check.h"
#include "daemon/demod/demod_fade.h"
#include "daemon/demod/demod_filter.h"
#include "daemon/demod/demod_meter.h"
#include "daemon/demod/mode/demod_carrier.h"

enum { CHUNK = 480, FRAMES = CHUNK / 2 + 1 };

struct demod {
    struct demod_filter mode;
    struct demod_meter meter;
    struct demod_range range; /* of the envelope */
    struct demod_carrier carrier;
};

static int am_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why)
{
    return demod_carrier_plan(c, p, why);
}

static void am_reset(struct demod *d)
{
    demod_filter_reset(&d->mode);
    demod_meter_reset(&d->meter);
    demod_range_reset(&d->range);
    demod_carrier_reset(&d->carrier);
}

static void am_destroy(struct demod *d)
{
    if (!d)
        return;
    demod_filter_finish(&d->mode);
    demod_carrier_finish(&d->carrier);
    free(d);
}

static int am_create(struct demod **out, const struct demod_config *c, struct reason *why)
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
        am_destroy(d);
        return reason_set(why, err, "no memory for a demodulator");
    }
    demod_meter_init(&d->meter, p.rate_hz);
    demod_range_init(&d->range, p.rate_hz);
    *out = d;
    return 0;
}

static size_t am_run(struct demod *d, const struct fft_iq *in, size_t count, float *audio)
{
    float re[CHUNK], im[CHUNK], envelope[CHUNK];
    size_t frames = 0;
    for (size_t some; count > 0; count -= some, in += some) {
        some = count < CHUNK ? count : CHUNK;
        demod_filter_iq(&d->mode, in, some, re, im);
        demod_meter_run(&d->meter, re, im, some);
        for (size_t i = 0; i < some; i++)
            envelope[i] = sqrtf(re[i] * re[i] + im[i] * im[i]);
        demod_range_run(&d->range, envelope, some);
        frames += demod_carrier_run(&d->carrier, envelope, envelope, some, audio + frames);
    }
    return frames;
}

static void am_report(const struct demod *d, struct demod_report *r)
{
    demod_report_init(r);
    r->level_dbfs = demod_meter_level_dbfs(&d->meter);
    r->offset_hz = demod_meter_offset_hz(&d->meter);
    r->depth = d->range.newest_half / d->range.newest_mean;
    r->gain_db = demod_carrier_gain_db(&d->carrier);
}

const struct demod_ops demod_am = {
    .name = "am",
    .about = "AM by its envelope",
    .plan = am_plan,
    .create = am_create,
    .run = am_run,
    .reset = am_reset,
    .report = am_report,
    .destroy = am_destroy,
};
