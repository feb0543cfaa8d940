/* batch_check.c - compares batches of planned spectra with the reference. */
#include "tests/support/opencl/batch_check.h"

#include <stdlib.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/engine/signal.h"
#include "tests/support/opencl/batch.h"

static float *make_window(uint32_t n)
{
    float *window = malloc(n * sizeof *window);
    double sum = 0;
    assert_non_null(window);
    for (uint32_t i = 0; i < n; i++)
        sum += window[i] = (float)(0.5 - 0.5 * cos(2 * M_PI * (i + 0.5) / n));
    for (uint32_t i = 0; i < n; i++)
        window[i] /= (float)sum;
    return window;
}

/* The rms difference of the amplitudes, relative to the rms amplitude. */
static double distance(const float *got, const double *want, uint32_t n, double frames)
{
    double error = 0, power = 0;
    for (uint32_t k = 0; k < n; k++) {
        const double a = sqrt((double)got[k] / frames), b = sqrt(want[k]);
        error += (a - b) * (a - b);
        power += want[k];
    }
    return sqrt(error / power);
}

static void check_hits(const struct batch_result *r, const struct reference *ref,
                       const struct fft_density *d, uint32_t frames)
{
    for (uint32_t c = 0; c < d->columns; c++) {
        uint64_t sum = 0, moved = 0, doubtful = 0;
        for (uint32_t l = 0; l < d->levels; l++) {
            const size_t i = (size_t)c * d->levels + l;
            sum += r->hits[i];
            moved += (uint64_t)llabs((long long)r->hits[i] - (long long)ref->hits[i]);
            doubtful += ref->doubtful[i];
        }
        assert_int_equal(sum, frames);
        assert_true(moved <= 2 * doubtful);
    }
}

double batch_conforms(const struct device *device, const struct fft_spectrum_config *spec,
                      const char *choice_text, uint32_t frames, double limit)
{
    struct fft_spectrum_config plan = *spec;
    struct opencl_choice choice;
    struct opencl_spectrum s;
    struct reference ref;
    const uint32_t samples_at = 3;
    assert_true(opencl_choice_parse(&choice, choice_text));
    float *window = make_window(spec->n);
    plan.window = window;
    if (choice.strategy == OPENCL_FOURSTEP && spec->n < 256) {
        free(window);
        return 0; /* rows and columns need 16 points */
    }
    assert_int_equal(opencl_spectrum_plan(&s, &device->profile, &plan, &choice), 0);

    const uint64_t samples = samples_at + (uint64_t)(frames - 1) * plan.hop + plan.n;
    char *raw = signal_noise(plan.format, samples, 0.01, plan.n + frames);
    struct batch_result r = batch_run(device, &s, raw, samples_at, frames);
    reference_spectrum(&ref, &plan, raw + samples_at * fft_iq_bytes(plan.format), frames);
    const struct {
        const char *name;
        const float *got;
        const double *want;
        double frames;
    } detectors[] = {{"mean", r.sum, ref.mean, frames},
                     {"max", r.max, ref.max, 1},
                     {"min", r.min, ref.min, 1},
                     {"last", r.last, ref.last, 1}};
    double worst = 0;
    for (int i = 0; i < FFT_DETECTORS; i++) {
        assert_int_equal(detectors[i].got != NULL, (plan.detectors >> i) & 1);
        const double error = detectors[i].got ? distance(detectors[i].got, detectors[i].want,
                                                         plan.n, detectors[i].frames)
                                              : 0;
        if (!(error <= limit))
            fail_msg("%s: n %u, %s off by %g, limit %g", choice_text, plan.n, detectors[i].name,
                     error, limit);
        worst = fmax(worst, error);
    }
    if (plan.density.columns > 0)
        check_hits(&r, &ref, &plan.density, frames);
    reference_finish(&ref);
    free(r.memory);
    free(raw);
    free(window);
    return worst;
}

double batch_spur(const struct device *device, const char *choice_text, uint32_t n,
                  double amplitude)
{
    const uint32_t tone_bin = n / 13 | 1;
    float *window = malloc(n * sizeof *window);
    const struct fft_spectrum_config plan = {.n = n,
                                             .hop = n,
                                             .max_frames = 1,
                                             .format = FFT_IQ_CF32,
                                             .detectors = FFT_DETECTOR_MEAN,
                                             .window = window};
    struct opencl_choice choice;
    struct opencl_spectrum s;
    double spur = 0;
    assert_non_null(window);
    for (uint32_t i = 0; i < n; i++)
        window[i] = 1.0F / (float)n;
    assert_true(opencl_choice_parse(&choice, choice_text));
    assert_int_equal(opencl_spectrum_plan(&s, &device->profile, &plan, &choice), 0);
    struct fft_iq *tone = signal_tone(FFT_IQ_CF32, n, amplitude, (double)tone_bin / n);
    struct batch_result r = batch_run(device, &s, tone, 0, 1);
    const double level = (double)r.sum[n / 2 + tone_bin];
    for (uint32_t k = 0; k < n; k++)
        if (k != n / 2 + tone_bin && (double)r.sum[k] > spur)
            spur = (double)r.sum[k];
    free(tone);
    free(r.memory);
    free(window);
    assert_near(to_db(level / (amplitude * amplitude)), 0, 0.01);
    return to_db(spur / level);
}
