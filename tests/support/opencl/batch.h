/* batch.h - runs one batch of a planned spectrum on a test device. */
#ifndef FFTD_TESTS_SUPPORT_OPENCL_BATCH_H
#define FFTD_TESTS_SUPPORT_OPENCL_BATCH_H

#include "reference/reference.h"
#include "tests/support/opencl/plan_device.h"

/* The result. The arrays are in `memory`; free(memory). */
struct batch_result {
    const float *sum, *max, *min, *last;
    const uint32_t *hits;
    size_t bytes;
    void *memory;
    uint32_t launches;
};

/* raw: samples_at arbitrary samples, then the span of `frames` frames. */
struct batch_result batch_run(const struct device *d, const struct opencl_spectrum *s,
                              const void *raw, uint32_t samples_at, uint32_t frames);

#endif
