/* tiers.h - the rows of all tiers on their way to the disk. One thread uses them. */
#ifndef FFTD_DAEMON_ARCHIVE_WRITE_TIERS_H
#define FFTD_DAEMON_ARCHIVE_WRITE_TIERS_H

#include "daemon/archive/archive_options.h"
#include "daemon/archive/store/archive_store.h"
#include "daemon/archive/write/archive_fold.h"

struct tiers;

struct tiers_totals {
    uint64_t rows, lost_rows;
    int failure; /* -errno of the newest block; 0: it was written */
};

/* The store must outlive them. -ENOMEM. */
int tiers_create(struct tiers **out, struct archive_store *store,
                 const struct archive_options *options);
void tiers_destroy(struct tiers *t); /* NULL is fine */
/* Adds a line to the finest tier. */
void tiers_add(struct tiers *t, const struct archive_fold_row *line);
/* Writes blocks of the finest tier that began before this time of the steady clock. */
void tiers_flush_before(struct tiers *t, uint64_t steady_ns);
void tiers_flush(struct tiers *t); /* writes everything */
/* Folds the rows that a kill kept from the coarser tiers. Call it before the first line. 0 or
 * -errno. */
int tiers_catch_up(struct tiers *t);
void tiers_totals(const struct tiers *t, struct tiers_totals *out);

#endif
