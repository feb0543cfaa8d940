/*
 * archive_copy.h - blocks of an archive as bytes, in the order in which they were appended: what a
 * copy of it on another machine needs. Any thread with its own index; blocks on the disk.
 *
 * A copy names the newest block that it has, and gets the one after it. Its own files say which one
 * that is, so it needs no other memory, and a clock that is set back on either side loses nothing.
 */
#ifndef FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_COPY_H
#define FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_COPY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/archive/store/block.h"

/* Identifies a block among all blocks of its tier. */
struct block_id {
    int64_t start_ns;
    uint32_t checksum;
};

/*
 * Where an archive has a block: distinguishes equal blocks of two runs, as long as its index is not
 * made again. To others these are numbers without a meaning.
 */
struct block_place {
    int64_t segment, offset;
};

struct archive_copy_query {
    sqlite3 *db;
    const char *folder;
    uint64_t period_ns;
    bool has_after; /* else from the first block on */
    struct block_id after;
    struct block_place after_place; /* of the same; zeroed: not known */
    int64_t from_ns;                /* blocks that end before it are left out */
};

/* A whole block. Zeroed: empty; the memory is used again. */
struct archive_copy_block {
    uint8_t *bytes;
    size_t size, capacity;
    struct block_head head;
    struct block_place place;
    bool gap; /* the block `after` is not there any more: others may have gone with it */
};

/*
 * The block after `after`; if that one is not there, the first one that begins later. Damaged
 * blocks are left out. -ENODATA: none yet; -EIO, -ENOMEM.
 */
int archive_copy_next(const struct archive_copy_query *q, struct archive_copy_block *out);
void archive_copy_finish(struct archive_copy_block *b);
/* The block of a tier that was appended last. -ENODATA: none. */
int archive_copy_newest(sqlite3 *db, const char *folder, uint64_t period_ns, struct block_id *out);
/* 1: the archive has this block; 0: it has not; -EIO. */
int archive_copy_has(sqlite3 *db, const char *folder, uint64_t period_ns, struct block_id id);

#endif
