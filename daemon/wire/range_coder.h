/*
 * range_coder.h - an adaptive binary range coder for whole numbers. Pure.
 *
 * docs/protocol.md ("Range coding") describes it so that a decoder can be written. A number becomes
 * binary decisions, which a context each makes cheap. A context is selected by a node (which of
 * the number's decisions) and a bucket (what is expected of the number). Expectations lie between
 * buckets: the two nearest ones predict together, and both learn.
 */
#ifndef FFTD_DAEMON_WIRE_RANGE_CODER_H
#define FFTD_DAEMON_WIRE_RANGE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RANGE_BUCKETS = 48,
    RANGE_PARTS = 16, /* of the distance of two buckets */
    RANGE_NODES = 50,
    RANGE_SEEN_MAX = 62,
    RANGE_NUMBER_MAX = 0x7ffffffe
};

/* Contexts of one kind of number. */
struct range_table {
    uint16_t one[RANGE_BUCKETS * RANGE_NODES]; /* probability of a 1, in 1/32768 */
    uint8_t seen[RANGE_BUCKETS * RANGE_NODES]; /* decisions, at most RANGE_SEEN_MAX */
    uint16_t rate[RANGE_SEEN_MAX + 1];         /* how far a decision moves `one`, in 1/65536 */
};

struct range_coder {
    uint8_t *bytes; /* [capacity] */
    size_t size, capacity;
    uint64_t low;
    uint32_t range;
    bool full; /* the bytes did not suffice */
};

void range_coder_init(struct range_coder *c, uint8_t *bytes, size_t capacity);
void range_coder_init_table(struct range_table *t);
/* at: bucket * RANGE_PARTS + part, below (RANGE_BUCKETS - 1) * RANGE_PARTS. */
void range_coder_put(struct range_coder *c, struct range_table *t, uint32_t at, uint32_t number);
/* Negative numbers interleave with positive ones: 0, 1, -1, 2, -2 become 0, 1, 2, 3, 4. */
uint32_t range_coder_interleave(int32_t number);
size_t range_coder_finish(struct range_coder *c); /* bytes written; 0: they did not suffice */

#endif
