/*
 * test_qpu_fft.c - tests the FFT program on the emulator: accuracy, instructions and memory
 * traffic, for every schedule and both kinds of DMA.
 *
 * The bounds are the published figures of GPU_FFT 3.0 on a Raspberry Pi (gpu_fft.txt): the rms
 * error of hello_fft's signal, and the instructions that its programs issue for one transform.
 */
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/cache_model.h"
#include "emulate/qpu/fft_measure.h"
#include "emulate/qpu/twiddle_model.h"
#include "reference/reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/engine/transform_case.h"

/* GPU_FFT 3.0, by log2 of the length. */
static const struct {
    uint32_t log2_n, passes;
    double rms_ppm, kilo_instructions;
} published[] = {
    {8, 2, .33, 3.9},    {9, 2, .46, 8.3},    {10, 2, .52, 14},    {11, 2, .59, 27},
    {12, 3, .78, 81},    {13, 3, .83, 156},   {14, 3, .92, 301},   {15, 3, .98, 554},
    {16, 3, 1.0, 1112},  {17, 3, 1.3, 3107},  {18, 3, 1.3, 5949},  {19, 4, 1.4, 11941},
    {20, 4, 1.5, 23421}, {21, 4, 1.5, 47702}, {22, 4, 1.5, 96007},
};
enum { LENGTHS = sizeof published / sizeof published[0] };

/* With FFTD_QPU_FULL also the lengths that take minutes. */
static bool full(void)
{
    return getenv("FFTD_QPU_FULL") != NULL;
}

static int modes_for(uint32_t log2_n)
{
    return log2_n <= 14 ? EMULATOR_MODES : log2_n <= 18 || full() ? 2 : 0;
}

static void start(struct fft_run *run, uint32_t log2_n, bool inverse, uint32_t frames)
{
    const struct qpu_task task = {.log2_n = log2_n, .frames = frames, .inverse = inverse};
    struct qpu_plan plan;
    assert_int_equal(qpu_plan_init(&plan, &task), 0);
    assert_int_equal(fft_run_init(run, &plan, qpu_kernel_find("fft")), 0);
}

static void go(struct fft_run *run, const struct emulator_named_mode *mode)
{
    if (fft_run_go(run, &mode->mode))
        fail_msg("2^%u, %s: %s", run->plan.log2_n, mode->name, run->report.error);
}

static double cosine_error_ppm(struct fft_run *run, const struct emulator_named_mode *mode)
{
    const double ppm = fft_measure_cosine_ppm(run, &mode->mode);
    if (isnan(ppm))
        fail_msg("2^%u, %s: %s", run->plan.log2_n, mode->name, run->report.error);
    return ppm;
}

static void the_error_is_at_most_the_published_one(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTHS; i++)
        for (int m = 0; m < modes_for(published[i].log2_n); m++) {
            struct fft_run run;
            start(&run, published[i].log2_n, true, 1);
            const double ppm = cosine_error_ppm(&run, &emulator_modes[m]);
            if (ppm > published[i].rms_ppm)
                fail_msg("2^%u, %s: %.3f ppm, published %.2f", published[i].log2_n,
                         emulator_modes[m].name, ppm, published[i].rms_ppm);
            if (m == 0)
                print_message("2^%u: %.2f ppm (published %.2f), %.1f k instructions (%.1f)\n",
                              published[i].log2_n, ppm, published[i].rms_ppm,
                              1e-3 * (double)run.report.instructions,
                              published[i].kilo_instructions);
            assert_true((double)run.report.instructions < 1e3 * published[i].kilo_instructions);
            assert_int_equal(run.report.interrupts, 1);
            assert_string_equal(run.report.warning, "");
            fft_run_finish(&run);
        }
}

static void every_pass_stores_each_point_once(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTHS && modes_for(published[i].log2_n); i++) {
        struct fft_run run;
        start(&run, published[i].log2_n, false, 1);
        memset(fft_run_input(&run, 0), 0, sizeof(struct fft_iq) << published[i].log2_n);
        go(&run, &emulator_modes[0]);
        assert_int_equal(run.plan.passes, published[i].passes);
        assert_int_equal(run.report.stored_bytes,
                         published[i].passes * (8ull << published[i].log2_n));
        fft_run_finish(&run);
    }
}

/* A TMU may become idle only after a pair of a table or the last request of a pass. */
static void the_tmu_always_has_a_request_while_a_pass_runs(void **state)
{
    (void)state;
    for (uint32_t log2_n = 8; log2_n <= 16; log2_n++) {
        struct fft_run run;
        start(&run, log2_n, false, 1);
        memset(fft_run_input(&run, 0), 0, sizeof(struct fft_iq) << log2_n);
        go(&run, &emulator_modes[0]);
        uint32_t pauses = 2;
        for (uint32_t p = 0; p < run.plan.passes; p++)
            pauses += 1u + (p > 0) + (p + 1 == run.plan.passes) + run.plan.pass[p].bits - 4;
        assert_int_equal(run.report.draining_reads, (uint64_t)QPU_PLAN_QPUS * pauses);
        fft_run_finish(&run);
    }
}

