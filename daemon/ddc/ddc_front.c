/* ddc_front.c - shifts blocks of raw samples into the room of the first filter. */
#include "daemon/ddc/ddc_front.h"

#include <math.h>
#include <string.h>

#define TURN 0x1p64 /* phases are parts of it: whole turns fall out of 64 bits */

/* ---- the shift -------------------------------------------------------------------------- */

static double angle(uint64_t phase)
{
    return -2 * 3.14159265358979323846 * ((double)phase / TURN);
}

/*
 * hz / rate_hz in parts of 2^-64 turns, rounded to the nearest, by long division: no step of it is
 * rounded. A quotient of doubles would have 53 bits, and be some 1e-4 rad off after 1e12 samples.
 */
static uint64_t step_of(double hz, double rate_hz)
{
    double rest = fmod(fabs(hz), rate_hz);
    uint64_t step = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        rest *= 2;
        const bool set = rest >= rate_hz;
        step = step << 1 | set;
        rest -= set ? rate_hz : 0;
    }
    step += 2 * rest >= rate_hz;
    return hz < 0 ? -step : step;
}

void ddc_shift_init(struct ddc_shift *s, double hz, double rate_hz, double scale)
{
    const uint64_t step = step_of(hz, rate_hz);
    s->scale = scale;
    if (s->step == step && s->re[0] > 0) /* the same tables as before */
        return;
    s->step = step;
    for (unsigned i = 0; i < DDC_TURNS; i++) {
        s->re[i] = (float)cos(angle(i * s->step));
        s->im[i] = (float)sin(angle(i * s->step));
    }
}

static void shift(struct ddc_front *f, const unsigned char *raw, size_t count, float *re, float *im)
{
    const struct ddc_shift *s = f->shift;
    for (size_t done = 0, now; done < count; done += now, f->number += now) {
        const size_t at = f->number % DDC_TURNS;
        const double first = angle((f->number - at) * s->step);
        const struct ddc_turn turn = {.base_re = (float)(s->scale * cos(first)),
                                      .base_im = (float)(s->scale * sin(first)),
                                      .re = s->re + at,
                                      .im = s->im + at};
        now = count - done < DDC_TURNS - at ? count - done : DDC_TURNS - at;
        f->convert(&turn, raw + done * f->sample_bytes, now, re + done, im + done);
    }
}

static void put_zeros(struct ddc_front *f, size_t count, float *re, float *im)
{
    memset(re, 0, count * sizeof *re);
    memset(im, 0, count * sizeof *im);
    f->number += count;
}

/* ---- the front -------------------------------------------------------------------------- */

int ddc_front_init(struct ddc_front *f, const struct ddc_stage_plan *stage,
                   const struct ddc_shift *shift, enum fft_iq_format format,
                   const struct ddc_loops *loops)
{
    *f = (struct ddc_front){.shift = shift,
                            .convert = loops->shift[format],
                            .sample_bytes = (uint32_t)fft_iq_bytes(format),
                            .filters = stage};
    return stage ? ddc_stage_init(&f->stage, stage, loops) : 0;
}

void ddc_front_finish(struct ddc_front *f)
{
    ddc_stage_finish(&f->stage);
}

void ddc_front_begin(struct ddc_front *f, uint64_t number)
{
    f->number = number;
    ddc_stage_begin(&f->stage);
}

size_t ddc_front_outputs(const struct ddc_front *f, size_t count)
{
    return f->filters ? ddc_stage_outputs(&f->stage, count) : count;
}

/* Up to *count samples, after `done` of them; NULL: zeros. */
static const unsigned char *get_samples(struct ddc_front *f, const struct ddc_input *in,
                                        size_t done, size_t *count)
{
    const size_t at = in->at + done;
    if (!in->reader)
        return in->raw ? in->raw + at * f->sample_bytes : NULL;
    *count = in->reader->read(in->reader->arg, at, *count, f->block);
    return f->block;
}

size_t ddc_front_push(struct ddc_front *f, const struct ddc_input *in, float *re, float *im,
                      size_t *taken)
{
    size_t outputs = 0, done = 0;
    for (bool more = true; more && done < in->count;) {
        float *to_re = re + outputs, *to_im = im + outputs;
        const size_t rest = in->count - done;
        const size_t most = rest < DDC_STAGE_BLOCK ? rest : DDC_STAGE_BLOCK;
        size_t now = most;
        const unsigned char *raw = get_samples(f, in, done, &now);
        if (f->filters)
            ddc_stage_input(&f->stage, &to_re, &to_im);
        if (raw)
            shift(f, raw, now, to_re, to_im);
        else
            put_zeros(f, now, to_re, to_im);
        outputs += f->filters ? ddc_stage_run(&f->stage, now, re + outputs, im + outputs) : now;
        done += now;
        more = now == most;
    }
    *taken = done;
    return outputs;
}
