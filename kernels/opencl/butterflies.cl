/*
 * butterflies.cl - butterflies of two points with the twiddle folded in: a + w b and a - w b in six
 * fused multiply-adds, so that a twiddle costs no operation of its own (E. Linzer and E. Feig,
 * "Implementation of efficient FFT algorithms on fused multiply-add architectures", 1993). The
 * second result is 2 a minus the first.
 *
 * A pass takes RADIX points x_r with a twiddle w: V_k = sum x_r w^r exp(-2 pi i r k / RADIX). Its
 * level m = 2, 4 .. RADIX joins sub-transforms of m/2 points with the roots w^(RADIX/m) exp(-2 pi i
 * k / m), k = 0 .. m/2 - 1. The roots of k >= m/4 are -i times those of k - m/4. So RADIX/2 roots
 * are enough: number 0 for level 2, number m/4 + k for level m. Points start in bit-reversed order
 * and end in natural order. fft/opencl/opencl_butterflies.c writes the lists of butterflies and has the
 * tables.
 */
#define BUTTERFLY_BY_1(a, b)                                                                       \
    {                                                                                              \
        const float2 t_ = a;                                                                       \
        a = t_ + b;                                                                                \
        b = t_ - b;                                                                                \
    }

/* a, b = a - i b, a + i b */
#define BUTTERFLY_BY_MINUS_I(a, b)                                                                 \
    {                                                                                              \
        const float2 t_ = a, u_ = b;                                                               \
        a = (float2)(t_.x + u_.y, t_.y - u_.x);                                                    \
        b = (float2)(t_.x - u_.y, t_.y + u_.x);                                                    \
    }

/* a, b = a + w b, a - w b, where w is re + i im */
#define BUTTERFLY_BY(a, b, re, im)                                                                 \
    {                                                                                              \
        const float x_ = FMA(-(im), b.y, FMA((re), b.x, a.x));                                     \
        const float y_ = FMA((im), b.x, FMA((re), b.y, a.y));                                      \
        b = (float2)(FMA(2.0f, a.x, -x_), FMA(2.0f, a.y, -y_));                                    \
        a = (float2)(x_, y_);                                                                      \
    }

/* Two samples times their windows v and w, then a butterfly with w = 1. */
#define BUTTERFLY_SAMPLES(a, b, sample_a, v, sample_b, w)                                          \
    {                                                                                              \
        const float2 x_ = SAMPLE(sample_a), y_ = SAMPLE(sample_b) * (w);                           \
        a = FMA(x_, (float2)(v), y_);                                                              \
        b = FMA(x_, (float2)(v), -y_);                                                             \
    }
