/* qpu_vcio2.h - the QPUs through M. Mueller's kernel driver vcio2, which needs no root. */
#ifndef FFTD_FFT_QPU_QPU_VCIO2_H
#define FFTD_FFT_QPU_QPU_VCIO2_H

#include "fft/qpu/qpu_board.h"
#include "fft/qpu/qpu_device.h"

/*
 * Opens the device as qpu_hardware_open does. -ENOENT: this kernel has no vcio2. The driver starts
 * programs by the firmware, so that the limit of QPU_FIRMWARE_LIMIT_MS applies, and orders those of
 * several processes. It frees memory of killed processes.
 */
int qpu_vcio2_open(const struct qpu_system *os, const struct qpu_board *board, struct qpu_device *d,
                   struct fft_reason why);

#endif
