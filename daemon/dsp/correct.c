/* correct.c - estimates the errors of the receiver and has the engine correct them. */
#include <math.h>

#include "daemon/dsp/dsp.h"

static bool is_wanted(const struct dsp *d)
{
    return d->active.dc_removal || d->active.iq_correction;
}

void dsp_restart_correction(struct dsp *d, double rate_hz)
{
    front_end_restart(&d->front_end, d->epoch->stream.format, rate_hz);
    peak_meter_restart(&d->peak, d->epoch->stream.format, rate_hz);
}

void dsp_correct_samples(struct dsp *d, const struct step *step)
{
    const uint64_t at = step->fresh_at;
    const void *fresh = iq_ring_at(d->epoch->ring, at);
    peak_meter_read(&d->peak, fresh, at, d->checked - at);
    if (!is_wanted(d))
        return;
    front_end_read(&d->front_end, fresh, at, d->checked - at);
    const struct fft_correction correction =
        front_end_correction(&d->front_end, d->active.dc_removal, d->active.iq_correction);
    engine_runner_correct(&d->runner, &correction);
}

struct fft_correction dsp_line_correction(const struct dsp *d)
{
    const struct stream *s = &d->epoch->stream;
    const float scale = (float)(fft_iq_full_scale(s->format) / s->full_scale);
    struct fft_correction c = d->line_correction;
    c.dc_i *= scale;
    c.dc_q *= scale;
    return c;
}

/* The stream's full scale, in units of that of its format. */
static double stream_scale(const struct stream *s)
{
    return s->full_scale / fft_iq_full_scale(s->format);
}

struct front_end_figures dsp_front_end_figures(const struct dsp *d)
{
    if (!is_wanted(d))
        return front_end_no_figures;
    if (!d->epoch)
        return d->last_figures;
    return front_end_figures(&d->front_end, stream_scale(&d->epoch->stream));
}

double dsp_headroom_db(const struct dsp *d)
{
    return d->epoch ? peak_meter_headroom_db(&d->peak, stream_scale(&d->epoch->stream))
                    : d->last_headroom_db;
}
