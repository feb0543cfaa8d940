/*
 * accuracy.h - how good a device's native sine and cosine are as twiddles, measured on the device,
 * and whether that is enough. OpenCL promises nothing about them: Malis are off by some 1e-3, which
 * leaves spurs 70 dB below a tone.
 *
 * Allowed is what keeps a transform's figures, 3e-7 at 4096 points, 5e-7 at 4M, and spurs 120 dB
 * down. A transform with tables is off by 1.2e-7 and 2e-7. Errors of twiddles add in quadrature,
 * one a pass and point that is times_minus_i: at worst 11 passes of radix 2 that turn one of two
 * points, where an rms of 1e-7 makes 2.6e-7, and at 4M 21 such passes, 3.8e-7. The largest error
 * bounds what a tone leaves in one other bin a pass: 5e-7 is -126 dB.
 */
#ifndef FFTD_FFT_OPENCL_ACCURACY_H
#define FFTD_FFT_OPENCL_ACCURACY_H

#include "fft/opencl/device.h"

enum { OPENCL_ACCURACY_POINTS = 1 << 16 };
#define OPENCL_ACCURACY_RMS 1e-7
#define OPENCL_ACCURACY_MAX 5e-7

/* Distances from the exact roots of unity, which lie on the unit circle. */
struct opencl_accuracy {
    double rms, max;    /* of the native functions */
    double precise_rms; /* of sin and cos: what the angle's rounding alone leaves */
};

/* roots: [OPENCL_ACCURACY_POINTS][4], as kernels/opencl/accuracy.cl writes them. NaN is infinitely
 * far. */
void opencl_accuracy_evaluate(struct opencl_accuracy *out, const float *roots);
/* What is to be expected of a simulated device. */
void opencl_accuracy_expect(struct opencl_accuracy *out, const struct opencl_profile *profile);
bool opencl_accuracy_allows(const struct opencl_accuracy *a);

/* The program whose kernel `accuracy` is launched with OPENCL_ACCURACY_POINTS items; as snprintf
 * does. */
size_t opencl_accuracy_source(const struct opencl_profile *profile, char *out, size_t size);

/* Runs the kernel on the device. 0 or -errno with the reason. */
int opencl_accuracy_measure(struct opencl_accuracy *out, struct opencl_device *d,
                            struct _cl_command_queue *queue, struct reason why);

#endif
