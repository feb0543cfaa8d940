/* receiver.c - runs a line's samples through a down-converter. */
#include "daemon/measure/types/receiver.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/ddc/ddc.h"
#include "daemon/measure/band.h"

enum { BLOCK = 1 << 16 }; /* samples in one push */

static int reserve(struct receiver *r, size_t outputs)
{
    if (r->capacity >= outputs)
        return 0;
    free(r->out);
    free(r->scratch);
    r->out = malloc(outputs * sizeof *r->out);
    r->scratch = malloc(2 * outputs * sizeof *r->scratch);
    r->capacity = r->out && r->scratch ? outputs : 0;
    return r->capacity ? 0 : -ENOMEM;
}

/* A channel may exceed the span by less than a bin; a plan may not. */
static double width_of(const struct receiver_channel *channel, double rate_hz)
{
    return fmin(channel->bandwidth_hz, rate_hz);
}

static int prepare(struct receiver *r, const struct receiver_channel *channel, double rate_hz)
{
    const double width_hz = width_of(channel, rate_hz);
    const bool same = r->ddc && r->plan.rate_hz == rate_hz && r->response == channel->response &&
                      r->plan.width_hz == width_hz;
    if (same)
        return 0;
    ddc_destroy(r->ddc);
    ddc_plan_channel(&r->plan, rate_hz, width_hz, channel->response);
    r->response = channel->response;
    return ddc_create(&r->ddc, &r->plan, FFT_IQ_CF32, 1, BLOCK);
}

/* The whole span. */
static int copy(struct receiver *r, const struct measure_input *in)
{
    const int err = reserve(r, in->iq_count);
    if (err < 0)
        return err;
    r->center_hz = in->line->tuning.center_hz;
    r->rate_hz = in->line->tuning.rate_hz;
    r->delay_s = 0;
    r->count = in->iq_count;
    memcpy(r->out, in->iq, r->count * sizeof *r->out);
    return 0;
}

/* The first output is at the first sample with `reach` others before it. */
static int convert(struct receiver *r, const struct receiver_channel *channel,
                   const struct measure_input *in)
{
    const struct tuning *tuning = &in->line->tuning;
    int err = prepare(r, channel, tuning->rate_hz);
    if (err == 0)
        err = reserve(r, in->iq_count / r->plan.factor + 1);
    if (err < 0)
        return err;
    r->center_hz = channel->center_hz;
    r->rate_hz = ddc_plan_rate(&r->plan);
    r->delay_s = (double)r->plan.reach / tuning->rate_hz;
    r->count = 0;
    ddc_begin(r->ddc, 0, r->plan.reach, r->center_hz - tuning->center_hz, 1);
    for (size_t done = 0, now; done < in->iq_count; done += now) {
        const struct fft_iq *out;
        now = in->iq_count - done < BLOCK ? in->iq_count - done : BLOCK;
        const size_t got = ddc_push(r->ddc, in->iq + done, now, &out);
        memcpy(r->out + r->count, out, got * sizeof *out);
        r->count += got;
    }
    return 0;
}

static int too_few(const struct receiver_channel *channel, const struct measure_input *in,
                   struct measure_result *out)
{
    return measure_refuse(out, "%zu samples are too few for a bandwidth of %.4g Hz", in->iq_count,
                          channel->bandwidth_hz);
}

static int check(const struct receiver_channel *channel, const struct measure_input *in,
                 struct measure_result *out)
{
    const struct tuning *tuning = &in->line->tuning;
    const double bandwidth_hz = channel->bandwidth_hz;
    if (in->iq_count == 0)
        return measure_refuse(out, "the samples of the line are no longer there");
    if (!(bandwidth_hz > 0))
        return 0;
    struct band band = band_around(in->line, channel->center_hz, bandwidth_hz);
    if (!line_clip_band(in->line, &band.low_hz, &band.high_hz))
        return measure_refuse(out, "a channel of %.0f Hz at %.0f Hz is not within the %s",
                              bandwidth_hz, channel->center_hz, band_span_name(in->line));
    struct ddc_plan plan; /* before memory for so many taps is taken */
    ddc_plan_channel(&plan, tuning->rate_hz, width_of(channel, tuning->rate_hz), channel->response);
    return 2 * plan.reach > in->iq_count ? too_few(channel, in, out) : 0;
}

int receiver_run(struct receiver *r, const struct receiver_channel *channel,
                 const struct measure_input *in, size_t least, struct measure_result *out)
{
    int err = check(channel, in, out);
    if (err == 0)
        err = channel->bandwidth_hz > 0 ? convert(r, channel, in) : copy(r, in);
    if (err < 0)
        return err;
    return r->count < least ? too_few(channel, in, out) : 0;
}

void receiver_finish(struct receiver *r)
{
    ddc_destroy(r->ddc);
    free(r->out);
    free(r->scratch);
    *r = (struct receiver){0};
}
