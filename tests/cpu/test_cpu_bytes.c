/*
 * test_cpu_bytes.c - samples of 8 bits give the same bits as their values in cf32, on every
 * instruction set: no way to load bytes may round.
 */
#include "tests/support/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "fft/cpu/base/cpu_isa.h"
#include "tests/support/engine/test_engines.h"

/* No offset: that would be rounded in other units. */
static const struct fft_correction rotation = {0, 0, 1.06F, 0.2F, 0.9F};

/* Raw units, minus the format's zero. */
static float *values_of(enum fft_iq_format format, const void *raw, size_t components)
{
    float *values = malloc(components * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < components; i++)
        values[i] = format == FFT_IQ_CU8 ? (float)((const uint8_t *)raw)[i] - 127.5F
                                         : (float)((const int8_t *)raw)[i];
    return values;
}

/* The window for those values; the engine multiplies that of bytes itself. */
static float *scaled_window(enum fft_iq_format format, const float *window, uint32_t n)
{
    const double scale = 1.0 / fft_iq_full_scale(format);
    float *scaled = malloc(n * sizeof *scaled);
    assert_non_null(scaled);
    for (uint32_t i = 0; i < n; i++)
        scaled[i] = (float)((double)window[i] * scale);
    return scaled;
}

static void run(struct fft_engine *e, const struct fft_spectrum_config *plan, const void *raw,
                float *power)
{
    struct fft_spectrum *s;
    struct fft_partial p;
    assert_int_equal(fft_spectrum_create(&s, e, plan, NULL, 0), 0);
    if (plan->corrected)
        assert_int_equal(fft_spectrum_correct(s, &rotation), 0);
    assert_int_equal(fft_spectrum_submit(s, raw, 0, 1, 0), 0);
    assert_int_equal(fft_spectrum_poll(s, &p, -1), 1);
    memcpy(power, p.sum, plan->n * sizeof *power);
    fft_spectrum_destroy(s);
}

static void compare(struct fft_engine *e, enum fft_iq_format format, uint32_t n, bool corrected)
{
    float *window = test_window(FFT_WINDOW_HANN, n), *scaled = scaled_window(format, window, n);
    void *raw = test_noise(format, n, n);
    float *values = values_of(format, raw, 2 * (size_t)n);
    float *got = malloc(n * sizeof *got), *want = malloc(n * sizeof *want);
    struct fft_spectrum_config plan = {.n = n,
                                       .hop = n,
                                       .max_frames = 1,
                                       .depth = 1,
                                       .format = format,
                                       .detectors = FFT_DETECTOR_MEAN,
                                       .window = window,
                                       .corrected = corrected};
    run(e, &plan, raw, got);
    plan.format = FFT_IQ_CF32;
    plan.window = scaled;
    run(e, &plan, values, want);
    if (memcmp(got, want, n * sizeof *got) != 0)
        fail_msg("%s, n = %u: %s gives other bits than cf32", fft_engine_describe(e), n,
                 fft_iq_name(format));
    free(window);
    free(scaled);
    free(raw);
    free(values);
    free(got);
    free(want);
}

static void compare_lengths(struct fft_engine *e)
{
    static const uint32_t lengths[] = {64, 128, 256, 1024, 4096, 65536};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int corrected = 0; corrected < 2; corrected++) {
            compare(e, FFT_IQ_CU8, lengths[i], corrected);
            compare(e, FFT_IQ_CS8, lengths[i], corrected);
        }
}

static void bytes_give_the_bits_of_their_values_on_every_instruction_set(void **state)
{
    (void)state;
    for (size_t i = 0; cpu_isa_at(i); i++) {
        const struct fft_engine_config config = {
            .name = "cpu", .threads = 1, .isa = cpu_isa_at(i)->name};
        struct fft_engine *e = NULL;
        if (fft_engine_open(&e, &config, NULL, 0) < 0)
            continue; /* not on this processor */
        compare_lengths(e);
        fft_engine_close(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_give_the_bits_of_their_values_on_every_instruction_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
