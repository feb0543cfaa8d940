/*
 * opencl_accuracy.h - measures a device's native sine and cosine and decides whether they may serve
 * as twiddles.
 *
 * OpenCL does not bound the error of native functions. On a Mali the error is about 1e-3, which
 * leaves spurs 70 dB below a tone.
 *
 * The limits keep the error of a transform within 3e-7 at 4096 points and 5e-7 at 4M points, and
 * keep spurs 120 dB down. A transform with tables has an error of 1.2e-7 and 2e-7. Twiddle errors
 * add in quadrature: one error for each pass in which a point is multiplied by a twiddle. The worst
 * case is radix 2, in which each pass multiplies one of two points. With an rms error of 1e-7, 11
 * such passes add up to 2.6e-7, and the 21 passes of 4M points to 3.8e-7. The largest error bounds
 * what a tone leaves in one other bin in each pass: 5e-7 is -126 dB.
 */
#ifndef FFTD_FFT_OPENCL_OPENCL_ACCURACY_H
#define FFTD_FFT_OPENCL_OPENCL_ACCURACY_H

#include "fft/opencl/opencl_device.h"

enum { OPENCL_ACCURACY_POINTS = 1 << 16 };
#define OPENCL_ACCURACY_RMS 1e-7
#define OPENCL_ACCURACY_MAX 5e-7

/* Distances from the exact roots of unity, which have magnitude 1. */
struct opencl_accuracy {
    double rms, max;    /* of the native functions */
    double precise_rms; /* of sin and cos: the error of rounding the angle alone */
};

/* roots: [OPENCL_ACCURACY_POINTS][4], as kernels/opencl/accuracy.cl writes them. A NaN has an
 * infinite distance. */
void opencl_accuracy_evaluate(struct opencl_accuracy *out, const float *roots);
/* Estimates the accuracy of a simulated device from its profile. */
void opencl_accuracy_expect(struct opencl_accuracy *out, const struct opencl_profile *profile);
bool opencl_accuracy_allows(const struct opencl_accuracy *a);

/* Writes the program with the kernel `accuracy`, which is launched with OPENCL_ACCURACY_POINTS
 * work-items. Arguments and result are those of snprintf. */
size_t opencl_accuracy_source(const struct opencl_profile *profile, char *out, size_t size);

/* Runs the kernel on the device. Returns 0, or -errno with the reason. */
int opencl_accuracy_measure(struct opencl_accuracy *out, struct opencl_device *d,
                            struct _cl_command_queue *queue, struct fft_reason why);

#endif
