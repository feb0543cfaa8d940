/*
 * pipeline.c - plain loops for conversion, window and |X|^2, compiled for several instruction sets.
 */
#include "bench/libs/pipeline.h"

#define DEFINE_LOAD(isa, name, type, zero, ...)                                                    \
    __VA_ARGS__ static void load_##name##_##isa(const void *raw, const float *restrict window,     \
                                                float *restrict out, size_t components)            \
    {                                                                                              \
        const type *restrict from = raw;                                                           \
        for (size_t i = 0; i < components; i++)                                                    \
            out[i] = ((float)from[i] - (zero)) * window[i];                                        \
    }
#define DEFINE_LOOPS(isa, ...)                                                                     \
    DEFINE_LOAD(isa, cu8, uint8_t, 127.5F, __VA_ARGS__)                                            \
    DEFINE_LOAD(isa, cs8, int8_t, 0.0F, __VA_ARGS__)                                               \
    DEFINE_LOAD(isa, cs16, int16_t, 0.0F, __VA_ARGS__)                                             \
    DEFINE_LOAD(isa, cf32, float, 0.0F, __VA_ARGS__)                                               \
    __VA_ARGS__ static void power_##isa(const float *restrict x, float *restrict sum, size_t n)    \
    {                                                                                              \
        for (size_t k = 0; k < n; k++)                                                             \
            sum[k] += x[2 * k] * x[2 * k] + x[2 * k + 1] * x[2 * k + 1];                           \
    }                                                                                              \
    static const struct loops loops_##isa = {                                                      \
        {load_cu8_##isa, load_cs8_##isa, load_cs16_##isa, load_cf32_##isa}, power_##isa};

struct loops {
    void (*load[FFT_IQ_FORMATS])(const void *raw, const float *window, float *out,
                                 size_t components);
    void (*power)(const float *x, float *sum, size_t n);
};

DEFINE_LOOPS(baseline, /* what every machine has */)
#ifdef __x86_64__
DEFINE_LOOPS(avx2, __attribute__((target("avx2,fma"))))
DEFINE_LOOPS(avx512, __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma"))))
#endif

static const struct loops *best(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return &loops_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &loops_avx2;
#endif
    return &loops_baseline;
}

void pipeline_load(enum fft_iq_format format, const void *raw, const float *window,
                   struct fft_iq *out, uint32_t n)
{
    best()->load[format](raw, window, &out->re, 2 * (size_t)n);
}

void pipeline_power(const struct fft_iq *x, float *sum, uint32_t n)
{
    best()->power(&x->re, sum, n);
}
