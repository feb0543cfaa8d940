/*
 * demod_rds_groups.h - blocks and groups of RDS, and what they say of a station. One thread each.
 *
 *     group   104 bits: blocks A, B, C, D
 *     block   16 bits, and 10 of a check word: the rest of a division by 0x5b9, xor the offset of
 *             the block's place, which shows where a group begins
 *
 * Synchronisation needs two valid blocks, a whole number of blocks apart. After that, errors of one
 * bit or of two adjacent bits are corrected. A value is published after it was received twice
 * identically, or completely: a programme identification (PI), a name (PS), a text (RT), and a time
 * (CT).
 *
 * Source: IEC 62106.
 */
#ifndef FFTD_DAEMON_DEMOD_DEMOD_RDS_GROUPS_H
#define FFTD_DAEMON_DEMOD_DEMOD_RDS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEMOD_RDS_NAME = 8, DEMOD_RDS_TEXT = 64 };

/* What is known of a station. Names and texts are UTF-8, "" if not known. */
struct demod_rds_station {
    int pi;             /* -1: not known */
    int programme_type; /* 0 .. 31; -1 */
    bool traffic;       /* it has traffic programmes */
    char name[3 * DEMOD_RDS_NAME + 1];
    char text[3 * DEMOD_RDS_TEXT + 1];
    int64_t time_s;              /* Unix time of the newest clock; 0: none */
    int offset_minutes;          /* of local time from UTC */
    uint32_t groups;             /* received whole */
    uint32_t blocks, bad_blocks; /* since they were found; those that could not be corrected */
};

struct demod_rds_groups {
    struct demod_rds_station station;
    uint32_t bits;              /* the newest 26 */
    bool in_step;               /* blocks are found */
    unsigned wait;              /* bits until the block ends */
    int place;                  /* of the block that ends then: 0 .. 3 */
    int seen_place;             /* of the newest block found while not in step; -1: none */
    unsigned since;             /* bits since it */
    unsigned recent;            /* bad ones among recent blocks, as 16 times a mean of 16 */
    uint16_t word[4];           /* of the group */
    unsigned have;              /* its blocks that are right, a bit each */
    bool version_b;             /* block C was that of version B */
    int pi_before, kind_before; /* of the group before: the latter programme type and traffic */
    char name[DEMOD_RDS_NAME];
    unsigned name_seen[DEMOD_RDS_NAME / 2]; /* how often alike */
    char text[DEMOD_RDS_TEXT];
    uint32_t text_seen; /* segments, a bit each */
    int text_flag;      /* the A/B flag: a change starts a new text; -1: none yet */
    size_t text_step;   /* characters of a segment: 4, version B 2 */
};

void demod_rds_groups_reset(struct demod_rds_groups *g);
/* Bits are missing before the next one. What is known of the station stays, until another one
 * comes. */
void demod_rds_groups_gap(struct demod_rds_groups *g);
void demod_rds_groups_bit(struct demod_rds_groups *g, unsigned bit);
/* The check word of 16 bits, without an offset. */
uint32_t demod_rds_check(uint32_t word);

#endif
