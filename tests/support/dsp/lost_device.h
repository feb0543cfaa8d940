/*
 * lost_device.h - the dsp thread on an engine whose device is lost while it works: the CPU engine
 * takes over, and no sample is lost. For any engine whose driver is of the tests' own.
 */
#ifndef FFTD_TESTS_SUPPORT_DSP_LOST_DEVICE_H
#define FFTD_TESTS_SUPPORT_DSP_LOST_DEVICE_H

#include <stdbool.h>

#include "fft/fft.h"

enum { LOST_LINES = 100, LOST_HOP = 128, LOST_SAMPLES = LOST_HOP * 10 * LOST_LINES + LOST_HOP };

struct lost_device {
    const char *engine; /* "opencl" */
    const char *result; /* what the driver calls the failure, for people */
    struct fft_engine *(*open)(
        int way); /* on a driver that is reset; the engine's own ways, 0 .. */
    /* The device is lost at the `after`-th call of this name from now on. */
    void (*arm)(const char *call, int after);
    bool (*lost)(void);     /* it was */
    int64_t (*alive)(void); /* things made and not released */
};

struct lost_call {
    const char *name;
    int after, way;
};

/* Each call in turn, up to the one without a name, on an engine and a pipeline of its own. */
void lost_device_costs_no_sample(const struct lost_device *d, const struct lost_call *calls);

#endif
