/* stages.c - splits a frame into passes, fills their twiddle tables and writes their text. */
#include "fft/opencl/plan_parts.h"
#include "fft/twiddle.h"

uint32_t opencl_plan_stages(struct opencl_stage *stages, uint32_t *count, uint32_t n,
                            uint32_t max_radix, uint32_t columns, uint32_t twiddles_at)
{
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

void opencl_fill_twiddle_parts(const struct opencl_stage *stage, uint32_t r, float *re, float *im)
{
    for (uint32_t k = 0; k < stage->joined; k++) {
        const struct root w = fft_twiddle((uint64_t)r * k, (uint64_t)stage->radix * stage->joined);
        re[k] = (float)w.re;
        im[k] = (float)w.im;
    }
}

void opencl_fill_twiddle_tables(const struct opencl_spectrum *s, struct fft_iq *tables)
{
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
    opencl_text_number(t, "NATIVE", s->choice.native);
    opencl_text_number(t, "ROOTS", s->choice.roots);
    if (s->choice.native) {
        opencl_text_noise(t, s->profile.native_noise);
        opencl_text_file(t, "native");
    }
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
