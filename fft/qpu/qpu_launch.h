/*
 * qpu_launch.h - shares one device among several users. One launch runs at a time. Starting a
 * launch waits for the previous one; its owner still gets the result.
 */
#ifndef FFTD_FFT_QPU_QPU_LAUNCH_H
#define FFTD_FFT_QPU_QPU_LAUNCH_H

#include "fft/qpu/qpu_device.h"

/* `launch` must stay at its address until it has ended. 0, or the error of qpu_device_ops.start. */
int qpu_launch_start(struct qpu_device *d, struct qpu_launch *launch);

/* 1: it has ended, or was never started. 0: not within timeout_ms (< 0: no limit). Otherwise the
 * error of qpu_device_ops. */
int qpu_launch_wait(struct qpu_device *d, struct qpu_launch *launch, int timeout_ms);

#endif
