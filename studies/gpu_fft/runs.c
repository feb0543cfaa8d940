/* runs.c - runs the QPU program in the emulator and keeps the results. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/qpu/fft_measure.h"
#include "studies/gpu_fft/gpu_fft.h"

enum { QUICK_LOG2 = 12 };

uint32_t study_gpu_fft_largest(const struct study *s)
{
    return s->options.quick ? QUICK_LOG2 : GPU_FFT_MIN_LOG2 + GPU_FFT_LENGTHS - 1;
}

const char *study_gpu_fft_name(const uint8_t *bits, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (; *bits && used < size; bits++)
        used += (size_t)snprintf(text + used, size - used, "%s%u", used ? "+" : "", *bits);
    return text;
}

struct qpu_task study_gpu_fft_task(const uint8_t *bits, bool inverse)
{
    struct qpu_task task = {.frames = 1, .inverse = inverse};
    while (*bits)
        task.log2_n += *bits++;
    return task;
}

static int failed(const struct fft_run *run)
{
    return bench_fail("the emulated QPUs", run->report.error);
}

static int begin(struct fft_run *run, const struct qpu_plan *plan)
{
    const struct qpu_kernel *kernel = qpu_kernel_find("fft");
    return kernel ? fft_run_init(run, plan, kernel) : -ENOENT;
}

int study_gpu_fft_structure(const uint8_t *bits, enum qpu_twiddles twiddles,
                            const struct emulator_mode *mode, struct qpu_result *result)
{
    struct fft_run run;
    *result = (struct qpu_result){.noise = NAN};
    const struct qpu_task task = study_gpu_fft_task(bits, true);
    int err = qpu_plan_init_passes(&result->plan, &task, bits);
    err = err ? err : begin(&run, &result->plan);
    if (err)
        return bench_fail("the emulated QPUs", strerror(-err));
    if (twiddles == QPU_TWIDDLES_SINGLE)
        fft_measure_remove_low_halves(&run, qpu_kernel_find("fft")->instructions);
    const double from = contest_clock(false);
    result->rms = fft_measure_cosine_ppm(&run, mode);
    result->seconds = contest_clock(false) - from;
    result->report = run.report;
    err = isnan(result->rms) ? failed(&run) : 0;
    fft_run_finish(&run);
    return err;
}

/* Measures random input, forward, against double precision. */
static int add_noise(struct qpu_result *result, const uint8_t *bits)
{
    struct fft_run run;
    struct qpu_plan plan;
    const struct qpu_task task = study_gpu_fft_task(bits, false);
    int err = qpu_plan_init_passes(&plan, &task, bits);
    err = err ? err : begin(&run, &plan);
    if (err)
        return bench_fail("the emulated QPUs", strerror(-err));
    const uint32_t n = 1u << plan.log2_n;
    struct fft_iq *noise = malloc(n * sizeof *noise);
    if (noise) {
        noise_fill(noise, n);
        memcpy(fft_run_input(&run, 0), noise, n * sizeof *noise);
    }
    err = !noise ? -ENOMEM : fft_run_go(&run, &emulator_modes[0].mode) ? failed(&run) : 0;
    if (!err)
        result->noise = 1e6 * noise_transform_error(noise, fft_run_output(&run, 0), n);
    free(noise);
    fft_run_finish(&run);
    return err;
}

const struct qpu_result *study_gpu_fft_length(uint32_t log2_n)
{
    static struct qpu_result results[GPU_FFT_LENGTHS];
    struct qpu_result *result = &results[log2_n - GPU_FFT_MIN_LOG2];
    if (result->plan.passes)
        return result;
    struct qpu_plan plan;
    uint8_t bits[QPU_PLAN_PASSES + 1] = {0};
    qpu_plan_init(&plan, &(struct qpu_task){.log2_n = log2_n, .frames = 1});
    for (uint32_t p = 0; p < plan.passes; p++)
        bits[p] = (uint8_t)plan.pass[p].bits;
    if (study_gpu_fft_structure(bits, QPU_TWIDDLES_WHOLE, &emulator_modes[0].mode, result) ||
        add_noise(result, bits))
        return NULL;
    return result;
}
