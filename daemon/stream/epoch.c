/* epoch.c - sizes the ring of an epoch and counts its holders. */
#include "daemon/stream/epoch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "daemon/base/memory.h"
#include "daemon/base/reason.h"

enum { MIN_BLOCK = 64, MAX_BLOCK = 65536 };

/* 256 MiB in 32 bits, where the rings of an epoch and of the next one, each mapped twice, must fit.
 */
static const uint64_t largest_mapped = (uint64_t)(UINTPTR_MAX / 16) + 1;

uint64_t epoch_span(uint32_t n, double rate_hz)
{
    const double batch = fmax(rate_hz / BATCHES_PER_SECOND, (BATCH_FRAMES - 1.0) * n) + n;
    return (uint64_t)fmin(batch, fmax(rate_hz / RING_SPANS, n));
}

uint32_t epoch_block(const struct stream *stream, uint64_t ring_samples)
{
    const uint64_t eighth = ring_samples / 8, largest = eighth < MAX_BLOCK ? eighth : MAX_BLOCK;
    const double block = stream->tuning.rate_hz * 0.005;
    if (block > (double)largest)
        return (uint32_t)largest;
    return block < MIN_BLOCK ? MIN_BLOCK : (uint32_t)block;
}

static uint64_t automatic_bytes(const struct stream *stream, uint32_t n)
{
    const double second = stream->tuning.rate_hz;
    const double frames = (double)RING_SPANS * n;
    return (uint64_t)(second > frames ? second : frames) * fft_iq_bytes(stream->format);
}

uint64_t epoch_ring_bytes(const struct stream *stream, const struct epoch_config *config)
{
    return config->ring_bytes ? config->ring_bytes : automatic_bytes(stream, config->n);
}

int epoch_check(const struct stream *stream, const struct epoch_config *config, char *error,
                size_t error_size)
{
    const uint32_t n = config->n;
    const uint64_t bytes = epoch_ring_bytes(stream, config);
    const uint64_t smallest =
        RING_SPANS * epoch_span(n, stream->tuning.rate_hz) * fft_iq_bytes(stream->format);
    const struct memory_room room = memory_room();
    if (bytes < smallest)
        return reason_set(error, error_size, -EINVAL,
                          "ring-size: %llu bytes are too few, an FFT of %u %s samples at %.10g/s "
                          "needs %llu",
                          (unsigned long long)bytes, n, fft_iq_name(stream->format),
                          stream->tuning.rate_hz, (unsigned long long)smallest);
    if (bytes > largest_mapped)
        return reason_set(error, error_size, -ENOMEM,
                          "ring-size: %llu bytes needed, a %zu-bit fftd maps at most %llu",
                          (unsigned long long)bytes, 8 * sizeof(void *),
                          (unsigned long long)largest_mapped);
    if (bytes > room.total / 4)
        return reason_set(error, error_size, -ENOMEM,
                          "ring-size: %llu bytes needed, more than a quarter of the memory of %s "
                          "(%llu)",
                          (unsigned long long)bytes, room.owner,
                          (unsigned long long)room.total / 4);
    return 0;
}

int epoch_create(struct epoch **out, const struct stream *stream, const struct epoch_config *config,
                 char *error, size_t error_size)
{
    const uint64_t bytes = epoch_ring_bytes(stream, config);
    *out = NULL;
    int err = epoch_check(stream, config, error, error_size);
    if (err < 0)
        return err;
    const struct memory_room room = memory_room();
    if (bytes > room.available)
        return reason_set(
            error, error_size, -ENOMEM, "ring-size: %llu bytes needed, and %s has %llu left",
            (unsigned long long)bytes, room.owner, (unsigned long long)room.available);
    struct epoch *e = calloc(1, sizeof *e);
    if (!e)
        return reason_set(error, error_size, -ENOMEM, "no memory for a stream");
    atomic_init(&e->holders, 1);
    e->number = config->number;
    e->stream = *stream;
    const uint32_t sample_bytes = (uint32_t)fft_iq_bytes(stream->format);
    const struct iq_ring_config ring = {.bytes = bytes,
                                        .sample_bytes = sample_bytes,
                                        .block = epoch_block(stream, bytes / sample_bytes),
                                        .lossless = config->lossless};
    err = iq_ring_create(&e->ring, &ring);
    if (err < 0) {
        free(e);
        return reason_set(error, error_size, err, "ring-size: no memory for %llu bytes",
                          (unsigned long long)bytes);
    }
    iq_reader_join(&e->reader, e->ring, true);
    *out = e;
    return 0;
}

struct epoch *epoch_hold(struct epoch *e)
{
    atomic_fetch_add(&e->holders, 1);
    return e;
}

void epoch_drop(struct epoch *e)
{
    if (!e || atomic_fetch_sub(&e->holders, 1) != 1)
        return;
    iq_ring_destroy(e->ring);
    free(e);
}

bool epoch_serves(const struct epoch *e, uint32_t n)
{
    return iq_ring_capacity(e->ring) >= RING_SPANS * epoch_span(n, e->stream.tuning.rate_hz);
}

bool epoch_suits(const struct epoch *e, const struct stream *stream, uint32_t n)
{
    const double off_rate = e->stream.tuning.rate_hz - stream->tuning.rate_hz;
    const double off_scale = e->stream.full_scale - stream->full_scale;
    return e->stream.format == stream->format && off_rate == 0 && off_scale == 0 &&
           epoch_serves(e, n);
}
