/* opencl_accuracy.c - runs the kernel that probes native sine and cosine and evaluates its results.
 */
#include "fft/opencl/opencl_accuracy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "fft/opencl/opencl_kernels.h"
#include "fft/opencl/opencl_text.h"
#include "fft/twiddle.h"

static const size_t result_bytes = sizeof(float[OPENCL_ACCURACY_POINTS][4]);

/* ---- evaluation ----------------------------------------------------------------------------- */

static double distance(const float *got, struct root want)
{
    const double d = hypot((double)got[0] - want.re, (double)got[1] - want.im);
    return isnan(d) ? INFINITY : d;
}

void opencl_accuracy_evaluate(struct opencl_accuracy *out, const float *roots)
{
    double sum = 0, precise = 0, max = 0;
    for (uint32_t i = 0; i < OPENCL_ACCURACY_POINTS; i++) {
        const struct root want = fft_twiddle(i << 16 | (i & 63) << 10, (uint64_t)1 << 32);
        const float *at = roots + (size_t)4 * i;
        const double d = distance(at, want), p = distance(at + 2, want);
        sum += d * d;
        precise += p * p;
        max = d > max ? d : max;
    }
    *out = (struct opencl_accuracy){.rms = sqrt(sum / OPENCL_ACCURACY_POINTS),
                                    .max = max,
                                    .precise_rms = sqrt(precise / OPENCL_ACCURACY_POINTS)};
}

/* The device adds an error that is uniform in both parts. Rounding the angle adds another. */
void opencl_accuracy_expect(struct opencl_accuracy *out, const struct opencl_profile *profile)
{
    const double angle = 5e-8, noise = (double)profile->native_noise;
    *out = (struct opencl_accuracy){.rms = hypot(angle, noise * sqrt(2.0 / 3)),
                                    .max = 4 * angle + noise * sqrt(2.0),
                                    .precise_rms = angle};
}

bool opencl_accuracy_allows(const struct opencl_accuracy *a)
{
    return a->rms <= OPENCL_ACCURACY_RMS && a->max <= OPENCL_ACCURACY_MAX;
}

/* ---- measuring --------------------------------------------------------------------------- */

size_t opencl_accuracy_source(const struct opencl_profile *profile, char *out, size_t size)
{
    struct opencl_text t = {.out = out, .size = size};
    opencl_text_noise(&t, profile->native_noise);
    opencl_text_file(&t, "native");
    opencl_text_file(&t, "accuracy");
    return t.length;
}

static int run(const struct opencl_device *d, const struct opencl_kernels *k,
               struct _cl_command_queue *queue, float *roots, struct fft_reason why)
{
    const struct opencl_launch launch = {
        .dims = 1,
        .global = {OPENCL_ACCURACY_POINTS},
        .arg_count = 1,
        .args = {{.kind = OPENCL_BUFFER, .u.role = OPENCL_RESULT}}};
    struct opencl_buffers buffers = {.by_role = {NULL}};
    int err = opencl_memory_allocate(d, 0, result_bytes, &buffers.by_role[OPENCL_RESULT],
                                     "memory for roots", why);
    if (err < 0)
        return err;
    err = opencl_kernels_launch(k, queue, &launch, &buffers, NULL, why);
    if (err == 0)
        err = opencl_check(d->driver->read(queue, buffers.by_role[OPENCL_RESULT], 1, 0,
                                           result_bytes, roots, 0, NULL, NULL),
                           "reading roots", why);
    d->driver->buffer_release(buffers.by_role[OPENCL_RESULT]);
    return err;
}

int opencl_accuracy_measure(struct opencl_accuracy *out, struct opencl_device *d,
                            struct _cl_command_queue *queue, struct fft_reason why)
{
    static const struct opencl_kernel name = {"accuracy"};
    const size_t length = opencl_accuracy_source(&d->profile, NULL, 0);
    struct opencl_kernels kernels = {0};
    char *text = malloc(length + 1);
    float *roots = malloc(result_bytes);
    int err = text && roots ? 0 : -ENOMEM;
    if (err == 0) {
        opencl_accuracy_source(&d->profile, text, length + 1);
        const struct opencl_kernels_source source = {text, OPENCL_BUILD_OPTIONS, &name, 1};
        err = opencl_kernels_init(&kernels, d, &source, why);
        text = NULL; /* owned by the device now */
    }
    if (err == 0)
        err = run(d, &kernels, queue, roots, why);
    if (err == 0)
        opencl_accuracy_evaluate(out, roots);
    opencl_kernels_finish(&kernels);
    free(text);
    free(roots);
    return err;
}
