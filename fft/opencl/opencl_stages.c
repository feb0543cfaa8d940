/* opencl_stages.c - splits a frame into passes, fills their twiddle tables and writes their text.
 */
#include <assert.h>
#include <math.h>

#include "fft/opencl/opencl_strategy.h"
#include "fft/twiddle.h"

uint32_t opencl_plan_stages(struct opencl_stage *stages, uint32_t *count, uint32_t n,
                            uint32_t max_radix, uint32_t columns, uint32_t twiddles_at)
{
    assert(max_radix > 1);
    uint32_t left = floor_log2(n), joined = 1;
    *count = ceil_div(left, floor_log2(max_radix));
    for (uint32_t i = 0; i < *count; i++) {
        const uint32_t bits = ceil_div(left, *count - i), radix = 1U << bits;
        stages[i] = (struct opencl_stage){
            .radix = radix, .joined = joined, .columns = columns, .twiddles_at = twiddles_at};
        twiddles_at += i > 0 ? (radix - 1) * joined : 0; /* the first pass needs none */
        twiddles_at += twiddles_at % 2;                  /* columns are read in pairs */
        joined *= radix;
        left -= bits;
    }
    return twiddles_at;
}

void opencl_fill_twiddles(const struct opencl_stage *stage, struct fft_iq *to)
{
    for (uint32_t r = 1; r < stage->radix; r++) {
        for (uint32_t k = 0; k < stage->joined; k++) {
            const struct root w =
                fft_twiddle((uint64_t)r * k, (uint64_t)stage->radix * stage->joined);
            *to++ = (struct fft_iq){(float)w.re, (float)w.im};
        }
    }
}

size_t opencl_point_bytes(const struct opencl_spectrum *s)
{
    return s->choice.half ? 2 * sizeof(uint16_t) : sizeof(struct fft_iq);
}

/*
 * The first pass adds `radix` samples of magnitude sqrt(2) at most, times their windows. Middle
 * passes keep that bound. 30 dB remain up to the largest 16-bit float, for samples beyond full
 * scale.
 */
double opencl_window_scale(const struct opencl_spectrum *s)
{
    enum { LARGEST = 2048 };
    float most = 0; /* of floats: gcc 12 for arm64 fails on fmax of doubles from them */
    if (!s->choice.half)
        return 1;
    for (uint32_t i = 0; i < s->spec.n; i++)
        most = fabsf(s->spec.window[i]) > most ? fabsf(s->spec.window[i]) : most;
    return most > 0 ? exp2(floor(log2(LARGEST / (M_SQRT2 * s->stages[0].radix * most)))) : 1;
}

/* What the last pass multiplies by. */
static double grown_by(const struct opencl_spectrum *s)
{
    double factor = 1 / opencl_window_scale(s);
    for (uint32_t i = 1; i + 1 < s->stage_count; i++)
        factor *= s->stages[i].radix;
    return factor;
}

void opencl_fill_twiddle_tables(const struct opencl_spectrum *s, struct fft_iq *tables)
{
    if (s->choice.half)
        tables[s->scale_at - s->spec.n / 2] = (struct fft_iq){(float)grown_by(s), 0};
    for (uint32_t i = 1; i < s->stage_count; i++)
        opencl_fill_twiddles(&s->stages[i], tables + s->stages[i].twiddles_at - s->spec.n / 2);
}

void opencl_interleaved_source(struct opencl_text *t)
{
    static const char *const files[] = {"interleaved", "codelets", "raw", "samples", "detectors"};
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
        opencl_text_file(t, files[i]);
}

void opencl_passes_source(const struct opencl_spectrum *s, struct opencl_text *t)
{
    opencl_interleaved_source(t);
    opencl_text_number(t, "HALF", s->choice.half > 0);
    opencl_text_number(t, "SCALE_AT", s->scale_at);
    opencl_text_file(t, "stored");
    opencl_text_number(t, "ROOTS", s->choice.roots);
    if (s->choice.roots == 1)
        opencl_text_file(t, "powers");
    opencl_text_file(t, "twiddles");
}

void opencl_stage_source(struct opencl_text *t, const struct opencl_stage *stage, const char *file)
{
    opencl_text_number(t, "RADIX", stage->radix);
    opencl_text_number(t, "JOINED", stage->joined);
    opencl_text_number(t, "TWIDDLES", stage->twiddles_at);
    opencl_text_file(t, file);
}
