/*
 * lost_device.h - loses the device of an engine while a dsp thread uses it: the CPU engine replaces
 * it, and no sample is lost. For any engine with a mock driver.
 */
#ifndef FFTD_TESTS_SUPPORT_DSP_LOST_DEVICE_H
#define FFTD_TESTS_SUPPORT_DSP_LOST_DEVICE_H

#include <stdbool.h>

#include "fft/fft.h"

enum { LOST_LINES = 100, LOST_HOP = 128, LOST_SAMPLES = LOST_HOP * 10 * LOST_LINES + LOST_HOP };

struct lost_device {
    const char *engine;                      /* "opencl" */
    const char *result;                      /* name of the failure in messages */
    struct fft_engine *(*open)(int variant); /* on a reset driver; variants of the engine, from 0 */
    /* The device is lost at the `after`-th call of this name from now on. */
    void (*arm)(const char *call, int after);
    bool (*lost)(void);     /* true if it was lost */
    int64_t (*alive)(void); /* objects created and not released */
};

struct lost_call {
    const char *name;
    int after, variant;
};

/* Tests each call, up to one without a name, on a new engine and dsp thread. */
void lost_device_costs_no_sample(const struct lost_device *d, const struct lost_call *calls);

#endif
