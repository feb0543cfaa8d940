/* demod_multiplex.c - discriminator and correction. */
#include "daemon/demod/mode/demod_multiplex.h"

#include <assert.h>

#include "daemon/demod/demod_check.h"

#define MINUS_3_DB 0.70794578438

static const struct demod_band band = {
    .high_hz = 75000, .slope_hz = 24000, .attenuation_db = 70, .mean_hz = DEMOD_MULTIPLEX_HZ};

int demod_multiplex_plan(const struct demod_config *c, struct demod_plan *p, struct reason *why)
{
    static const struct demod_limit deviation = {"deviation_hz", "Hz", 20000, 100000},
                                    width = {"width_hz", "Hz", 80000, 234000};
    int err = demod_check(c->deviation_hz, &deviation, c->ops->name, why);
    if (err == 0)
        err = demod_check(c->width_hz, &width, c->ops->name, why);
    if (err == 0)
        err = demod_check_audio(c, why);
    if (err < 0)
        return err;
    const size_t half = demod_band_length(&band, DEMOD_MULTIPLEX_HZ) / 2;
    *p = (struct demod_plan){.rate_hz = DEMOD_MULTIPLEX_HZ,
                             .width_hz = c->width_hz,
                             .passband_hz = c->width_hz > 0 ? c->width_hz : width.most,
                             .audio_rate_hz = DEMOD_MULTIPLEX_HZ,
                             .audio_channels = 1,
                             .delay_s = ((double)half + 0.5) / DEMOD_MULTIPLEX_HZ};
    return 0;
}

int demod_multiplex_init(struct demod_multiplex *m, const struct demod_config *c)
{
    m->rated_hz = c->deviation_hz > 0 ? c->deviation_hz : 75000;
    m->full_hz = m->rated_hz / MINUS_3_DB;
    demod_fm_init(&m->fm, DEMOD_MULTIPLEX_HZ, m->full_hz);
    demod_meter_init(&m->meter, DEMOD_MULTIPLEX_HZ);
    demod_range_init(&m->range, DEMOD_MULTIPLEX_HZ);
    return demod_filter_init(&m->correction, &band, DEMOD_MULTIPLEX_HZ, 1);
}

void demod_multiplex_finish(struct demod_multiplex *m)
{
    demod_filter_finish(&m->correction);
}

void demod_multiplex_reset(struct demod_multiplex *m)
{
    demod_fm_reset(&m->fm);
    demod_filter_reset(&m->correction);
    demod_meter_reset(&m->meter);
    demod_range_reset(&m->range);
}

void demod_multiplex_run(struct demod_multiplex *m, const struct fft_iq *in, size_t count,
                         float *out)
{
    float re[DEMOD_MULTIPLEX_CHUNK], im[DEMOD_MULTIPLEX_CHUNK], hz[DEMOD_MULTIPLEX_CHUNK];
    assert(count <= DEMOD_MULTIPLEX_CHUNK);
    for (size_t i = 0; i < count; i++) {
        re[i] = in[i].re;
        im[i] = in[i].im;
    }
    demod_meter_run(&m->meter, re, im, count);
    demod_fm_run(&m->fm, re, im, count, hz);
    demod_filter_run(&m->correction, hz, hz, count, out, re);
    demod_range_run(&m->range, out, count);
}

void demod_multiplex_report(const struct demod_multiplex *m, struct demod_report *r)
{
    r->level_dbfs = demod_meter_level_dbfs(&m->meter);
    r->snr_db = demod_meter_snr_db(&m->meter);
    r->offset_hz = m->range.newest_mean * m->full_hz;
    r->deviation_hz = m->range.newest_half * m->full_hz;
}
