/*
 * stream.h - spectra from host memory to host memory, as the daemon makes them: batches from a ring
 * that is mapped twice, `depth` of them in flight. Rates count the stream's own samples, without
 * repeating overlapped ones.
 */
#ifndef FFTD_BENCH_STREAM_H
#define FFTD_BENCH_STREAM_H

#include "fft/engine.h"

enum { STREAM_CHUNKS = 400 };

/* An engine with a bus. */
struct stream_bench {
    const struct engine_ops *engine;
    const char *device; /* if no other is named; NULL: the engine's choice */
    /* Copies chunk bytes of pinned memory to the device STREAM_CHUNKS times. *rate: bytes a second.
     */
    int (*bus_rate)(struct fft_engine *e, size_t chunk, double *rate, struct fft_reason why);
};

double stream_now(void); /* seconds */
/*
 * PROGRAM [DEVICE [latency]]: prints the rate of the bus for several chunks, a row for each of
 * several streams with the part of the bus that it takes, and the times of one frame from submit to
 * poll; with "latency" not the streams. DEVICE: as in "NAME:DEVICE". Returns the exit status.
 */
int stream_main(const struct stream_bench *bench, int argc, char **argv);

#endif
