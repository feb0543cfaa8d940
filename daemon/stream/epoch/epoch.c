/* epoch.c - sizes the ring of an epoch and counts its references. */
#include "daemon/stream/epoch/epoch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/reason.h"
#include "daemon/system/memory.h"

enum { MIN_BLOCK = 64, MAX_BLOCK = 65536, CACHED_BYTES = 64 << 20, RING_LINES = 4 };

/* 256 MiB in 32 bits, where the rings of an epoch and of the next one, each mapped twice, must fit.
 */
static const uint64_t largest_mapped = (uint64_t)(UINTPTR_MAX / 16) + 1;

/* Of a block. */
static const double shortest_s = 0.005, longest_s = 0.02;

uint64_t epoch_span(uint32_t n, double rate_hz)
{
    const double batch = fmax(rate_hz / BATCHES_PER_SECOND, (BATCH_FRAMES - 1.0) * n) + n;
    return (uint64_t)fmin(batch, fmax(rate_hz / RING_SPANS, n));
}

uint32_t epoch_block(const struct stream *stream, uint64_t ring_samples, uint32_t n)
{
    const uint64_t eighth = ring_samples / 8;
    const bool limited =
        stream->cycle_samples == 0 && eighth > MAX_BLOCK; /* a cycle costs nothing */
    const uint64_t largest = limited ? MAX_BLOCK : eighth;
    const double rate_hz = stream->tuning.rate_hz;
    const double block = fmax(fmin(n / 4.0, rate_hz * longest_s), rate_hz * shortest_s);
    if (block > (double)largest)
        return (uint32_t)largest;
    return block < MIN_BLOCK ? MIN_BLOCK : (uint32_t)block;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/*
 * A writer that waits for its readers needs no reserve: a ring that stays in the processor's cache
 * is faster, and filling a large one with zeros would take longer than a short recording. But
 * measurements may hold the samples of some lines.
 */
static uint64_t waiting_samples(const struct stream *stream, const struct epoch_config *config)
{
    const uint64_t cached = CACHED_BYTES / fft_iq_bytes(stream->format);
    const uint64_t lines =
        config->settings
            ? RING_LINES * settings_line_samples(config->settings, stream->tuning.rate_hz)
            : UINT64_MAX;
    return larger(larger(cached, lines),
                  RING_SPANS * epoch_span(config->n, stream->tuning.rate_hz));
}

static uint64_t automatic_bytes(const struct stream *stream, const struct epoch_config *config)
{
    const double second = stream->tuning.rate_hz;
    const double frames = (double)RING_SPANS * config->n;
    uint64_t samples = (uint64_t)(second > frames ? second : frames);
    if (config->lossless && waiting_samples(stream, config) < samples)
        samples = waiting_samples(stream, config);
    return samples * fft_iq_bytes(stream->format);
}

static uint64_t whole_cycles(const struct stream *stream, uint64_t bytes)
{
    const uint64_t cycle = stream->cycle_samples * (uint64_t)fft_iq_bytes(stream->format);
    const uint64_t rest = cycle > 0 ? bytes % cycle : 0;
    return rest == 0 || bytes > UINT64_MAX - cycle ? bytes : bytes - rest + cycle;
}

uint64_t epoch_ring_bytes(const struct stream *stream, const struct epoch_config *config)
{
    return whole_cycles(stream,
                        config->ring_bytes ? config->ring_bytes : automatic_bytes(stream, config));
}

int epoch_check(const struct stream *stream, const struct epoch_config *config, struct reason *why)
{
    const uint32_t n = config->n;
    const uint64_t bytes = epoch_ring_bytes(stream, config);
    const uint64_t smallest =
        RING_SPANS * epoch_span(n, stream->tuning.rate_hz) * fft_iq_bytes(stream->format);
    const struct memory_limits limits = memory_limits();
    if (bytes < smallest)
        return reason_set(why, -EINVAL,
                          "ring-size: %llu bytes are too few, an FFT of %u %s samples at %.10g/s "
                          "needs %llu",
                          (unsigned long long)bytes, n, fft_iq_name(stream->format),
                          stream->tuning.rate_hz, (unsigned long long)smallest);
    if (bytes > largest_mapped)
        return reason_set(
            why, -ENOMEM, "ring-size: %llu bytes needed, a %zu-bit fftd maps at most %llu",
            (unsigned long long)bytes, 8 * sizeof(void *), (unsigned long long)largest_mapped);
    if (bytes > limits.total / 4)
        return reason_set(why, -ENOMEM,
                          "ring-size: %llu bytes needed, more than a quarter of the memory of %s "
                          "(%llu)",
                          (unsigned long long)bytes, limits.owner,
                          (unsigned long long)limits.total / 4);
    return 0;
}

int epoch_create(struct epoch **out, const struct stream *stream, const struct epoch_config *config,
                 struct reason *why)
{
    const uint64_t bytes = epoch_ring_bytes(stream, config);
    *out = NULL;
    int err = epoch_check(stream, config, why);
    if (err < 0)
        return err;
    const struct memory_limits limits = memory_limits();
    if (bytes > limits.available)
        return reason_set(why, -ENOMEM, "ring-size: %llu bytes needed, and %s has %llu left",
                          (unsigned long long)bytes, limits.owner,
                          (unsigned long long)limits.available);
    struct epoch *e = calloc(1, sizeof *e);
    if (!e)
        return reason_set(why, -ENOMEM, "no memory for a stream");
    atomic_init(&e->refs, 1);
    e->number = config->number;
    e->stream = *stream;
    e->stream.cycle = NULL; /* it may end before the epoch does */
    const uint32_t sample_bytes = (uint32_t)fft_iq_bytes(stream->format);
    const struct iq_ring_config ring = {
        .bytes = bytes,
        .sample_bytes = sample_bytes,
        .block = epoch_block(stream, bytes / sample_bytes, FFT_SPECTRUM_MAX_N),
        .lossless = config->lossless,
        .cycle = stream->cycle,
        .cycle_samples = stream->cycle_samples};
    struct reason call = {0};
    err = iq_ring_create(&e->ring, &ring, &call);
    if (err < 0) {
        free(e);
        return reason_set(why, err, "ring-size: no memory for %llu bytes: %s",
                          (unsigned long long)bytes, call.sentence);
    }
    iq_reader_join(&e->reader, e->ring, true);
    *out = e;
    return 0;
}

struct epoch *epoch_ref(struct epoch *e)
{
    atomic_fetch_add(&e->refs, 1);
    return e;
}

void epoch_unref(struct epoch *e)
{
    if (!e || atomic_fetch_sub(&e->refs, 1) != 1)
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
           strcmp(e->stream.serial, stream->serial) == 0 && epoch_serves(e, n);
}
