/*
 * block.h - a block of the archive: rows of levels as bytes, and back. Pure, any thread.
 *
 * Levels are quantised. With the step S of the archive, in dB:
 *
 *     mean   exact to S / 2
 *     max    exact to S
 *     min    with the mean: its distance D below the mean is exact to
 *            (5 dB + D) (exp(0.3 S / dB) - 1); without the mean: exact to S
 *
 * The minimum of N frames of noise lies 10 log N dB below the mean, and its logarithm spreads by
 * 5.6 dB however large N is. Most of its digits are noise, which would cost more bytes than the
 * mean and the maximum together. Its step therefore grows with the distance.
 *
 * The numbers of a column are differences from that column's base, the median of the block. Three
 * differences share a byte; what does not fit follows as a variable-length integer. zstd's Huffman
 * code then comes close to the entropy. docs/archive.md has the format byte by byte.
 */
#ifndef FFTD_DAEMON_ARCHIVE_STORE_BLOCK_H
#define FFTD_DAEMON_ARCHIVE_STORE_BLOCK_H

#include <stddef.h>

#include "daemon/archive/archive.h"
#include "daemon/base/text.h"

enum { BLOCK_HEAD = 72 };

/* The head of a block, which needs no decompression. */
struct block_head {
    uint32_t size;     /* of the block, with its head */
    uint32_t raw_size; /* of the payload before compression */
    uint32_t checksum; /* CRC-32 of all bytes after it */
    uint64_t period_ns;
    int64_t start_ns, end_ns; /* start of the first row, the latest end of a row */
    struct archive_layout layout;
    uint32_t rows;
    float step_db;
};

/* Appends a block to `out`, which fails (out->failed) without memory. rows->count is not 0. */
void block_write(struct text *out, const struct archive_rows *rows, uint64_t period_ns,
                 float step_db);
/* -EBADMSG: these bytes are no head of a block. */
int block_read_head(const uint8_t bytes[BLOCK_HEAD], struct block_head *out);
/* -EBADMSG: the block is damaged. */
int block_check(const uint8_t *bytes, const struct block_head *head);

/* A block that is being read, row by row. */
struct block_reader {
    struct block_head head;
    char *facts;
    struct archive_row *row; /* [head.rows] */
    /* private */
    uint8_t *raw;
    const uint8_t *symbol;                    /* of the next row */
    const uint8_t *escape[ARCHIVE_DETECTORS]; /* of the next row */
    const uint8_t *escapes_end[ARCHIVE_DETECTORS];
    float *base[ARCHIVE_DETECTORS]; /* [columns]: dB; of the minimum below a mean: exp(g / K) */
    float *base_power;              /* [columns] of the mean */
    float *mean;                    /* [columns] in dB, of the row that is read */
    float *memory;
    uint32_t next;
};

/* Reads a whole block. -EBADMSG: it is damaged; -ENOMEM. On failure there is nothing to finish. */
int block_open(struct block_reader *r, const uint8_t *bytes, size_t size);
void block_finish(struct block_reader *r); /* zeroed is fine */
/*
 * The levels of the next row, [columns] each; NULL: not wanted. mean_power is linear, the others
 * are in dB. Arrays of absent detectors are left as they are. A detector that is wanted is wanted
 * from the first row on, because its escapes are read in order. -EBADMSG: the block is damaged.
 */
struct block_levels {
    float *mean_power, *mean_db, *max_db, *min_db;
};
int block_next_row(struct block_reader *r, const struct block_levels *out);

#endif
