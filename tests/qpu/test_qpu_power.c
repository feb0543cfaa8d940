/*
 * test_qpu_power.c - tests spectra on the emulator: window, |X|^2 and its sums over frames, against
 * a double-precision transform, for every schedule and both kinds of DMA.
 */
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/fft_run.h"
#include "reference/reference.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/engine/test_engines.h"

enum { FRAMES = 3 };

/* With FFTD_QPU_FULL also the lengths that take minutes. */
static bool full(void)
{
    return getenv("FFTD_QPU_FULL") != NULL;
}

static int modes_for(uint32_t log2_n)
{
    return log2_n <= 14 ? EMULATOR_MODES : log2_n <= 18 || full() ? 2 : 0;
}

/* Frames of noise, an asymmetrical window, and the powers in double precision. */
struct noise {
    uint32_t n, frames;
    float *window; /* [n] */
    struct fft_iq *frame[FRAMES];
    double *power[FRAMES]; /* natural order */
};

static double *power_of(const struct fft_iq *in, const float *window, uint32_t n)
{
    struct complex64 *x = malloc(n * sizeof *x);
    double *power = malloc(n * sizeof *power);
    assert_true(x && power);
    for (uint32_t i = 0; i < n; i++)
        x[i] = (struct complex64){(double)in[i].re * (double)window[i],
                                  (double)in[i].im * (double)window[i]};
    reference_fft(x, n);
    for (uint32_t i = 0; i < n; i++)
        power[i] = x[i].re * x[i].re + x[i].im * x[i].im;
    free(x);
    return power;
}

static void noise_make(struct noise *noise, uint32_t log2_n, uint32_t frames)
{
    *noise = (struct noise){.n = 1u << log2_n, .frames = frames};
    noise->window = malloc(noise->n * sizeof *noise->window);
    assert_non_null(noise->window);
    for (uint32_t i = 0; i < noise->n; i++)
        noise->window[i] = (float)(1 - .7 * cos(5. * i / noise->n));
    for (uint32_t f = 0; f < frames; f++) {
        noise->frame[f] = test_noise(FFT_IQ_CF32, noise->n, 1 + f);
        noise->power[f] = power_of(noise->frame[f], noise->window, noise->n);
    }
}

static void noise_free(struct noise *noise)
{
    for (uint32_t f = 0; f < noise->frames; f++) {
        free(noise->frame[f]);
        free(noise->power[f]);
    }
    free(noise->window);
}

static void start(struct fft_run *run, const struct qpu_task *task, const uint8_t *bits)
{
    struct qpu_plan plan;
    assert_int_equal(bits ? qpu_plan_init_passes(&plan, task, bits) : qpu_plan_init(&plan, task),
                     0);
    assert_int_equal(fft_run_init(run, &plan, qpu_kernel_find("fft")), 0);
}

static void go(struct fft_run *run, const struct noise *noise,
               const struct emulator_named_mode *mode)
{
    const double gain = qpu_plan_gain(&run->plan);
    float *window = calloc(noise->n, sizeof *window);
    assert_non_null(window);
    for (uint32_t i = 0; i < noise->n; i++)
        window[i] = (float)(gain * (double)noise->window[i]);
    fft_run_window(run, window);
    free(window);
    for (uint32_t f = 0; f < noise->frames; f++)
        memcpy(fft_run_input(run, f), noise->frame[f], noise->n * sizeof *noise->frame[f]);
    if (fft_run_go(run, &mode->mode))
        fail_msg("2^%u, %s: %s", run->plan.log2_n, mode->name, run->report.error);
}

static const float *output(const struct fft_run *run, uint32_t frame)
{
    return (const float *)(const void *)fft_run_output(run, frame);
}

/* Relative rms error of powers against the sum of the noise's frames `first` to `last`. */
static double error_of(const float *got, const struct noise *noise, uint32_t first, uint32_t last)
{
    double signal = 0, error = 0;
    for (uint32_t k = 0; k < noise->n; k++) {
        double want = 0;
        for (uint32_t f = first; f <= last; f++)
            want += noise->power[f][k];
        const double off = (double)got[k] - want;
        signal += want * want;
        error += off * off;
    }
    return sqrt(error / signal);
}

/*
 * The relative error of a power is twice that of an amplitude, for which GPU_FFT has .53 ppm at 2^8
 * and 1.7 ppm at 2^20. Most of it is a loss of amplitude, which the window corrects, so a third is
 * the bound. A sum is rounded toward zero once more for each frame.
 */
