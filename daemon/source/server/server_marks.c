/* server_marks.c - discards what settles, and marks what follows. */
#include "daemon/source/server/server_marks.h"

#include <errno.h>
#include <math.h>

#include "daemon/base/clock.h"

static const double settle_s = 0.2;

double server_marks_radio_hz(const struct tuning *t)
{
    return round((t->center_hz - t->converter_hz) / (1 + t->ppm * 1e-6));
}

int server_marks_complete(const struct tuning *want, const struct tuning *had, struct tuning *out)
{
    if (want->rate_hz > 0 && want->rate_hz != had->rate_hz)
        return -EAGAIN;
    *out = *want;
    out->rate_hz = had->rate_hz;
    if (isnan(want->center_hz))
        out->center_hz = had->center_hz;
    return 0;
}

void server_marks_settle(struct server_marks *m, const struct source *s, uint64_t queued_bytes,
                         enum loss cause)
{
    m->discard = queued_bytes / fft_iq_bytes(s->stream.format) +
                 (uint64_t)(settle_s * s->stream.tuning.rate_hz);
    m->pending.set = true;
    m->pending.tuning_changed = cause == LOSS_RETUNE;
    m->pending.cause = cause;
}

uint32_t server_marks_limit(const struct server_marks *m, uint32_t samples)
{
    return m->discard > 0 && m->discard < samples ? (uint32_t)m->discard : samples;
}

int64_t server_marks_arrived(struct server_marks *m, struct source *s, uint32_t samples)
{
    if (samples == 0)
        return 0;
    if (m->discard > 0) {
        m->discard -= samples;
        if (m->pending.cause < LOSS_CAUSES) /* before the first sample, nothing is lost */
            m->pending.lost += samples;
        return 0;
    }
    s->mark = m->pending;
    m->pending = (struct source_mark){0};
    s->mark.has_time = s->mark.set;
    s->mark.time_ns = clock_unix_ns() - llround(samples * 1e9 / s->stream.tuning.rate_hz);
    return samples;
}
