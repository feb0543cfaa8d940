/*
 * threads.h - splits work over threads the plain way, for contestants that have no threads of their
 * own.
 */
#ifndef FFTD_BENCH_THREADS_H
#define FFTD_BENCH_THREADS_H

#include <stdint.h>

enum { THREADS_MAX = 256 };

/* Parts from .. to - 1 of the work are `thread`'s. */
typedef void threads_work(void *user, uint32_t thread, uint32_t from, uint32_t to);

/* Cuts `count` parts evenly; the caller is thread 0. Returns when all are done: 0, -EAGAIN,
 * -EINVAL. */
int threads_run(uint32_t threads, uint32_t count, threads_work *work, void *user);

#endif
