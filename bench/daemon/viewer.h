/*
 * viewer.h - a browser without a screen: a websocket that takes every line it is sent.
 *
 * docs/protocol.md describes the messages. It has a thread of its own, in the process of fft-bench.
 */
#ifndef FFTD_BENCH_DAEMON_VIEWER_H
#define FFTD_BENCH_DAEMON_VIEWER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "bench/daemon/process.h"

struct viewer {
    pthread_t thread;
    int fd; /* -1: none */
    bool started;
    atomic_uint_least64_t lines, densities; /* frames received */
};

/* density: also subscribes to it. 0 or -errno, with one line on standard error. */
int viewer_start(struct viewer *v, const struct process *p, bool density);
void viewer_stop(struct viewer *v); /* never started is fine, if zeroed */

#endif
