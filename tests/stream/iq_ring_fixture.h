/* iq_ring_fixture.h - IQ rings for tests, and samples that carry their own number. One thread
 * writes.
 */
#ifndef FFTD_TESTS_STREAM_IQ_RING_FIXTURE_H
#define FFTD_TESTS_STREAM_IQ_RING_FIXTURE_H

#include "tests/support/cmocka_all.h"

#include "daemon/stream/ring/iq_ring.h"

enum { BLOCK = 1000, PAGE_SAMPLES = 1024 }; /* 4 KiB pages of 4-byte samples */

struct iq_ring *make_ring(uint64_t pages, bool lossless);
/*
 * Writes samples that hold their own stream number, which also counts through overruns. False: the
 * ring has no room.
 */
bool write_counted(struct iq_ring *r, uint32_t *number, uint32_t samples);

#endif
