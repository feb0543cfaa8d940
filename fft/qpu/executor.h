/*
 * executor.h - the firmware's call that runs programs blocks until they have ended; so a thread of
 * its own makes it. The kernel makes other calls of this process to the firmware wait meanwhile.
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
    bool alive; /* there is a thread */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* protected by lock */
    bool wanted, quit;
    uint32_t values[QPU_EXECUTE_VALUES];
    int result; /* 0 or -errno, when no longer wanted */
};

/* 0 or -errno. finish follows only behind 0. */
int qpu_executor_init(struct qpu_executor *x, const struct qpu_system *os, int vcio);
void qpu_executor_finish(struct qpu_executor *x); /* waits for what runs */

void qpu_executor_start(struct qpu_executor *x, const uint32_t *values);
int qpu_executor_wait(struct qpu_executor *x, int timeout_ms); /* as device.h says */

#endif
