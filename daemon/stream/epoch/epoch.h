/*
 * epoch.h - an epoch: one stream of a fixed format and rate, with the ring that carries it.
 *
 * The source thread creates it and the dsp thread reads it. The loop thread reads its totals. The
 * last user frees it. A new format, a new rate, or an FFT too large for the ring starts a new
 * epoch.
 */
#ifndef FFTD_DAEMON_STREAM_EPOCH_EPOCH_H
#define FFTD_DAEMON_STREAM_EPOCH_EPOCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/stream/ring/iq_ring.h"
#include "daemon/stream/settings.h"
#include "daemon/stream/tuning.h"

struct reason;

enum { RING_SPANS = 8 }; /* a ring has room for at least this many raw spans */

/*
 * A batch has about 10 ms, which take little of the ring, or 16 frames, which give work to every
 * core. It does not depend on the ring: sums are rounded by batch, and the same samples must give
 * the same bytes with a ring of any size.
 */
enum { BATCHES_PER_SECOND = 100, BATCH_FRAMES = 16 };

/* Samples of the longest batch of frames of n samples: at most an eighth of a second or n. */
uint64_t epoch_span(uint32_t n, double rate_hz);

struct epoch {
    atomic_uint refs;
    uint32_t number;
    struct stream stream; /* at its start; later tunings arrive as marks */
    struct iq_ring *ring;
    struct iq_reader reader; /* the dsp thread's; joined before the first sample */
    struct epoch *next;      /* the queue's */
};

struct epoch_config {
    uint32_t number;
    uint32_t n; /* FFT size that it must serve */
    /*
     * As configured; 0: one second of samples or RING_SPANS frames, the larger. If it is lossless,
     * 64 MiB are enough, or four lines, or RING_SPANS spans, the largest.
     */
    uint64_t ring_bytes;
    bool lossless;
    const struct settings *settings; /* say how long a line is; NULL: not known */
};

/*
 * -EINVAL: the configured size is below RING_SPANS spans. -ENOMEM: the ring would take more than a
 * quarter of the memory of the machine or control group. The line in *why names the bytes.
 */
int epoch_check(const struct stream *stream, const struct epoch_config *config, struct reason *why);
/* Bytes of the ring, as configured or automatic, and whole cycles of a stream that has one. */
uint64_t epoch_ring_bytes(const struct stream *stream, const struct epoch_config *config);
/* As epoch_check; also -ENOMEM when less memory is left, or the allocation fails. */
int epoch_create(struct epoch **out, const struct stream *stream, const struct epoch_config *config,
                 struct reason *why);
struct epoch *epoch_ref(struct epoch *e);
void epoch_unref(struct epoch *e); /* NULL is fine */

/* True if its ring is large enough for batches of frames of n samples. */
bool epoch_serves(const struct epoch *e, uint32_t n);
/* True if the samples of this stream, in frames of n, can continue in this epoch: also the radio is
 * the same. */
bool epoch_suits(const struct epoch *e, const struct stream *stream, uint32_t n);
/*
 * Samples in one read of the source, for frames of n: a quarter of a frame, at least 5 ms and at
 * most 20 ms, so that long frames wake the threads less often; at most an eighth of the ring and,
 * but for a cycle, 65536.
 */
uint32_t epoch_block(const struct stream *stream, uint64_t ring_samples, uint32_t n);

#endif
