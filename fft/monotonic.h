/* monotonic.h - the monotonic clock of the library, for time-outs and durations. */
#ifndef FFTD_FFT_MONOTONIC_H
#define FFTD_FFT_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in nanoseconds. */
static inline int64_t fft_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
