/* test_iq.c - raw sample formats: the value of every code; clipped and invalid samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/iq.h"
#include "fft/iq_loops.h"
#include "reference/reference.h"

static void formats_have_names_sizes_and_full_scales(void **state)
{
    static const struct {
        const char *name;
        size_t bytes;
        double full_scale;
    } want[FFT_IQ_FORMATS] = {
        {"cu8", 2, 127.5}, {"cs8", 2, 128}, {"cs16", 4, 32768}, {"cf32", 8, 1}};
    (void)state;
    for (unsigned i = 0; i < FFT_IQ_FORMATS; i++) {
        enum fft_iq_format format = FFT_IQ_FORMATS;
        assert_int_equal(fft_iq_parse(want[i].name, &format), 0);
        assert_int_equal(format, i);
        assert_string_equal(fft_iq_name(format), want[i].name);
        assert_int_equal(fft_iq_bytes(format), want[i].bytes);
        assert_true(fft_iq_full_scale(format) == want[i].full_scale);
    }
    enum fft_iq_format format;
    assert_int_equal(fft_iq_parse("cs12", &format), -EINVAL);
    assert_int_equal(fft_iq_parse("", &format), -EINVAL);
}

/* 65536 raw samples hold every code of any integer format. */
enum { CODES = 65536 };

static void *every_code(enum fft_iq_format format)
{
    unsigned char *raw = malloc(CODES * fft_iq_bytes(format));
    for (size_t i = 0; i < CODES; i++)
        if (format == FFT_IQ_CS16) {
            ((int16_t *)(void *)raw)[2 * i] = (int16_t)((int)i - 32768);
            ((int16_t *)(void *)raw)[2 * i + 1] = (int16_t)(32767 - (int)i);
        } else {
            raw[2 * i] = (unsigned char)i;
            raw[2 * i + 1] = (unsigned char)(i >> 8);
        }
    return raw;
}

extern const struct fft_iq_loops fft_iq_loops_base;

static bool always(void)
{
    return true;
}

#ifdef __x86_64__
extern const struct fft_iq_loops fft_iq_loops_avx512, fft_iq_loops_avx2;

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}
#endif

static const struct {
    const struct fft_iq_loops *loops;
    bool (*there)(void);
} all_loops[] = {
    {&fft_iq_loops_base, always},
#ifdef __x86_64__
    {&fft_iq_loops_avx2, has_avx2},
    {&fft_iq_loops_avx512, has_avx512},
#endif
};

static void assert_values(enum fft_iq_format format, const void *raw, const struct fft_iq *got)
{
    for (uint32_t s = 0; s < CODES; s++) {
        const struct complex64 want = reference_sample(format, raw, s);
        assert_true(fabs((double)got[s].re - want.re) <= 1e-7);
        assert_true(fabs((double)got[s].im - want.im) <= 1e-7);
    }
}

static void every_code_has_its_value(void **state)
{
    struct fft_iq *got = malloc(CODES * sizeof *got);
    (void)state;
    for (unsigned i = FFT_IQ_CU8; i <= FFT_IQ_CS16; i++) {
        const enum fft_iq_format format = (enum fft_iq_format)i;
        void *raw = every_code(format);
        fft_iq_unpack(format, raw, got, CODES);
        assert_values(format, raw, got);
        for (size_t k = 0; k < sizeof all_loops / sizeof *all_loops; k++) {
            if (!all_loops[k].there())
                continue;
            memset(got, 0, CODES * sizeof *got);
            all_loops[k].loops->unpack[i](raw, &got->re, 2 * CODES);
            assert_values(format, raw, got);
        }
        free(raw);
    }
    free(got);
}

static void floats_are_copied_unchanged(void **state)
{
    static const struct fft_iq raw[] = {{0.25F, -3e9F}, {INFINITY, -0.0F}};
    struct fft_iq got[2];
    (void)state;
    fft_iq_unpack(FFT_IQ_CF32, raw, got, 2);
    assert_memory_equal(got, raw, sizeof raw);
}

