/* sample_check.c - counts clipped and invalid samples, and says once that there are any. */
#include "daemon/base/log.h"
#include "daemon/dsp/dsp.h"

struct step dsp_check_samples(struct dsp *d, uint64_t end)
{
    const struct stream *s = &d->epoch->stream;
    struct step step = {.kind = STEP_BATCH, .fresh_at = d->checked};
    if (end > d->checked && s->format == FFT_IQ_CF32) /* the engine counts those of the others */
        step.levels =
            fft_iq_check(s->format, s->full_scale, iq_ring_edit(d->epoch->ring, d->checked),
                         (size_t)(end - d->checked)); /* at most the ring */
    d->checked = end > d->checked ? end : d->checked;
    return step;
}

void dsp_count_levels(struct dsp *d, const struct step *step)
{
    const struct fft_iq_levels *levels = &step->levels;
    struct ledger *l = &d->ledger;
    if (levels->invalid && !l->invalid)
        log_warn("sample %llu is not a number, infinite or beyond +300 dBFS: such samples are "
                 "counted as invalid and read as 0",
                 (unsigned long long)step->fresh_at + levels->first_invalid + d->number_offset);
    if (levels->beyond && !l->beyond)
        log_warn("samples are beyond full scale: the %s is not normalised; levels are relative",
                 d->config->radio ? "stream" : "recording");
    if (levels->clipped && !l->clipped && d->config->radio)
        log_warn("samples are clipped: turn the gain down");
    l->clipped += levels->clipped;
    l->beyond += levels->beyond;
    l->invalid += levels->invalid;
}
