/* moments.c - weighted sums over raw samples, in loops over lanes that gcc vectorises. */
#include "daemon/dsp/moments.h"

enum { BLOCK = 256, LANES = 8 /* four samples */ };

/* Even lanes are I, odd ones Q; `cross` is I Q in all of them. */
struct lanes {
    float sum[LANES], square[LANES], cross[LANES];
};

static void add_lanes(struct lanes *restrict l, const float *restrict x)
{
    float swapped[LANES];
    for (int i = 0; i < LANES; i++)
        swapped[i] = x[i ^ 1];
    for (int i = 0; i < LANES; i++) {
        l->sum[i] += x[i];
        l->square[i] += x[i] * x[i];
        l->cross[i] += x[i] * swapped[i];
    }
}

static void add_block(struct moments *m, const struct fft_iq *x, size_t samples, double weight)
{
    struct lanes l = {{0}, {0}, {0}};
    for (size_t i = 0; i < 2 * samples; i += LANES)
        add_lanes(&l, &x->re + i);
    for (int i = 0; i < LANES; i += 2) {
        m->x += weight * (double)l.sum[i];
        m->y += weight * (double)l.sum[i + 1];
        m->xx += weight * (double)l.square[i];
        m->yy += weight * (double)l.square[i + 1];
        m->xy += weight * (double)l.cross[i];
    }
    m->weight += weight * (double)samples;
}

/* The last lanes: 0 changes no sum. */
static void clear_rest(struct fft_iq *x, size_t count)
{
    for (size_t i = 0; i < LANES / 2; i++)
        x[count + i] = (struct fft_iq){0, 0};
}

/* x: MOMENT_LAGS samples of the block before, then `count`. Before the first of all it is itself.
 */
static void add_steps(struct moment_steps *s, struct fft_iq *x, size_t count, double weight)
{
    const struct fft_iq *first = x + MOMENT_LAGS;
    struct fft_iq step[BLOCK + LANES / 2];
    for (size_t i = 0; i < MOMENT_LAGS; i++)
        x[i] = s->begun ? s->last[i] : *first;
    s->begun = true;
    for (size_t lag = 1; lag <= MOMENT_LAGS; lag++) {
        for (size_t i = 0; i < count; i++)
            step[i] = (struct fft_iq){first[i].re - (first + i - lag)->re,
                                      first[i].im - (first + i - lag)->im};
        clear_rest(step, count);
        add_block(&s->sums[lag - 1], step, count, weight);
    }
    for (size_t i = 0; i < MOMENT_LAGS; i++)
        s->last[i] = x[count + i];
}

void moments_add(struct moments *m, struct moment_steps *steps, enum fft_iq_format format,
                 const void *raw, size_t samples, struct fft_iq pivot, double weight)
{
    struct fft_iq x[MOMENT_LAGS + BLOCK + LANES / 2], *block = x + MOMENT_LAGS;
    for (size_t at = 0; at < samples; at += BLOCK) {
        const size_t count = samples - at < BLOCK ? samples - at : BLOCK;
        fft_iq_unpack(format, (const char *)raw + at * fft_iq_bytes(format), block, count);
        for (size_t i = 0; i < count; i++)
            block[i] = (struct fft_iq){block[i].re - pivot.re, block[i].im - pivot.im};
        clear_rest(block, count);
        add_block(m, block, count, weight);
        add_steps(steps, x, count, weight);
    }
}

struct moments_mean moments_mean(const struct moments *m, struct fft_iq pivot)
{
    const double x = m->x / m->weight, y = m->y / m->weight;
    return (struct moments_mean){.i = (double)pivot.re + x,
                                 .q = (double)pivot.im + y,
                                 .ii = m->xx / m->weight - x * x,
                                 .qq = m->yy / m->weight - y * y,
                                 .iq = m->xy / m->weight - x * y};
}
