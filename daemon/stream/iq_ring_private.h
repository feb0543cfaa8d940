/* iq_ring_private.h - the ring as its own files see it: writer, dsp's reader, and those that
 * follow. */
#ifndef FFTD_DAEMON_STREAM_IQ_RING_PRIVATE_H
#define FFTD_DAEMON_STREAM_IQ_RING_PRIVATE_H

#include <uv.h>

#include "daemon/stream/mark_log.h"

enum { MARKS = 256 };

struct iq_ring {
    /* immutable */
    struct iq_ring_config config;
    uint64_t capacity;  /* samples */
    unsigned char *map; /* two mappings of capacity * sample_bytes */
    void *scratch;

    /* the writer's */
    bool in_scratch;

    uv_mutex_t lock;
    uv_cond_t changed;
    /* under lock */
    uint64_t head;
    uint64_t awaited; /* the lowest position that a waiting reader needs; UINT64_MAX: none waits */
    uint64_t lost_total; /* samples, known */
    struct iq_reader *readers;
    struct iq_mark pending; /* before the next sample that is written */
    bool has_pending;
    struct iq_mark mark[MARKS];
    uint64_t marks_in, marks_out;
    struct mark_log log;
    struct iq_ring_totals totals;
    bool closed;
};

/* The oldest sample that no write, which may have begun, overwrites. With the lock held. */
uint64_t iq_ring_oldest(const struct iq_ring *r);

#endif