static struct complex64 *to_double(const struct fft_iq *in, uint32_t n)
{
    struct complex64 *out = malloc(n * sizeof *out);
    assert_non_null(out);
    for (uint32_t i = 0; i < n; i++)
        out[i] = (struct complex64){(double)in[i].re, (double)in[i].im};
    return out;
}

/* Relative rms distance of an output from the reference transform of `in`. */
static double noise_error(const struct fft_run *run, uint32_t frame, const struct fft_iq *in)
{
    const uint32_t n = 1u << run->plan.log2_n;
    struct complex64 *want = to_double(in, n);
    reference_dft(want, n, run->plan.inverse);
    const struct fft_iq *out = fft_run_output(run, frame);
    double signal = 0, error = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double re = (double)out[i].re - want[i].re, im = (double)out[i].im - want[i].im;
        signal += want[i].re * want[i].re + want[i].im * want[i].im;
        error += re * re + im * im;
    }
    free(want);
    return sqrt(error / signal);
}

/* The error of the published programs on random input, in the same arithmetic: .53, .96 and 1.7 ppm
 * at 2^8, 2^12 and 2^20, interpolated between those. */
static double noise_tolerance(uint32_t log2_n)
{
    return log2_n < 12 ? .53e-6 * pow(.96 / .53, (log2_n - 8) / 4.)
                       : .96e-6 * pow(1.7 / .96, (log2_n - 12) / 8.);
}

/* Three different frames of noise in one launch. */
static void check_noise(uint32_t log2_n, bool inverse)
{
    enum { FRAMES = 3 };
    const uint32_t n = 1u << log2_n, frames = log2_n > 14 ? 1 : FRAMES;
    struct fft_iq *noise[FRAMES] = {NULL};
    struct fft_run run;
    start(&run, log2_n, inverse, frames);
    for (uint32_t f = 0; f < frames; f++) {
        noise[f] = test_noise(FFT_IQ_CF32, n, 1 + f);
        memcpy(fft_run_input(&run, f), noise[f], n * sizeof *noise[f]);
    }
    go(&run, &emulator_modes[log2_n % EMULATOR_MODES]);
    for (uint32_t f = 0; f < frames; f++) {
        assert_near(noise_error(&run, f, noise[f]), 0, noise_tolerance(log2_n));
        free(noise[f]);
    }
    fft_run_finish(&run);
}

static void noise_is_transformed_in_both_directions_in_batches(void **state)
{
    (void)state;
    for (uint32_t log2_n = 8; log2_n <= (full() ? 22 : 18); log2_n++) {
        check_noise(log2_n, false);
        check_noise(log2_n, true);
    }
}

/* Structures other than the planner's: every codelet in every pass. */
static void every_block_length_works_in_every_pass(void **state)
{
    (void)state;
    for (uint8_t a = 4; a <= 6; a++)
        for (uint8_t b = 4; b <= 6; b++)
            for (uint8_t c = 4; c <= 6; c++) {
                const uint8_t bits[] = {a, b, c, 0};
                if (a + b + c > 16)
                    continue;
                const struct qpu_task task = {.log2_n = (uint32_t)(a + b + c), .frames = 1};
                struct qpu_plan plan;
                struct fft_run run;
                assert_int_equal(qpu_plan_init_passes(&plan, &task, bits), 0);
                assert_int_equal(fft_run_init(&run, &plan, qpu_kernel_find("fft")), 0);
                const uint32_t n = 1u << plan.log2_n;
                struct fft_iq *noise = test_noise(FFT_IQ_CF32, n, a + 10u * b + 100u * c);
                memcpy(fft_run_input(&run, 0), noise, n * sizeof *noise);
                go(&run, &emulator_modes[(a + b + c) % EMULATOR_MODES]);
                assert_near(noise_error(&run, 0, noise), 0, noise_tolerance(plan.log2_n));
                free(noise);
                fft_run_finish(&run);
            }
}

static double error_without_low_halves_ppm(uint32_t log2_n)
{
    struct fft_run run;
    start(&run, log2_n, true, 1);
    const uint32_t removed =
        fft_measure_remove_low_halves(&run, qpu_kernel_find("fft")->instructions);
    assert_true(removed > 0 && removed % 2 == 0);
    const double ppm = cosine_error_ppm(&run, &emulator_modes[0]);
    fft_run_finish(&run);
    return ppm;
}

