/*
 * qpu_executor.h - a thread that runs programs through the firmware. The firmware's call blocks
 * until the programs have ended. Until then the kernel blocks this process's other calls to the
 * firmware.
 */
#ifndef FFTD_FFT_QPU_QPU_EXECUTOR_H
#define FFTD_FFT_QPU_QPU_EXECUTOR_H

#include <pthread.h>
#include <stdbool.h>

#include "fft/qpu/qpu_device.h"
#include "fft/qpu/qpu_system.h"

enum { QPU_EXECUTE_VALUES = 4 }; /* see QPU_TAG_EXECUTE */

struct qpu_executor {
    const struct qpu_system *os;
    int fd;
    int (*execute)(const struct qpu_system *os, int fd, const uint32_t *values);
    bool alive; /* the thread exists */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* protected by lock */
    bool pending; /* a call is requested or running */
    bool quit;
    uint32_t values[QPU_EXECUTE_VALUES];
    int result; /* of the last call: 0 or -errno */
};

/* Starts the thread. execute: runs values[QPU_EXECUTE_VALUES] through this file and waits; 0,
 * -ETIMEDOUT or another -errno. Returns 0 or -errno; call finish only after 0. */
int qpu_executor_init(struct qpu_executor *x, const struct qpu_system *os, int fd,
                      int (*execute)(const struct qpu_system *os, int fd, const uint32_t *values));
void qpu_executor_finish(struct qpu_executor *x); /* waits for the running call */

/* control: memory for the {uniforms, code} of each QPU, in use until the call has ended. */
void qpu_executor_start(struct qpu_executor *x, const struct qpu_launch *launch,
                        const struct qpu_memory *control);
/* Waits for the call that was started; returns what qpu_device_ops.wait returns. */
int qpu_executor_wait(struct qpu_executor *x, int timeout_ms);

#endif
