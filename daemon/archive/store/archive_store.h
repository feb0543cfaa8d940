/*
 * archive_store.h - the files of the archive: segments of blocks, and an index that finds blocks.
 *
 *     DIR/spectra_1s_20261121T101500Z.fsa   a segment: blocks of one tier, one after another
 *     DIR/index.sqlite                      where each block is; made again from the segments
 *
 * A block is appended with one write, then entered in the index. What a kill interrupts is found
 * when the store is opened: a block that the index lacks is entered, the part of a block is cut
 * off. One process has a store open; any number of others may read it. One thread uses a store.
 * Blocks on the disk.
 */
#ifndef FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_STORE_H
#define FFTD_DAEMON_ARCHIVE_STORE_ARCHIVE_STORE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "daemon/archive/archive_options.h"
#include "daemon/archive/store/block.h"

#define ARCHIVE_INDEX  "index.sqlite"
#define ARCHIVE_SUFFIX ".fsa"

enum { ARCHIVE_NAME = 96 }; /* of a segment */
/* A segment ends with the block that reaches SEGMENT_BYTES: a longer file is none of fftd's. */
enum { SEGMENT_BYTES = 64 << 20, SEGMENT_BYTES_MAX = SEGMENT_BYTES + (128 << 20) };

struct reason;
struct archive_store;

/*
 * Makes a missing folder (not its parents), locks it, opens the index, and repairs both. A damaged
 * index is made again. -errno with one line in *why that names the folder; -EBUSY: another process
 * writes to it.
 */
int archive_store_open(struct archive_store **out, const char *folder, struct reason *why);
/* The same for a folder that this process has closed: nothing is repaired, so it takes no time. */
int archive_store_reopen(struct archive_store **out, const char *folder, struct reason *why);
void archive_store_close(struct archive_store *s); /* NULL is fine */
/*
 * For a copy of another archive, which is opened and closed often: the newest segment of a tier is
 * continued, also one of an earlier run. A block that begins no later than the one before it begins
 * another one, so that runs with the same times stay apart.
 */
void archive_store_continue(struct archive_store *s);
/*
 * Appends a block to the newest segment of its tier. -errno: nothing was added; -ENOSPC also if the
 * disk would have less than min_free bytes left. `tier`: of the block.
 */
int archive_store_append(struct archive_store *s, const struct archive_tier *tier,
                         const struct text *block, uint64_t min_free);
/* Deletes a segment, unless it is being written. False: it is still there, or has no name. */
bool archive_store_delete(struct archive_store *s, int64_t id, char name[ARCHIVE_NAME]);

struct archive_store_totals {
    uint64_t bytes, segments;
    int64_t oldest_ns, newest_ns; /* 0: none */
};
void archive_store_totals(struct archive_store *s, struct archive_store_totals *out);
/* Of an index that the caller has opened. */
void archive_index_totals(sqlite3 *db, struct archive_store_totals *out);
sqlite3 *archive_store_database(struct archive_store *s);
const char *archive_store_folder(const struct archive_store *s);

/* archive_store_index.c: the index. All: 0 or -EIO. */
int archive_index_open(sqlite3 **db, const char *folder, struct reason *why);
/* Without the check that finds damage. */
int archive_index_reopen(sqlite3 **db, const char *folder, struct reason *why);
/* For readers. -ENOENT: there is no archive; -EIO. On failure *db is NULL. */
int archive_index_open_read(sqlite3 **db, const char *folder);
/* The id of the segment, entered if it is new; *bytes: of it that the index knows. */
int archive_index_segment(sqlite3 *db, const char *name, uint64_t period_ns, int64_t *id,
                          uint64_t *bytes);
int archive_index_add(sqlite3 *db, int64_t segment, uint64_t offset, const struct block_head *head);
int archive_index_remove(sqlite3 *db, int64_t segment);
int archive_index_run(sqlite3 *db, const char *sql); /* without results */

/*
 * archive_store_repair.c: enters what the index lacks of the segments of a folder, in the order of
 * their names, and removes from it what is gone. *entered: blocks. 0 or -errno.
 */
int archive_store_repair(sqlite3 *db, const char *folder, uint64_t *entered);
/* The name of a segment, "spectra_1s_TIMENUMBER.fsa". Returns `into`. */
const char *archive_store_name(char *into, size_t size, uint64_t period_ns, const char *time,
                               const char *number);
/* Of the name of a segment; 0: it is no segment. */
uint64_t archive_store_period_of(const char *name);
/* Opens a segment to read, by a name of the index, which may be NULL. -errno as own_file_open. */
int archive_store_open_segment(const char *folder, const char *name);

#endif