/* GPU_FFT's author about this idea: "almost three orders of magnitude in the longer transforms". */
static void low_halves_of_twiddles_make_long_transforms_accurate(void **state)
{
    (void)state;
    for (uint32_t log2_n = 16; log2_n <= (full() ? 22 : 17); log2_n++) {
        struct fft_run run;
        start(&run, log2_n, true, 1);
        const double with = cosine_error_ppm(&run, &emulator_modes[0]);
        const double without = error_without_low_halves_ppm(log2_n);
        const double model = twiddle_model_ppm(&run.plan, TWIDDLE_PER_READ);
        print_message("2^%u: %.2f ppm, single twiddles %.0f ppm, by model %.0f\n", log2_n, with,
                      without, model);
        assert_true(without > (log2_n < 20 ? 10 : 100) * with);
        assert_near(without, model, 0.1 * model); /* it ignores the rounding of the data */
        fft_run_finish(&run);
    }
}

/*
 * That author compares with his releases 1 and 2, which have a twiddle in single floats for each
 * butterfly stage. Their published errors, to two digits, are those of the recurrences alone.
 */
static void single_precision_twiddles_a_stage_have_the_published_error(void **state)
{
    (void)state;
    static const struct {
        uint8_t log2_n, bits[QPU_PLAN_PASSES + 1];
        double ppm;
    } release_2[] = {{18, {5, 4, 4, 5}, 100},
                     {19, {5, 4, 5, 5}, 180},
                     {20, {5, 5, 5, 5}, 360},
                     {21, {6, 5, 5, 5}, 720}};
    for (int i = 0; i < (full() ? 4 : 2); i++) {
        const struct qpu_task task = {.log2_n = release_2[i].log2_n, .frames = 1};
        struct qpu_plan plan;
        assert_int_equal(qpu_plan_init_passes(&plan, &task, release_2[i].bits), 0);
        const double ppm = twiddle_model_ppm(&plan, TWIDDLE_PER_STAGE);
        print_message("2^%u: %.0f ppm, release 2.0 %.0f\n", plan.log2_n, ppm, release_2[i].ppm);
        assert_near(ppm, release_2[i].ppm, 0.03 * release_2[i].ppm);
    }
}

/*
 * In the first pass of 8192 points or more, the points of a vector are at least 4 KiB apart: each
 * is read with a cache line of its own, 64 bytes for 8, once because requests are interleaved. The
 * other passes read what they need, a window adds half of that. Tables and requests that run ahead
 * add a little.
 */
static void each_line_is_read_once_a_pass(void **state)
{
    (void)state;
    for (uint32_t log2_n = 13; log2_n <= 15; log2_n++)
        for (int windowed = 0; windowed < 2; windowed++) {
            const struct qpu_task task = {.log2_n = log2_n,
                                          .frames = 1,
                                          .windowed = windowed,
                                          .output = windowed ? QPU_POWERS : QPU_BINS};
            struct qpu_plan plan;
            struct fft_run run;
            assert_int_equal(qpu_plan_init(&plan, &task), 0);
            assert_int_equal(fft_run_init(&run, &plan, qpu_kernel_find("fft")), 0);
            go(&run, &emulator_modes[0]);
            const double data = ldexp(8, (int)log2_n), linear = plan.passes - 1;
            const double read = (double)run.report.lines_read * 64 / data;
            const double least = 8 + linear + (windowed ? 0.5 : 0);
            if (read < least || read > 1.05 * least)
                fail_msg("2^%u: %.2f times the data, at least %.1f", log2_n, read, least);
            assert_near(read, cache_model_first_pass(&plan, CACHE_MODEL_INTERLEAVED) + linear, .4);
            if (!windowed) /* a line of a linear pass has 8 points; twiddles and reads ahead add
                              some */
                assert_near(ldexp((double)run.report.tmu_misses, -(int)log2_n),
                            cache_model_misses(&plan, CACHE_MODEL_INTERLEAVED, false) + linear / 8,
                            .06);
            /* Each part of a point evicts the other; a window costs a line a point where its
             * elements, of half the size, are 4 KiB apart, too. */
            const double plain = cache_model_first_pass(&plan, CACHE_MODEL_PLAIN);
            if (!windowed || log2_n > 13)
                assert_near(plain, windowed ? 24 : 16, .1);
            fft_run_finish(&run);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_is_at_most_the_published_one),
        cmocka_unit_test(every_pass_stores_each_point_once),
        cmocka_unit_test(the_tmu_always_has_a_request_while_a_pass_runs),
        cmocka_unit_test(noise_is_transformed_in_both_directions_in_batches),
        cmocka_unit_test(every_block_length_works_in_every_pass),
        cmocka_unit_test(low_halves_of_twiddles_make_long_transforms_accurate),
        cmocka_unit_test(single_precision_twiddles_a_stage_have_the_published_error),
        cmocka_unit_test(each_line_is_read_once_a_pass),
    };
    return cmocka_run_group_tests_name("FFTs on the emulated QPUs", tests, NULL, NULL);
}
