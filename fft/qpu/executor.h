/*
 * executor.h - a thread that runs programs through the firmware. The firmware's call blocks until
 * the programs have ended. Until then the kernel blocks this process's other calls to the firmware.
 */
#ifndef FFTD_FFT_QPU_EXECUTOR_H
#define FFTD_FFT_QPU_EXECUTOR_H

#include <pthread.h>
#include <stdbool.h>

#include "fft/qpu/system.h"

enum { QPU_EXECUTE_VALUES = 4 }; /* see QPU_TAG_EXECUTE */

struct qpu_executor {
    const struct qpu_system *os;
    int vcio;
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

/* Starts the thread. 0 or -errno. Call finish only after 0. */
int qpu_executor_init(struct qpu_executor *x, const struct qpu_system *os, int vcio);
void qpu_executor_finish(struct qpu_executor *x); /* waits for the running call */

/* values: [QPU_EXECUTE_VALUES]. */
void qpu_executor_start(struct qpu_executor *x, const uint32_t *values);
/* Waits for the call that was started; returns what qpu_device_ops.wait returns. */
int qpu_executor_wait(struct qpu_executor *x, int timeout_ms);

#endif