/* Applies the rule of fft/iq.h to each component in turn. */
static uint64_t count_clipped(enum fft_iq_format format, double full_scale, const void *raw,
                              size_t count)
{
    static const double zero[] = {127.5, 0, 0}, low[] = {0, -128, -32768},
                        high[] = {255, 127, 32767};
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        bool clipped = false;
        for (size_t c = 2 * i; c < 2 * i + 2; c++) {
            const double code = format == FFT_IQ_CU8   ? ((const uint8_t *)raw)[c]
                                : format == FFT_IQ_CS8 ? ((const int8_t *)raw)[c]
                                                       : ((const int16_t *)raw)[c];
            clipped |= full_scale < fft_iq_full_scale(format)
                           ? fabs(code - zero[format]) >= full_scale - 1
                           : code == low[format] || code == high[format];
        }
        total += clipped;
    }
    return total;
}

static void samples_at_a_rail_are_clipped(void **state)
{
    static const double scales[FFT_IQ_FORMATS][4] = {[FFT_IQ_CU8] = {127.5, 200, 100, 64},
                                                     [FFT_IQ_CS8] = {128, 1000, 100, 63.5},
                                                     [FFT_IQ_CS16] = {32768, 1e9, 2048, 8192}};
    static const size_t counts[] = {0, 1, 2, 127, 128, 129, 4099, CODES - 1, CODES};
    (void)state;
    for (unsigned i = FFT_IQ_CU8; i <= FFT_IQ_CS16; i++) {
        const enum fft_iq_format format = (enum fft_iq_format)i;
        void *raw = every_code(format);
        for (size_t s = 0; s < 4; s++)
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
                assert_int_equal(fft_iq_check(format, scales[i][s], raw, counts[c]).clipped,
                                 count_clipped(format, scales[i][s], raw, counts[c]));
        free(raw);
    }
}

/* A counter narrower than its block would wrap to zero here. */
static void every_sample_of_a_long_clipped_run_is_counted(void **state)
{
    enum { LONG = 300001 };
    int16_t *raw = malloc(2 * sizeof *raw * LONG);
    (void)state;
    for (size_t i = 0; i < 2 * (size_t)LONG; i++)
        raw[i] = -1; /* 0xff: the top code of cu8 */
    assert_int_equal(fft_iq_check(FFT_IQ_CU8, 127.5, raw, LONG).clipped, LONG);
    for (size_t i = 0; i < 2 * (size_t)LONG; i++)
        raw[i] = i % 2 ? 32767 : 0;
    assert_int_equal(fft_iq_check(FFT_IQ_CS16, 32768, raw, LONG).clipped, LONG);
    free(raw);
}

/* Wherever it is among samples that are counted together, whichever component is at which rail. */
static void one_clipped_sample_is_found_anywhere(void **state)
{
    enum { COUNT = 3 * 4096 + 77 };
    static const size_t at[] = {0, 1, 4095, 4096, 8191, 8192, COUNT - 78, COUNT - 77, COUNT - 1};
    int16_t *raw = calloc(2 * (size_t)COUNT, sizeof *raw);
    (void)state;
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
        for (unsigned rail = 0; rail < 4; rail++) {
            int16_t *component = &raw[2 * at[i] + rail % 2];
            *component = rail < 2 ? 32767 : -32768;
            assert_int_equal(fft_iq_check(FFT_IQ_CS16, 32768, raw, COUNT).clipped, 1);
            assert_int_equal(fft_iq_check(FFT_IQ_CS16, 32768, raw, at[i]).clipped, 0);
            *component = 0;
        }
    free(raw);
}

