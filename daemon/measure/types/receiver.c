/* receiver.c - runs a line's samples through a down-converter. */
#include "daemon/measure/types/receiver.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/ddc/ddc.h"
#include "daemon/measure/band.h"

enum { BLOCK = 1 << 16 };  /* samples in one push */
enum { FIRST_PIECE = 32 }; /* samples: finds a carrier within 1/64 of the rate */

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
    struct ddc_plan plan; /* before memory for its taps is taken */
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

/* The least difference of two codes of the samples; of floats next to nothing. */
static double step_of(const struct measure_input *in)
{
    float step = INFINITY;
    for (size_t i = 1; i < in->iq_count; i++) {
        const float distance = fabsf(in->iq[i].re - in->iq[i - 1].re);
        step = distance > 0 && distance < step ? distance : step;
    }
    return (double)step;
}

struct phasor {
    double re, im;
};

/* The mean of the samples from `first` on, turned back by the carrier's phase. */
static struct phasor turned_mean(const struct measure_input *in, size_t first, size_t count,
                                 double cycles)
{
    struct phasor sum = {0};
    for (size_t i = first; i < first + count; i++) {
        const double turn = -2 * M_PI * fmod(cycles * (double)i, 1), c = cos(turn), s = sin(turn);
        sum.re += (double)in->iq[i].re * c - (double)in->iq[i].im * s;
        sum.im += (double)in->iq[i].re * s + (double)in->iq[i].im * c;
    }
    return (struct phasor){sum.re / (double)count, sum.im / (double)count};
}

/* Cycles a sample: from the phases of neighbouring pieces, which double up to halves of all. */
static double refined(const struct measure_input *in, double cycles)
{
    for (size_t piece = FIRST_PIECE; piece <= in->iq_count / 2; piece *= 2) {
        const struct phasor a = turned_mean(in, 0, piece, cycles),
                            b = turned_mean(in, piece, piece, cycles);
        cycles += atan2(b.im * a.re - b.re * a.im, b.re * a.re + b.im * a.im) /
                  (2 * M_PI * (double)piece);
    }
    return cycles;
}

bool receiver_is_plain_carrier(const struct measure_input *in, double carrier_hz)
{
    const struct tuning *tuning = &in->line->tuning;
    const double cycles = refined(in, (carrier_hz - tuning->center_hz) / tuning->rate_hz);
    const struct phasor carrier = turned_mean(in, 0, in->iq_count, cycles);
    const double step = step_of(in);
    double power = 0;
    for (size_t i = 0; i < in->iq_count; i++)
        power += (double)in->iq[i].re * (double)in->iq[i].re +
                 (double)in->iq[i].im * (double)in->iq[i].im;
    const double rest =
        power / (double)in->iq_count - carrier.re * carrier.re - carrier.im * carrier.im;
    return rest < step * step / 2;
}

void receiver_finish(struct receiver *r)
{
    ddc_destroy(r->ddc);
    free(r->out);
    free(r->scratch);
    *r = (struct receiver){0};
}
