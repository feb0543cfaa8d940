/*
 * stream.h - spectra from host memory to host memory, as the daemon makes them: batches from a ring
 * that is mapped twice, `depth` of them in flight. Rates count the stream's own samples, without
 * repeating overlapped ones.
 */
#ifndef FFTD_BENCH_STREAM_H
#define FFTD_BENCH_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "fft/fft.h"

enum { STREAM_RING_BYTES = 256 << 20 };

/* The ring, full of noise, twice in a row. NULL: no memory. It stays until the program ends. */
unsigned char *stream_ring(void);
double stream_now(void); /* seconds */
/* Prints "PROGRAM: what: why" to standard error; why: NULL or "" for the text of -err. Returns err.
 */
int stream_say(const char *what, int err, const char *why);
/* Copies of `chunk` bytes across the bus, at `rate` bytes a second. */
void stream_print_bus(size_t chunk, double rate);
/*
 * Prints a row for each of several streams, with the part of the bus that it takes (bus: bytes a
 * second), unless latency_alone; then the times of one frame from submit to poll. -errno after a
 * line on standard error.
 */
int stream_measure(struct fft_engine *e, const unsigned char *ring, double bus, bool latency_alone);

#endif
