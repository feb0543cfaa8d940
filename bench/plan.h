/*
 * plan.h - prints how the opencl engine computes spectra on a device, which need not be installed.
 */
#ifndef FFTD_BENCH_PLAN_H
#define FFTD_BENCH_PLAN_H

#include "bench/options.h"

/* 0, or -errno with one line on standard error. */
int plan_print(const struct options *o);

#endif