static double tolerance(uint32_t log2_n, uint32_t frames)
{
    const double amplitude = .53e-6 * pow(1.7 / .53, (log2_n - 8) / 12.);
    return 2 * amplitude / 3 + (frames - 1) * 0x1p-24;
}

static void check_powers(const struct noise *noise, const struct qpu_task *task,
                         const uint8_t *bits, const struct emulator_named_mode *mode)
{
    struct fft_run run;
    start(&run, task, bits);
    go(&run, noise, mode);
    for (uint32_t f = 0; f < noise->frames; f++)
        assert_near(error_of(output(&run, f), noise, f, f), 0, tolerance(task->log2_n, 1));
    fft_run_finish(&run);
}

static void check_sum(const struct noise *noise, const struct qpu_task *task, const uint8_t *bits,
                      const struct emulator_named_mode *mode)
{
    struct fft_run run;
    start(&run, task, bits);
    go(&run, noise, mode);
    const double error = error_of(output(&run, 0), noise, 0, noise->frames - 1);
    assert_near(error, 0, tolerance(task->log2_n, noise->frames));
    if (mode == emulator_modes)
        print_message("2^%u: powers %.2f ppm off\n", task->log2_n, 1e6 * error);
    fft_run_finish(&run);
}

static void powers_through_a_window_are_those_of_a_double_precision_transform(void **state)
{
    (void)state;
    for (uint32_t log2_n = 8; log2_n <= 22; log2_n++) {
        struct noise noise;
        noise_make(&noise, log2_n, modes_for(log2_n) ? (log2_n > 14 ? 1 : 2) : 0);
        const struct qpu_task task = {log2_n, noise.frames, false, true, QPU_POWERS};
        for (int m = 0; m < modes_for(log2_n); m++)
            check_powers(&noise, &task, NULL, &emulator_modes[m]);
        noise_free(&noise);
    }
}

static void sums_are_those_of_the_frames(void **state)
{
    (void)state;
    for (uint32_t log2_n = 8; log2_n <= 22; log2_n++) {
        struct noise noise;
        noise_make(&noise, log2_n, modes_for(log2_n) ? (log2_n > 16 ? 2 : FRAMES) : 0);
        const struct qpu_task task = {log2_n, noise.frames, false, true, QPU_SUM};
        for (int m = 0; m < modes_for(log2_n); m++)
            check_sum(&noise, &task, NULL, &emulator_modes[m]);
        noise_free(&noise);
    }
}

/* Only the last pass differs from a plain transform: tests each of its block lengths, with several
 * pairs of steps. */
static void every_block_length_gives_powers(void **state)
{
    (void)state;
    static const uint8_t structures[][QPU_PLAN_PASSES] = {
        {4, 6}, {6, 4}, {6, 6}, {5, 5}, {4, 4, 6}};
    for (size_t i = 0; i < sizeof structures / sizeof structures[0]; i++) {
        const uint8_t *bits = structures[i];
        struct qpu_task task = {(uint32_t)bits[0] + bits[1] + bits[2], FRAMES, false, true,
                                QPU_SUM};
        struct noise noise;
        noise_make(&noise, task.log2_n, FRAMES);
        check_sum(&noise, &task, bits, &emulator_modes[1 + i]);
        task.output = QPU_POWERS;
        check_powers(&noise, &task, bits, &emulator_modes[9 - i]);
        noise_free(&noise);
    }
}

/* A tone of amplitude 1 in bin 3, and one 120 dB below it in bin n/2. */
static void a_weak_tone_next_to_a_strong_one_keeps_its_level(void **state)
{
    (void)state;
    for (uint32_t log2_n = 8; log2_n <= 14; log2_n += 3) {
        const struct qpu_task task = {log2_n, 1, false, true, QPU_POWERS};
        const uint32_t n = 1u << log2_n;
        struct fft_run run;
        start(&run, &task, NULL);
        struct fft_iq *in = fft_run_input(&run, 0);
        for (uint32_t i = 0; i < n; i++)
            in[i] = (struct fft_iq){(float)(cos(6 * M_PI * i / n) + (i % 2 ? -1e-6 : 1e-6)),
                                    (float)sin(6 * M_PI * i / n)};
        float *window = calloc(n, sizeof *window);
        assert_non_null(window);
        for (uint32_t i = 0; i < n; i++)
            window[i] = 1.0F / (float)n;
        fft_run_window(&run, window);
        free(window);
        assert_int_equal(fft_run_go(&run, &emulator_modes[0].mode), 0);
        const float *power = output(&run, 0);
        assert_near(10 * log10((double)power[3]), 0, 1e-4);
        assert_near(10 * log10((double)power[n / 2]), -120, 1);
        fft_run_finish(&run);
    }
}

