/*
 * host_device.h - engines whose device does not exist: the cpu engine behind memory that cannot be
 * seen.
 *
 * Their buffers are pages without access: the device's own are opened only while a pass runs, the
 * host's only between map and unmap, so that who reaches for them at any other time crashes. Passes
 * are queued, and run when somebody waits. Fresh memory is absurd. One such engine at a time.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_HOST_DEVICE_H
#define FFTD_TESTS_SUPPORT_ENGINE_HOST_DEVICE_H

#include "fft/engine.h"

struct device_counts {
    unsigned to_device, to_host; /* copies of a buffer */
    unsigned passes;
    unsigned spread_reads; /* passes whose rows of points do not lie together */
    unsigned buffers;      /* that exist */
};

extern struct device_counts device_counts;
extern int device_fails; /* the next pass that runs gives this error instead */

enum device_kind {
    DEVICE_PLAIN,  /* strides, complex passes only */
    DEVICE_REAL,   /* strides, real passes of its own */
    DEVICE_ROTATE, /* prefers to rotate, real passes of its own */
    DEVICE_LESSER, /* prefers to rotate, complex passes; does nothing that its promise does not say
                    */
    DEVICE_KINDS
};
const struct engine_ops *device_ops(enum device_kind kind); /* called "device-plain", ... */

#endif