/* The loops of every instruction set that this machine has, at every length of a remainder. */
static void every_instruction_set_counts_the_same(void **state)
{
    enum { COUNT = 3 * 64 + 1 };
    uint8_t raw[8 * COUNT];
    const int32_t limit[] = {0x10000000, 0x3f800000, 0x7f000000};
    (void)state;
    for (size_t i = 0; i < sizeof raw; i++)
        raw[i] = (uint8_t)(i * i * 37 + (i >> 3));
    for (size_t isa = 0; isa < sizeof all_loops / sizeof all_loops[0]; isa++) {
        if (!all_loops[isa].there())
            continue;
        for (size_t n = 0; n <= COUNT; n++) {
            uint64_t codes8 = 0, codes16 = 0, floats[3] = {0}, expected[3] = {0};
            for (size_t i = 0; i < n; i++) {
                int16_t wide[2];
                int32_t bits[2];
                memcpy(wide, raw + 4 * i, sizeof wide);
                memcpy(bits, raw + 8 * i, sizeof bits);
                codes8 +=
                    (uint8_t)(raw[2 * i] - 17) >= 201 || (uint8_t)(raw[2 * i + 1] - 17) >= 201;
                codes16 +=
                    wide[0] <= -30001 || wide[0] >= 9999 || wide[1] <= -30001 || wide[1] >= 9999;
                for (int t = 0; t < 3; t++)
                    expected[t] +=
                        (bits[0] & 0x7fffffff) > limit[t] || (bits[1] & 0x7fffffff) > limit[t];
            }
            const struct fft_iq_loops *loops = all_loops[isa].loops;
            assert_int_equal(loops->codes8(raw, n, (struct fft_iq_codes){17, 201}), codes8);
            assert_int_equal(loops->codes16(raw, n, (struct fft_iq_codes){(uint16_t)-30000, 39999}),
                             codes16);
            loops->floats(raw, n, limit, floats);
            assert_memory_equal(floats, expected, sizeof expected);
        }
    }
}

static void floats_at_and_beyond_full_scale_differ(void **state)
{
    static const struct fft_iq raw[] = {{1, 0},     {1.0001F, 0}, {0, -1.5F}, {-1, 1},
                                        {0.5F, -1}, {-1, 2e14F},  {0, -0.0F}, {0.9999999F, 0}};
    static const struct {
        double full_scale;
        uint64_t clipped, beyond;
    } cases[] = {{1, 3, 3}, {1.25, 0, 2}, {1.5, 1, 1}, {32768, 0, 1}};
    struct fft_iq copy[8];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(copy, raw, sizeof raw);
        const struct fft_iq_levels got = fft_iq_check(FFT_IQ_CF32, cases[i].full_scale, copy, 8);
        assert_int_equal(got.clipped, cases[i].clipped);
        assert_int_equal(got.beyond, cases[i].beyond);
        assert_int_equal(got.invalid, 0);
        assert_memory_equal(copy, raw, sizeof raw);
    }
}

static void invalid_floats_are_counted_once_and_become_0(void **state)
{
    enum { LONG = 10007 };
    static const float wrong[] = {NAN, -NAN, INFINITY, -INFINITY, 1e30F, -3.4e38F, 1.1e15F};
    enum { KINDS = sizeof wrong / sizeof wrong[0] };
    struct fft_iq *raw = calloc(LONG, sizeof *raw);
    (void)state;
    for (size_t i = 0; i < LONG; i++)
        raw[i] = (struct fft_iq){0.5F, 1e14F};
    for (size_t i = 4999; i < LONG; i += 1000) {
        raw[i].re = wrong[i / 1000 % KINDS];
        raw[i - 1].im = wrong[i / 1000 % KINDS];
    }
    const struct fft_iq_levels got = fft_iq_check(FFT_IQ_CF32, 1, raw, LONG);
    assert_int_equal(got.invalid, 12);
    assert_int_equal(got.first_invalid, 4998);
    assert_int_equal(got.beyond, LONG - 12);
    assert_int_equal(got.clipped, 0);
    for (size_t i = 0; i < LONG; i++) {
        const bool is_wrong = i >= 4998 && (i % 1000 == 999 || i % 1000 == 998);
        assert_true(raw[i].re - (is_wrong ? 0 : 0.5F) == 0); /* false for NaN */
        assert_true(raw[i].im - (is_wrong ? 0 : 1e14F) == 0);
    }
    assert_int_equal(fft_iq_check(FFT_IQ_CF32, 1, raw, LONG).invalid, 0);
    free(raw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_names_sizes_and_full_scales),
        cmocka_unit_test(every_code_has_its_value),
        cmocka_unit_test(floats_are_copied_unchanged),
        cmocka_unit_test(samples_at_a_rail_are_clipped),
        cmocka_unit_test(one_clipped_sample_is_found_anywhere),
        cmocka_unit_test(every_sample_of_a_long_clipped_run_is_counted),
        cmocka_unit_test(every_instruction_set_counts_the_same),
        cmocka_unit_test(floats_at_and_beyond_full_scale_differ),
        cmocka_unit_test(invalid_floats_are_counted_once_and_become_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
