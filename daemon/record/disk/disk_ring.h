/*
 * disk_ring.h - the last samples of all epochs in a file of fixed size, in blocks.
 *
 *     file    block 0 | block 1 | ... | block n - 1        DISK_BLOCK bytes each
 *     block   header of DISK_HEADER bytes | samples as the stream delivered them
 *
 * The samples of a block have no gap. Its header describes them and has a hash. The header is
 * written again after the samples, and made invalid before the block is overwritten: a valid header
 * is always true, also after the process was killed. Sequence numbers give the order of the blocks.
 * Only the version of fftd that wrote a file reads it.
 *
 * One thread writes. Any thread reads; samples that are overwritten during the read are refused.
 */
#ifndef FFTD_DAEMON_RECORD_DISK_DISK_RING_H
#define FFTD_DAEMON_RECORD_DISK_DISK_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/record/disk/disk_piece.h"

#define DISK_RING_FILE "fftd.iq-history"
#define DISK_RING_MIN  (UINT64_C(16) * DISK_BLOCK)

struct disk_ring;

/*
 * Opens the file in the folder, or creates it, with all of its space. A file of another size or
 * version starts empty. -ENOSPC, -EBUSY: another fftd has it, or another -errno, with one line in
 * *why.
 */
int disk_ring_open(struct disk_ring **out, const char *folder, uint64_t bytes, struct reason *why);
void disk_ring_close(struct disk_ring *d);         /* NULL is fine */
uint64_t disk_ring_run(const struct disk_ring *d); /* of this process */

/* ---- the writer ---- */

/* The samples written next begin a block. `piece` describes the first; sequence and run are set. */
void disk_ring_begin(struct disk_ring *d, const struct disk_piece *piece);
/* -errno: the samples are not in the ring. */
int disk_ring_write(struct disk_ring *d, const void *samples, uint64_t count);

/* ---- readers ---- */

/* The piece of an epoch that has the position, or the next one after it. False: none. */
bool disk_ring_find(struct disk_ring *d, uint64_t run, uint32_t epoch, uint64_t position,
                    struct disk_piece *out);
/* The newest piece that begins at or before a time, and has samples of known time. */
bool disk_ring_find_time(struct disk_ring *d, int64_t time_ns, struct disk_piece *out);
/* -ESTALE: the samples were overwritten. Otherwise 0 or -errno. */
int disk_ring_read(struct disk_ring *d, const struct disk_piece *piece, uint64_t position,
                   uint64_t count, void *into);

struct disk_ring_state {
    uint64_t bytes, used_bytes; /* of samples */
    double seconds;             /* of samples */
    int64_t oldest_ns;          /* of the oldest sample; 0: not known */
};
void disk_ring_state(struct disk_ring *d, struct disk_ring_state *out);

#endif
