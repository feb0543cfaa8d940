/*
 * disk_piece.h - a block of the disk ring: as it is in the file, and as it is searched.
 * Pure, except for the read.
 */
#ifndef FFTD_DAEMON_RECORD_DISK_DISK_PIECE_H
#define FFTD_DAEMON_RECORD_DISK_DISK_PIECE_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/stream/ring/iq_ring.h"
#include "daemon/stream/tuning.h"

enum { DISK_BLOCK = 1 << 22, DISK_HEADER = 1 << 13 };

/* The samples of a block. All are of one epoch of one run of fftd. */
struct disk_piece {
    uint64_t sequence; /* 1, 2, ...; 0: none */
    uint64_t run;
    uint32_t epoch;
    bool fresh, anew;           /* as in iq_feed.h, of its first sample */
    uint64_t position, samples; /* of the first sample; their number */
    struct iq_mark mark;
    struct stream stream;
};

struct reason;
/* In the file, DISK_HEADER bytes with zeros at its end. */
struct disk_header {
    uint64_t hash; /* of what follows */
    char version[32];
    uint64_t blocks;
    struct disk_piece piece;
};

/* What is searched: of a block. */
struct disk_entry {
    uint64_t sequence; /* 0: it has no samples */
    uint64_t run;
    uint32_t epoch, sample_bytes;
    uint64_t position, samples;
    int64_t time_ns; /* INT64_MIN: not known */
    double rate_hz;
};

struct disk_entry disk_entry_of(const struct disk_piece *p);

uint64_t disk_header_hash(const struct disk_header *h);
/* False: the block has no valid header. */
bool disk_header_read(int fd, uint64_t block, struct disk_header *out);

#endif
