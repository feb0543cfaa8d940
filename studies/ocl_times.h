/* ocl_times.h - measures work on an OpenCL device. Functions return 0, or -errno after one line on
 * standard error. */
#ifndef FFTD_STUDIES_OCL_TIMES_H
#define FFTD_STUDIES_OCL_TIMES_H

#include "bench/device/ocl.h"

enum { OCL_WORKS = 16 }; /* at most, in one call */

struct ocl_work {
    int (*enqueue)(void *user); /* enqueues work without waiting; 0 or -errno */
    void *user;
    double seconds;            /* result: seconds a call */
    int (*finish)(void *user); /* (optional) waits for work outside this device's queue */
};

/*
 * Measures wall time of many enqueue calls, then finish and clFinish; it includes launching where
 * that takes longer. The works run alternately, so that other load on the machine slows all of them
 * alike; each gets the median of its runs. quick: one call each.
 */
int ocl_seconds(struct ocl *o, struct ocl_work *all, uint32_t count, bool quick);

/*
 * Profiles a call: the sum of the times of its kernels, at most 64, by the device's clock, without
 * launching and what is between kernels. The least of five calls, of one if quick. The kernels must
 * have run before, because a driver may build them at their first launch.
 */
int ocl_profiled_seconds(struct ocl *o, const struct ocl_work *work, bool quick, double *seconds);

#endif
