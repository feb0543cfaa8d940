/*
 * archive_message.h - what a hub and a sensor say about the sensor's archive. What comes is data
 * from outside. Pure.
 *
 *     announce    "archive": [{"period_s": 1, "newest_ns": ...}, ...]    the sensor: what there is
 *     archive     {"period_ns": ..., "from_ns": ..., "after": {...}}     the hub: the next block?
 *     reply       a head of 56 bytes and a part of that block            the sensor
 *
 * docs/sensor-messages.md has the tables.
 */
#ifndef FFTD_DAEMON_NATS_ARCHIVE_MESSAGE_H
#define FFTD_DAEMON_NATS_ARCHIVE_MESSAGE_H

#include <jansson.h>

#include "daemon/archive/archive_options.h"
#include "daemon/archive/store/archive_copy.h"

enum {
    ARCHIVE_PART_HEAD = 56,
    ARCHIVE_PART = 8 << 10,     /* bytes of a block in a reply, at most */
    ARCHIVE_BLOCK_MAX = 8 << 20 /* bytes of a block that a hub takes */
};

/* The tiers of a sensor's archive, from the finest to the coarsest. */
struct archive_offer {
    uint32_t count; /* 0: there is no archive */
    struct {
        uint64_t period_ns;
        int64_t newest_ns; /* end of its newest row */
    } tier[ARCHIVE_TIERS];
};

/* A new reference; NULL: no memory. */
json_t *archive_offer_to_json(const struct archive_offer *o);
/* Of an announcement. A malformed offer has no tiers: -EINVAL. NULL is no offer: 0. */
int archive_offer_read(struct archive_offer *out, const json_t *archive);

/* Asks for the block after one, from the byte `offset` on. */
struct archive_ask {
    uint64_t period_ns;
    int64_t from_ns; /* blocks that end before it are not wanted */
    bool has_after;
    struct block_id after;
    struct block_place after_place;
    uint32_t offset;
    uint32_t checksum; /* of the block whose parts before it came; if it is another: from 0 on */
};

char *archive_ask_write(const struct archive_ask *a); /* allocated; NULL: no memory */
int archive_ask_read(struct archive_ask *out, const void *data, size_t size); /* 0 or -EINVAL */

/* A part of a block. */
struct archive_part {
    bool gap; /* the block `after` is not there any more */
    uint64_t period_ns;
    struct block_id id;
    struct block_place place;
    uint32_t block_size;    /* 0: there is no block yet */
    uint32_t offset, count; /* of the bytes here */
    const uint8_t *bytes;   /* [count], of the caller */
};

/* Returns the size of the message. */
size_t archive_part_write(const struct archive_part *p,
                          uint8_t into[ARCHIVE_PART_HEAD + ARCHIVE_PART]);
int archive_part_read(struct archive_part *out, const uint8_t *data, size_t size); /* or -EINVAL */

#endif
