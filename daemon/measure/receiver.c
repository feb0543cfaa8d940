/* receiver.c - shifts, filters and decimates samples. */
#include "daemon/measure/receiver.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/measure/band.h"
#include "fft/bessel.h"

/* Complex samples; the sums of SUMS vectors do not wait for each other. */
typedef float vector __attribute__((vector_size(32)));
enum { COMPLEX = 4, SUMS = 2, LANES = COMPLEX * SUMS };
enum { SHIFT_BLOCK = 256 };

/* ---- coefficients ------------------------------------------------------------------------ */

/* t in 1 / bandwidth. The transform of a Gaussian is a Gaussian. */
static double gauss_response(double t)
{
    return exp(-M_PI * M_PI * t * t / (2 * M_LN2));
}

static double flat_response(double t)
{
    const double reach = 3, x = t / reach; /* of a transition of half the bandwidth */
    const double sinc = t == 0 ? 1 : sin(M_PI * t) / (M_PI * t);
    return sinc * fft_bessel_i0(4.5 * sqrt(fmax(0, 1 - x * x)));
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

static struct fft_iq rotation(double cycles)
{
    const double angle = 2 * M_PI * fmod(cycles, 1);
    return (struct fft_iq){(float)cos(angle), (float)-sin(angle)};
}

static struct fft_iq times(struct fft_iq a, struct fft_iq b)
{
    return (struct fft_iq){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

#define INLINE     static inline __attribute__((always_inline))
#define SWAPPED(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6)

/*
 * The oscillators of LANES neighbours, which do not wait for each other, are rotations that start
 * anew every SHIFT_BLOCK samples, so that errors do not grow. Each part is there twice, for both
 * parts of a sample.
 */
INLINE void shift_block(struct fft_iq *restrict out, const struct fft_iq *iq, size_t count,
                        const struct fft_iq *start, struct fft_iq step)
{
    const vector sign = {-1, 1, -1, 1, -1, 1, -1, 1};
    float parts[2][2 * LANES];
    vector re[SUMS], im[SUMS];
    for (size_t j = 0; j < (size_t)2 * LANES; j++) {
        parts[0][j] = start[j / 2].re;
        parts[1][j] = start[j / 2].im;
    }
    memcpy(re, parts[0], sizeof re);
    memcpy(im, parts[1], sizeof im);
    for (size_t i = 0; i < count; i += LANES)
        for (size_t j = 0; j < SUMS; j++) {
            vector x;
            memcpy(&x, iq + i + COMPLEX * j, sizeof x);
            x = x * re[j] + SWAPPED(x) * sign * im[j];
            memcpy(out + i + COMPLEX * j, &x, sizeof x);
            const vector next = re[j] * step.re - im[j] * step.im;
            im[j] = re[j] * step.im + im[j] * step.re;
            re[j] = next;
        }
}

INLINE void shift_all(const struct receiver *r, const struct fft_iq *iq, size_t count,
                      double cycles)
{
    const struct fft_iq step = rotation(cycles * LANES);
    struct fft_iq lane[LANES], start[LANES];
    const size_t whole = count / LANES * LANES;

    for (size_t j = 0; j < LANES; j++)
        lane[j] = rotation(cycles * (double)j);
    for (size_t at = 0; at < count; at += SHIFT_BLOCK) {
        const struct fft_iq first = rotation(cycles * (double)at);
        const size_t left = whole > at ? whole - at : 0;
        for (size_t j = 0; j < LANES; j++)
            start[j] = times(first, lane[j]);
        shift_block(r->shifted + at, iq + at, left < SHIFT_BLOCK ? left : SHIFT_BLOCK, start, step);
    }
    for (size_t i = whole; i < count; i++)
        r->shifted[i] = times(iq[i], rotation(cycles * (double)i));
}

/* Outputs that share the loads of the coefficients. */
enum { TOGETHER = 2 };

INLINE void convolve(const struct receiver *r, const struct fft_iq *in, struct fft_iq *out,
                     size_t outputs)
{
    vector sum[TOGETHER][SUMS] = {{{0}}};
    for (size_t i = 0; i < r->taps; i += LANES)
        for (size_t j = 0; j < SUMS; j++) {
            vector c;
            memcpy(&c, r->coefficient + 2 * (i + COMPLEX * j), sizeof c);
            for (size_t k = 0; k < outputs; k++) {
                vector x;
                memcpy(&x, in + k * r->step + i + COMPLEX * j, sizeof x);
                sum[k][j] += x * c;
            }
        }
    for (size_t k = 0; k < outputs; k++) {
        const vector total = sum[k][0] + sum[k][1];
        out[k] = (struct fft_iq){(total[0] + total[2]) + (total[4] + total[6]),
                                 (total[1] + total[3]) + (total[5] + total[7])};
    }
}

INLINE void filter_all(const struct receiver *r, size_t outputs)
{
    size_t i = 0;
    for (; i + TOGETHER <= outputs; i += TOGETHER)
        convolve(r, r->shifted + i * r->step, r->out + i, TOGETHER);
    for (; i < outputs; i++)
        convolve(r, r->shifted + i * r->step, r->out + i, 1);
}

INLINE void receive(struct receiver *r, const struct fft_iq *iq, size_t count, double cycles)
{
    shift_all(r, iq, count, cycles);
    r->count = count >= r->taps ? (count - r->taps) / r->step + 1 : 0;
    filter_all(r, r->count);
}

#ifdef __x86_64__
static __attribute__((target("avx2,fma"))) void
receive_avx2(struct receiver *r, const struct fft_iq *iq, size_t count, double cycles)
{
    receive(r, iq, count, cycles);
}
#endif

static void shift_and_filter(struct receiver *r, const struct fft_iq *iq, size_t count,
                             double cycles)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        receive_avx2(r, iq, count, cycles);
        return;
    }
#endif
    receive(r, iq, count, cycles);
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
    const double percent = in->line->usable_percent > 0 ? in->line->usable_percent : 100;
    if (offset_hz + bandwidth_hz / 2 > tuning->rate_hz / 2 * percent / 100)
        return measure_refuse(out, "a channel of %.0f Hz at %.0f Hz is not within the %s",
                              bandwidth_hz, channel->center_hz, band_span_name(in->line));
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
        shift_and_filter(r, in->iq, in->iq_count, (r->center_hz - zero_hz) / r->input_hz);
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
