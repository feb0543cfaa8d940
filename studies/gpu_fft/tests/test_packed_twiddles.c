/*
 * test_packed_twiddles.c - the factors that GPU_FFT's programs read make its codelets rotated
 * transforms: Y[k] = sum over j of x[j] exp(sign 2 pi i j (k / R + angle)), R = 16, 32 or 64, as
 * direct sums have it. Needs none of its programs.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "studies/gpu_fft/tests/packed_twiddles.h"
#include "tests/support/cmocka_all.h"

enum { MOST = 64, VECTORS = 4, WORDS = 2 * PACKED_LANES * VECTORS };

static const double angles[] = {0, 1.0 / 256, 3.0 / 4096, 0.1};

/* Numbers with a real and an imaginary part, as arithmetic needs them here. */
struct number {
    double re, im;
};

static struct number times(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static struct number phasor(double angle)
{
    return (struct number){cos(2 * M_PI * angle), sin(2 * M_PI * angle)};
}

static struct number input(int j)
{
    return (struct number){cos(3.0 * j * j + 1), sin(5.0 * j + 2)};
}

/* The factor of a lane of a stage: where the program has it after unpacking. */
static struct number factor(const float *table, int bits, int stage, int lane)
{
    int vector = bits - 4 == 2 ? 3 : bits - 4; /* of stages 0 to 3: after those of 5 and 6 bits */
    int element = (1 << stage) + lane;
    if (stage == 4)
        vector--, element = lane;
    else if (stage == 5)
        vector = lane / PACKED_LANES, element = lane % PACKED_LANES;
    const float *at = table + (ptrdiff_t)2 * (vector * PACKED_LANES + element);
    return (struct number){(double)at[0], (double)at[1]};
}

static int reversed(int i, int bits)
{
    int r = 0;
    for (; bits > 0; bits--, i /= 2)
        r = 2 * r + i % 2;
    return r;
}

/* Decimation in time, in place, on inputs in bit-reversed order. */
static void codelet(const float *table, int bits, struct number *y)
{
    for (int i = 0; i < 1 << bits; i++)
        y[i] = input(reversed(i, bits));
    for (int stage = 0; stage < bits; stage++)
        for (int i = 0; i < 1 << bits; i++) {
            const int apart = 1 << stage;
            if (i & apart)
                continue;
            const struct number even = y[i];
            const struct number odd = times(y[i + apart], factor(table, bits, stage, i % apart));
            y[i] = (struct number){even.re + odd.re, even.im + odd.im};
            y[i + apart] = (struct number){even.re - odd.re, even.im - odd.im};
        }
}

static void check(int bits, double angle, double sign)
{
    float table[WORDS], *end = table;
    struct number y[MOST];
    packed_twiddles_put(&end, bits, angle, sign, false);
    assert_int_equal(end - table, 2 * PACKED_LANES * (bits == 6 ? 4 : bits - 3));
    codelet(table, bits, y);
    for (int k = 0; k < 1 << bits; k++) {
        struct number sum = {0, 0};
        for (int j = 0; j < 1 << bits; j++) {
            const struct number one = times(input(j), phasor(sign * j * (ldexp(k, -bits) + angle)));
            sum = (struct number){sum.re + one.re, sum.im + one.im};
        }
        if (!(hypot(y[k].re - sum.re, y[k].im - sum.im) < 1e-5))
            fail_msg("%d bits, angle %g, sign %g, bin %d: %g %g, not %g %g", bits, angle, sign, k,
                     y[k].re, y[k].im, sum.re, sum.im);
    }
}

static void factors_make_the_rotated_transform(void **state)
{
    (void)state;
    for (int bits = 4; bits <= 6; bits++)
        for (size_t a = 0; a < sizeof angles / sizeof angles[0]; a++) {
            check(bits, angles[a], 1);
            check(bits, angles[a], -1);
        }
}

/* cos -= v cos + s sin, sin -= v sin - s cos, with the constants v and s of a step. */
static void steps_rotate_to_the_factors_of_the_next_angle(void **state)
{
    (void)state;
    enum { STEPS = 5 };
    const double step = 1.0 / 1024;
    for (int bits = 4; bits <= 6; bits++) {
        float start[WORDS], constants[WORDS], wanted[WORDS];
        float *a = start, *b = constants, *c = wanted;
        packed_twiddles_put(&a, bits, angles[1], -1, false);
        packed_twiddles_put(&b, bits, step, -1, true);
        packed_twiddles_put(&c, bits, angles[1] + STEPS * step, -1, false);
        for (int i = 0; i < a - start; i += 2) {
            double re = (double)start[i], im = (double)start[i + 1];
            const double v = (double)constants[i], s = (double)constants[i + 1];
            for (int n = 0; n < STEPS; n++) {
                const double was = re;
                re -= v * re + s * im;
                im -= v * im - s * was;
            }
            assert_true(hypot(re - (double)wanted[i], im - (double)wanted[i + 1]) < 1e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_make_the_rotated_transform),
        cmocka_unit_test(steps_rotate_to_the_factors_of_the_next_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
