/*
 * launch.h - who waits for a program: several users of one device, each with launches of its own,
 * of which one runs at a time. Whoever starts the next one waits for the last, whose owner finds
 * its result.
 */
#ifndef FFTD_FFT_QPU_LAUNCH_H
#define FFTD_FFT_QPU_LAUNCH_H

#include "fft/qpu/device.h"

/* It must stay where it is until it has ended. 0, or what device.h says. */
int qpu_launch_start(struct qpu_device *d, struct qpu_launch *launch);

/* 1: it has ended, or was never started; 0: not within timeout_ms (< 0: for ever); or what device.h
 * says. */
int qpu_launch_wait(struct qpu_device *d, struct qpu_launch *launch, int timeout_ms);

#endif
