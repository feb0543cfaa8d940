/* receiver.c - shifts, filters and decimates samples. */
#include "daemon/measure/receiver.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two complex samples; the sums of SUMS vectors do not wait for each other. */
typedef float vector __attribute__((vector_size(16)));
enum { PAIR = 2, SUMS = 4, LANES = PAIR * SUMS };

/* ---- coefficients ------------------------------------------------------------------------ */

/* t in 1 / bandwidth. The transform of a Gaussian is a Gaussian. */
static double gauss_response(double t)
{
    return exp(-M_PI * M_PI * t * t / (2 * M_LN2));
}

static double bessel_i0(double x)
{
    double term = 1, sum = 1;
    for (int k = 1; term > sum * 1e-12; k++) {
        term *= x * x / 4 / ((double)k * k);
        sum += term;
    }
    return sum;
}

static double flat_response(double t)
{
    const double reach = 3, x = t / reach; /* of a transition of half the bandwidth */
    const double sinc = t == 0 ? 1 : sin(M_PI * t) / (M_PI * t);
    return sinc * bessel_i0(4.5 * sqrt(fmax(0, 1 - x * x)));
}

static const struct filter {
    double (*response)(double t);
    double reach; /* to both sides, in 1 / bandwidth */
} filters[] = {[RECEIVER_GAUSS] = {gauss_response, 1.1}, [RECEIVER_FLAT] = {flat_response, 3}};

static void fill(struct receiver *r, size_t real_taps, double bandwidth)
{
    const struct filter *f = &filters[r->channel.filter];
    double sum = 0;
    for (size_t i = 0; i < real_taps; i++) {
        const double t = ((double)i - (double)(real_taps - 1) / 2) * bandwidth;
        r->coefficient[2 * i] = bandwidth > 0 ? (float)f->response(t) : 1;
        sum += (double)r->coefficient[2 * i];
    }
    for (size_t i = 0; i < real_taps; i++) {
        r->coefficient[2 * i] = (float)((double)r->coefficient[2 * i] / sum);
        r->coefficient[2 * i + 1] = r->coefficient[2 * i];
    }
}

/* Coefficients for this channel; trailing ones are 0. */
static int design(struct receiver *r, const struct receiver_channel *channel, double input_hz)
{
    const double bandwidth = channel->bandwidth_hz / input_hz; /* cycles per sample */
    const double reach = filters[channel->filter].reach;
    const size_t half = bandwidth > 0 ? (size_t)ceil(reach / bandwidth) : 0;
    const size_t real_taps = 2 * half + 1, taps = (real_taps + LANES - 1) / LANES * LANES;
    float *coefficient = calloc(2 * taps, sizeof *coefficient);
    if (!coefficient)
        return -ENOMEM;
    free(r->coefficient);
    r->coefficient = coefficient;
    r->channel = *channel;
    r->input_hz = input_hz;
    r->taps = taps;
    r->step = bandwidth > 0 ? (size_t)fmax(1, floor(1 / (4 * bandwidth))) : 1;
    r->rate_hz = input_hz / (double)r->step;
    r->delay_s = (double)half / input_hz;
    fill(r, real_taps, bandwidth);
    return 0;
}

static int reserve(struct receiver *r, size_t samples)
{
    if (r->room >= samples)
        return 0;
    free(r->shifted);
    free(r->out);
    r->shifted = malloc(samples * sizeof *r->shifted);
    r->out = malloc(samples * sizeof *r->out);
    r->room = r->shifted && r->out ? samples : 0;
    return r->room ? 0 : -ENOMEM;
}

static bool same_channel(const struct receiver_channel *a, const struct receiver_channel *b)
{
    return a->bandwidth_hz == b->bandwidth_hz && a->filter == b->filter;
}

static int prepare(struct receiver *r, const struct receiver_channel *channel,
                   const struct measure_input *in)
{
    const double input_hz = in->line->tuning.rate_hz;
    if (!r->coefficient || r->input_hz != input_hz || !same_channel(&r->channel, channel)) {
        const int err = design(r, channel, input_hz);
        if (err < 0)
            return err;
    }
    return reserve(r, in->iq_count);
}

/* ---- samples ----------------------------------------------------------------------------- */

/* The oscillator is a rotation that starts anew every 256 samples, so that errors do not grow. */
static void shift(struct receiver *r, const struct fft_iq *iq, size_t count, double cycles)
{
    const float step_re = (float)cos(2 * M_PI * cycles), step_im = (float)-sin(2 * M_PI * cycles);
    float re = 1, im = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % 256 == 0) {
            const double turns = fmod(cycles * (double)i, 1);
            re = (float)cos(2 * M_PI * turns);
            im = (float)-sin(2 * M_PI * turns);
        }
        r->shifted[i] =
            (struct fft_iq){iq[i].re * re - iq[i].im * im, iq[i].re * im + iq[i].im * re};
        const float next = re * step_re - im * step_im;
        im = re * step_im + im * step_re;
        re = next;
    }
}

static struct fft_iq convolve(const struct fft_iq *in, const float *coefficient, size_t taps)
{
    vector sum[SUMS] = {0};
    for (size_t i = 0; i < taps; i += LANES)
        for (size_t j = 0; j < SUMS; j++) {
            vector x, c;
            memcpy(&x, in + i + PAIR * j, sizeof x);
            memcpy(&c, coefficient + 2 * (i + PAIR * j), sizeof c);
            sum[j] += x * c;
        }
    const vector total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return (struct fft_iq){total[0] + total[2], total[1] + total[3]};
}

static void filter(struct receiver *r, size_t count)
{
    r->count = 0;
    for (size_t at = 0; at + r->taps <= count; at += r->step)
        r->out[r->count++] = convolve(r->shifted + at, r->coefficient, r->taps);
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
    const double offset_hz = fabs(channel->center_hz - tuning->center_hz);
    if (in->iq_count == 0)
        return measure_refuse(out, "the samples of the line are no longer there");
    if (!(bandwidth_hz > 0))
        return 0;
    if (offset_hz + bandwidth_hz / 2 > tuning->rate_hz / 2)
        return measure_refuse(out, "a channel of %.0f Hz at %.0f Hz is not within the span",
                              bandwidth_hz, channel->center_hz);
    /* Before memory for so many coefficients is taken. */
    const double reach = filters[channel->filter].reach * tuning->rate_hz / bandwidth_hz;
    return 2 * reach > (double)in->iq_count ? too_few(channel, in, out) : 0;
}

int receiver_run(struct receiver *r, const struct receiver_channel *channel,
                 const struct measure_input *in, size_t least, struct measure_result *out)
{
    int err = check(channel, in, out);
    err = err < 0 ? err : prepare(r, channel, in);
    if (err < 0)
        return err;
    const double zero_hz = in->line->tuning.center_hz;
    if (channel->bandwidth_hz > 0) {
        r->center_hz = channel->center_hz;
        shift(r, in->iq, in->iq_count, (r->center_hz - zero_hz) / r->input_hz);
        filter(r, in->iq_count);
    } else {
        r->center_hz = zero_hz;
        r->count = in->iq_count;
        memcpy(r->out, in->iq, r->count * sizeof *r->out);
    }
    return r->count < least ? too_few(channel, in, out) : 0;
}

void receiver_finish(struct receiver *r)
{
    free(r->coefficient);
    free(r->shifted);
    free(r->out);
    *r = (struct receiver){0};
}
