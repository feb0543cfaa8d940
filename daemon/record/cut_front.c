/* cut_front.c - shifts blocks of raw samples into the room of the first filter. */
#include "daemon/record/cut_front.h"

#include <math.h>
#include <string.h>

#define TURN 0x1p64 /* phases are parts of it: whole turns fall out of 64 bits */

/* ---- the shift -------------------------------------------------------------------------- */

static double angle(uint64_t phase)
{
    return -2 * 3.14159265358979323846 * ((double)phase / TURN);
}

void cut_shift_init(struct cut_shift *s, double turns, double scale)
{
    const double part = turns - floor(turns);
    s->step = part * TURN < TURN ? (uint64_t)(part * TURN) : 0;
    s->scale = scale;
    for (unsigned i = 0; i < CUT_TURNS; i++) {
        s->re[i] = (float)cos(angle(i * s->step));
        s->im[i] = (float)sin(angle(i * s->step));
    }
}

static void shift(struct cut_front *f, const unsigned char *raw, size_t count, float *re, float *im)
{
    const struct cut_shift *s = f->shift;
    for (size_t done = 0, now; done < count; done += now, f->number += now) {
        const size_t at = f->number % CUT_TURNS;
        const double first = angle((f->number - at) * s->step);
        const struct cut_turn turn = {.base_re = (float)(s->scale * cos(first)),
                                      .base_im = (float)(s->scale * sin(first)),
                                      .re = s->re + at,
                                      .im = s->im + at};
        now = count - done < CUT_TURNS - at ? count - done : CUT_TURNS - at;
        f->convert(&turn, raw + done * f->sample_bytes, now, re + done, im + done);
    }
}

static void put_zeros(struct cut_front *f, size_t count, float *re, float *im)
{
    memset(re, 0, count * sizeof *re);
    memset(im, 0, count * sizeof *im);
    f->number += count;
}

/* ---- the front -------------------------------------------------------------------------- */

int cut_front_init(struct cut_front *f, const struct cut_stage_plan *stage,
                   const struct cut_shift *shift, enum fft_iq_format format,
                   const struct cut_loops *loops)
{
    *f = (struct cut_front){.shift = shift,
                            .convert = loops->shift[format],
                            .sample_bytes = (uint32_t)fft_iq_bytes(format),
                            .filters = stage};
    return stage ? cut_stage_init(&f->stage, stage, loops) : 0;
}

void cut_front_finish(struct cut_front *f)
{
    cut_stage_finish(&f->stage);
}

void cut_front_begin(struct cut_front *f, uint64_t number)
{
    f->number = number;
    cut_stage_begin(&f->stage);
}

size_t cut_front_outputs(const struct cut_front *f, size_t count)
{
    return f->filters ? cut_stage_outputs(&f->stage, count) : count;
}

/* Up to *count samples, after `done` of them; NULL: zeros. */
static const unsigned char *get_samples(struct cut_front *f, const struct cut_input *in,
                                        size_t done, size_t *count)
{
    const size_t at = in->at + done;
    if (!in->reader)
        return in->raw ? in->raw + at * f->sample_bytes : NULL;
    *count = in->reader->read(in->reader->arg, at, *count, f->block);
    return f->block;
}

size_t cut_front_push(struct cut_front *f, const struct cut_input *in, float *re, float *im,
                      size_t *taken)
{
    size_t outputs = 0, done = 0;
    for (bool more = true; more && done < in->count;) {
        float *to_re = re + outputs, *to_im = im + outputs;
        const size_t rest = in->count - done;
        const size_t most = rest < CUT_STAGE_BLOCK ? rest : CUT_STAGE_BLOCK;
        size_t now = most;
        const unsigned char *raw = get_samples(f, in, done, &now);
        if (f->filters)
            cut_stage_room(&f->stage, &to_re, &to_im);
        if (raw)
            shift(f, raw, now, to_re, to_im);
        else
            put_zeros(f, now, to_re, to_im);
        outputs += f->filters ? cut_stage_run(&f->stage, now, re + outputs, im + outputs) : now;
        done += now;
        more = now == most;
    }
    *taken = done;
    return outputs;
}
