/*
 * host_device.h - engines with a simulated device: the cpu engine on memory that the host cannot
 * access.
 *
 * Buffers are pages without access: the device's pages are accessible only while a pass runs, the
 * host's only between map and unmap. An access at any other time crashes. Passes are queued and run
 * when a caller waits. New memory holds garbage. One such engine at a time.
 */
#ifndef FFTD_TESTS_SUPPORT_ENGINE_HOST_DEVICE_H
#define FFTD_TESTS_SUPPORT_ENGINE_HOST_DEVICE_H

#include "fft/engine.h"

struct device_counts {
    unsigned to_device, to_host; /* copies of a buffer */
    unsigned passes;
    unsigned spread_reads; /* passes whose rows of points are not adjacent */
    unsigned buffers;      /* that exist */
};

extern struct device_counts device_counts;
extern int device_fails; /* the next pass that runs gives this error instead */

enum device_kind {
    DEVICE_PLAIN,  /* strides, complex passes only */
    DEVICE_REAL,   /* strides, real passes of its own */
    DEVICE_ROTATE, /* prefers to rotate, real passes of its own */
    DEVICE_LESSER, /* prefers to rotate, complex passes; refuses all that its row does not list
                    */
    DEVICE_KINDS
};
const struct engine_ops *device_ops(enum device_kind kind); /* called "device-plain", ... */

#endif
