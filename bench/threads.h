/*
 * threads.h - divides work statically over threads, for contestants without threads of their own.
 */
#ifndef FFTD_BENCH_THREADS_H
#define FFTD_BENCH_THREADS_H

#include <stdint.h>

enum { THREADS_MAX = 256 };

/* Does the parts `from` to `to` - 1 of the work on thread number `thread`. */
typedef void threads_work(void *user, uint32_t thread, uint32_t from, uint32_t to);

/* Divides `count` parts evenly; the caller is thread 0. Returns after all threads are done: 0,
 * -EAGAIN or -EINVAL. */
int threads_run(uint32_t threads, uint32_t count, threads_work *work, void *user);

#endif
