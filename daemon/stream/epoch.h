/*
 * epoch.h - a stream of one format and rate, with the ring that carries it.
 *
 * Made by the source thread, read by the dsp thread, looked at by the loop thread; the last holder
 * frees it. A change of format or rate, or a larger FFT than the ring can serve, makes a new one.
 */
#ifndef FFTD_DAEMON_STREAM_EPOCH_H
#define FFTD_DAEMON_STREAM_EPOCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/stream/iq_ring.h"
#include "daemon/stream/tuning.h"

enum { EPOCH_MIN_SPANS = 8 }; /* a ring has room for at least so many frames of n samples */

struct epoch {
    atomic_uint holders;
    uint32_t number;
    struct stream stream; /* as it began; later tunings come as marks */
    struct iq_ring *ring;
    struct iq_reader reader; /* the dsp thread's; joined from the first sample on */
    struct epoch *next;      /* the queue's */
};

struct epoch_config {
    uint32_t number;
    uint32_t n;          /* FFT size that it must serve */
    uint64_t ring_bytes; /* as configured; 0: one second of samples or 8 frames, the larger */
    bool lossless;
};

/*
 * -ENOMEM or -EINVAL with one line in error that names the bytes needed: more than a quarter of the
 * machine's memory, or a configured size below 8 frames.
 */
int epoch_check(const struct stream *stream, const struct epoch_config *config, char *error,
                size_t error_size);
/* The same, and -ENOMEM when the memory is not there. */
int epoch_create(struct epoch **out, const struct stream *stream, const struct epoch_config *config,
                 char *error, size_t error_size);
struct epoch *epoch_hold(struct epoch *e);
void epoch_drop(struct epoch *e); /* NULL is fine */

/* Can samples of this stream, for frames of n, go on in this epoch? */
bool epoch_suits(const struct epoch *e, const struct stream *stream, uint32_t n);
/* Samples in one read of the source: about 5 ms, and at most an eighth of the ring. */
uint32_t epoch_block(const struct stream *stream, uint64_t ring_samples);

#endif