static uint64_t instructions(uint32_t log2_n, uint32_t frames, enum qpu_output how,
                             uint64_t *stored)
{
    const struct qpu_task task = {log2_n, frames, false, how != QPU_BINS, how};
    struct fft_run run;
    start(&run, &task, NULL);
    for (uint32_t f = 0; f < frames; f++)
        memset(fft_run_input(&run, f), 0, sizeof(struct fft_iq) << log2_n);
    assert_int_equal(fft_run_go(&run, &emulator_modes[0].mode), 0);
    const uint64_t count = run.report.instructions;
    *stored = run.report.stored_bytes;
    fft_run_finish(&run);
    return count;
}

/* Powers halve the bytes of the last pass; sums have those of one frame. Powers take no more
 * instructions than GPU_FFT's programs for the transform alone; sums take fewer than the transforms
 * here. */
static void powers_and_sums_store_less_and_compute_hardly_more(void **state)
{
    (void)state;
    enum { MANY = 8 };
    static const double published_kilo[] = {3.9, 8.3, 14, 27, 81, 156, 301};
    for (uint32_t log2_n = 8; log2_n <= 14; log2_n++) {
        uint64_t bins_bytes, power_bytes, sum_bytes;
        const uint64_t points = (uint64_t)MANY << log2_n, last = 8 * points;
        const uint64_t bins = instructions(log2_n, MANY, QPU_BINS, &bins_bytes);
        const uint64_t powers = instructions(log2_n, MANY, QPU_POWERS, &power_bytes);
        const uint64_t sum = instructions(log2_n, MANY, QPU_SUM, &sum_bytes);
        print_message("2^%u, a frame of %d: bins %.1f k instructions, powers %.1f, sums %.1f\n",
                      log2_n, MANY, 1e-3 / MANY * (double)bins, 1e-3 / MANY * (double)powers,
                      1e-3 / MANY * (double)sum);
        assert_int_equal(bins_bytes - power_bytes, last / 2);
        assert_int_equal(bins_bytes - sum_bytes, last - last / 2 / MANY);
        assert_true((double)powers < 1e3 * MANY * published_kilo[log2_n - 8]);
        assert_true(sum < bins);
    }
}

/* A TMU may become idle only after a pair of a table or the last request of a pass. */
static void the_tmu_always_has_a_request_from_frame_to_frame(void **state)
{
    (void)state;
    for (uint32_t log2_n = 8; log2_n <= 14; log2_n++) {
        const struct qpu_task task = {log2_n, FRAMES, false, true, QPU_SUM};
        struct noise noise;
        struct fft_run run;
        noise_make(&noise, log2_n, FRAMES);
        start(&run, &task, NULL);
        go(&run, &noise, &emulator_modes[0]);
        uint32_t pauses = 2 + FRAMES; /* the other TMU reads a window for each frame */
        for (uint32_t p = 0; p < run.plan.passes; p++) {
            const bool last = p + 1 == run.plan.passes;
            pauses += (last ? 1 : FRAMES) * (1u + (p > 0) + last + run.plan.pass[p].bits - 4);
        }
        assert_int_equal(run.report.draining_reads, (uint64_t)QPU_PLAN_QPUS * pauses);
        fft_run_finish(&run);
        noise_free(&noise);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_through_a_window_are_those_of_a_double_precision_transform),
        cmocka_unit_test(sums_are_those_of_the_frames),
        cmocka_unit_test(every_block_length_gives_powers),
        cmocka_unit_test(a_weak_tone_next_to_a_strong_one_keeps_its_level),
        cmocka_unit_test(powers_and_sums_store_less_and_compute_hardly_more),
        cmocka_unit_test(the_tmu_always_has_a_request_from_frame_to_frame),
    };
    return cmocka_run_group_tests_name("spectra on the emulated QPUs", tests, NULL, NULL);
}
