/* demod_pilot.c - a loop at 2 kS/s for a carrier at 38 kHz. */
#include "daemon/demod/mode/demod_pilot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "daemon/demod/mode/demod_multiplex.h"

#define PI     3.14159265358979323846
#define BLOCKS (DEMOD_MULTIPLEX_HZ / DEMOD_PILOT_BLOCK) /* a second */

/* A noise bandwidth of 33 Hz: w (zeta + 1 / (4 zeta)) / 2. */
#define LOOP_W    63.0
#define LOOP_ZETA 0.7

static const struct demod_band band = {.high_hz = 1200, .slope_hz = 2000, .attenuation_db = 80};

static size_t half_length(void)
{
    return demod_band_length(&band, DEMOD_MULTIPLEX_HZ) / 2;
}

/* Those of the filter, and a block: the phase at both of its ends is known then. */
size_t demod_pilot_delay(void)
{
    return half_length() + DEMOD_PILOT_BLOCK;
}

int demod_pilot_init(struct demod_pilot *p, double least)
{
    p->delay = demod_pilot_delay();
    p->least = least;
    assert(p->delay <= DEMOD_PILOT_DELAY_MAX);
    const double turn = 2 * PI * 19000 / DEMOD_MULTIPLEX_HZ;
    for (int i = 0; i < 2 * DEMOD_PILOT_BLOCK; i++) {
        p->down_re[i] = (float)cos(turn * i);
        p->down_im[i] = (float)-sin(turn * i);
    }
    for (int i = 0; i < DEMOD_PILOT_BLOCK; i++) {
        const double phase = 2 * turn * ((double)i - (double)p->delay);
        p->up_re[i] = (float)cos(phase);
        p->up_im[i] = (float)sin(phase);
    }
    const int err = demod_filter_init(&p->filter, &band, DEMOD_MULTIPLEX_HZ, DEMOD_PILOT_BLOCK);
    if (err == 0)
        demod_pilot_reset(p);
    return err;
}

void demod_pilot_finish(struct demod_pilot *p)
{
    demod_filter_finish(&p->filter);
}

void demod_pilot_reset(struct demod_pilot *p)
{
    demod_filter_reset(&p->filter);
    memset(p->held, 0, sizeof p->held);
    p->odd = false;
    p->phase = p->step = p->level = 0;
    p->before_re = 1;
    p->before_im = 0;
    p->seen = 0;
    p->found = false;
}

/* The filtered pilot of this block: a sine of amplitude a is a / 2 there. */
static void follow(struct demod_pilot *p, double re, double im)
{
    const double c = cos(p->phase), s = sin(p->phase);
    const double in_phase = re * c + im * s, error = atan2(im * c - re * s, in_phase);
    p->step += LOOP_W * LOOP_W / (BLOCKS * BLOCKS) * error;
    p->phase = remainder(p->phase + p->step + 2 * LOOP_ZETA * LOOP_W / BLOCKS * error, 2 * PI);
    p->level += (2 * in_phase - p->level) / (0.05 * BLOCKS);
    p->seen = p->level > p->least ? p->seen + (p->seen < BLOCKS) : 0;
    if (p->seen > 0.1 * BLOCKS)
        p->found = true;
    if (p->level < 0.7 * p->least)
        p->found = false;
}

/* The pilot is a sine: it is 90 degrees behind, and its double 180, hence the sign. */
static void multiply(struct demod_pilot *p, const float *x, float *difference)
{
    const double re = cos(2 * p->phase), im = sin(2 * p->phase);
    const float from_re = (float)p->before_re, from_im = (float)p->before_im;
    const float slope_re = (float)((re - p->before_re) / DEMOD_PILOT_BLOCK);
    const float slope_im = (float)((im - p->before_im) / DEMOD_PILOT_BLOCK);
    for (int i = 0; i < DEMOD_PILOT_BLOCK; i++) {
        const float a = from_re + (float)i * slope_re, b = from_im + (float)i * slope_im;
        difference[i] = -2 * x[i] * (a * p->up_im[i] + b * p->up_re[i]);
    }
    p->before_re = re;
    p->before_im = im;
}

void demod_pilot_run(struct demod_pilot *p, const float *x, float *sum, float *difference)
{
    float re[DEMOD_PILOT_BLOCK], im[DEMOD_PILOT_BLOCK], out_re, out_im;
    const int from = p->odd ? DEMOD_PILOT_BLOCK : 0;
    for (int i = 0; i < DEMOD_PILOT_BLOCK; i++) {
        re[i] = x[i] * p->down_re[from + i];
        im[i] = x[i] * p->down_im[from + i];
    }
    p->odd = !p->odd;
    demod_filter_run(&p->filter, re, im, DEMOD_PILOT_BLOCK, &out_re, &out_im);
    follow(p, (double)out_re, (double)out_im);
    memcpy(p->held + p->delay, x, DEMOD_PILOT_BLOCK * sizeof *x);
    memcpy(sum, p->held, DEMOD_PILOT_BLOCK * sizeof *sum);
    multiply(p, sum, difference);
    memmove(p->held, p->held + DEMOD_PILOT_BLOCK, p->delay * sizeof *p->held);
}
