/* disk_ring_private.h - the disk ring as its own files see it. */
#ifndef FFTD_DAEMON_RECORD_DISK_DISK_RING_PRIVATE_H
#define FFTD_DAEMON_RECORD_DISK_DISK_RING_PRIVATE_H

#include <uv.h>

#include "daemon/record/disk/disk_ring.h"

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

struct disk_ring {
    int fd;
    uint64_t run, blocks;
    /* the writer's */
    uint64_t sequence, block; /* of the newest block */
    struct disk_piece now;    /* what is in it; sequence 0: none is taken yet */
    struct disk_header *header;
    uv_mutex_t lock;
    /* under lock */
    struct disk_entry *entry; /* [blocks] */
    uint64_t used_bytes;      /* of all entries */
    double seconds;           /* the same */
    uint64_t newest;          /* the highest sequence number of an entry */
};

/* With the lock held, or before there are threads. */
void disk_entry_set(struct disk_ring *d, uint64_t block, const struct disk_entry *entry);
struct disk_entry disk_entry_of(const struct disk_piece *p);
uint64_t disk_header_hash(const struct disk_header *h);
/* False: the block has no valid header. */
bool disk_header_read(int fd, uint64_t block, struct disk_header *out);

#endif
