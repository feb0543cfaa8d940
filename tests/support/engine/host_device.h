/*
 * host_device.h - engines with a simulated device: the cpu engine on memory that the host cannot
 * access.
 *
 * A buffer has two sets of protected pages: the device's are accessible only while a pass runs, the
 * host's only between map and unmap. An access at any other time crashes. Passes are queued and run
 * when a caller waits. New memory contains arbitrary bits. Only one such engine may exist at a
 * time.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_HOST_DEVICE_H
#define FFTD_TESTS_SUPPORT_ENGINE_HOST_DEVICE_H

#include "fft/engine.h"

struct device_counts {
    unsigned to_device, to_host; /* copies of a buffer */
    unsigned passes;
    unsigned spread_reads; /* passes whose rows of points are not adjacent */
    unsigned buffers;      /* buffers that exist */
};

extern struct device_counts device_counts;
extern int device_fails; /* if not 0, the next pass that runs returns this error */

enum device_kind {
    DEVICE_PLAIN,   /* strides, complex passes only */
    DEVICE_REAL,    /* strides, its own real passes */
    DEVICE_ROTATE,  /* prefers to rotate, its own real passes */
    DEVICE_PLANE,   /* as DEVICE_REAL, and joins two axes of even lengths */
    DEVICE_LIMITED, /* prefers to rotate, complex passes only; refuses what its row omits */
    DEVICE_KINDS
};
const struct engine_ops *device_ops(enum device_kind kind); /* named "device-plain", ... */

#endif
