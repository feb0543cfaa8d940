/* demod_agc.c - gains at the borders of blocks, and ramps between them. */
#include "daemon/demod/demod_agc.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define BLOCK_S   0.005
#define MOST      1e6 /* 120 dB */
#define A_DECIBEL 1.122018

void demod_agc_init(struct demod_agc *a, const struct demod_agc_config *c)
{
    const double block = round(c->rate_hz * BLOCK_S);
    assert(block >= 1 && block <= DEMOD_AGC_BLOCK_MAX);
    *a = (struct demod_agc){.block = (size_t)block,
                            .target = c->target,
                            .rise = pow(10, c->rise_db_s * block / c->rate_hz / 20),
                            .hang = (size_t)round(c->hang_s * c->rate_hz / block)};
    demod_agc_reset(a);
}

void demod_agc_reset(struct demod_agc *a)
{
    a->have = 0;
    a->level = 0;
    a->before = -1;
    a->gain = 0;
    a->waited = 0;
}

/* The gain at the end of the block before, which is the beginning of the newest one. */
static double next_gain(struct demod_agc *a)
{
    const double level = fmax(a->before, a->level),
                 wanted = fmin(a->target / (level + 1e-30), MOST);
    const double near = a->waited < a->hang ? A_DECIBEL : 1;
    if (wanted <= a->gain * near && wanted < MOST) {
        a->waited = 0;
        return fmin(wanted, a->gain);
    }
    if (a->waited < a->hang) {
        a->waited++;
        return a->gain;
    }
    return fmin(wanted, a->gain * a->rise);
}

/* A whole block is there: the one before it can leave. */
static size_t finish_block(struct demod_agc *a, float *out)
{
    size_t frames = 0;
    if (a->before < 0) {
        a->gain = fmin(a->target / (a->level + 1e-30), MOST);
    } else {
        const double next = next_gain(a), step = pow(next / a->gain, 1 / (double)a->block);
        double gain = a->gain;
        for (size_t i = 0; i < a->block; i++, gain *= step)
            out[i] = a->held[0][i] * (float)gain;
        a->gain = next;
        frames = a->block;
    }
    memcpy(a->held[0], a->held[1], a->block * sizeof a->held[0][0]);
    a->before = a->level;
    a->level = 0;
    a->have = 0;
    return frames;
}

size_t demod_agc_run(struct demod_agc *a, const float *in, const float *level, size_t frames,
                     float *out)
{
    size_t made = 0;
    for (size_t i = 0; i < frames; i++) {
        a->held[1][a->have] = in[i];
        a->level = fmax(a->level, (double)level[i]);
        if (++a->have == a->block)
            made += finish_block(a, out + made);
    }
    return made;
}

double demod_agc_gain_db(const struct demod_agc *a)
{
    return a->gain > 0 ? 20 * log10(a->gain) : (double)NAN;
}
