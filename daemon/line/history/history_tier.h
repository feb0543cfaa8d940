/* history_tier.h - a tier: rows in a ring of bytes, and the fold of rows into longer ones. */
#ifndef FFTD_DAEMON_LINE_HISTORY_HISTORY_TIER_H
#define FFTD_DAEMON_LINE_HISTORY_HISTORY_TIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/line/history/history_row.h"

/* A stored row; its levels follow, [detectors present][row.columns]. */
struct record {
    size_t size;     /* with its levels, a multiple of 8 */
    size_t previous; /* where the row before it is, if that is still there */
    struct history_row row;
    uint8_t levels[];
};

/* Rows being folded, in linear power. */
struct fold {
    struct history_row row;          /* lines 0: nothing yet */
    float *power[HISTORY_DETECTORS]; /* [columns_max] */
};

struct tier {
    uint8_t *memory; /* [capacity] */
    size_t capacity;
    size_t oldest, end,
        next; /* records from `oldest`; wrapped: up to `end`, then from 0 to `next` */
    size_t newest;
    bool wrapped;
    uint64_t count;
    uint32_t folded;  /* rows in `fold` */
    struct fold fold; /* of rows of the tier before; unused in tier 0 */
};

/* Adds a row and its powers; drops as many old rows as it takes. */
void tier_push(struct tier *t, const struct fold *f);
struct record *tier_newest(const struct tier *t); /* NULL: none */
struct record *tier_oldest(const struct tier *t);
/* The row before; NULL: r is the oldest. */
struct record *tier_before(const struct tier *t, const struct record *r);
const uint8_t *record_levels(const struct record *r, unsigned detector);

bool fold_fits(const struct fold *f, const struct history_row *row);
/* Adds a row of powers to a fold that it fits: mean weighted by frames, maximum, minimum. */
void fold_add(struct fold *f, const struct fold *next);

#endif
