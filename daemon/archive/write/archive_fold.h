/*
 * archive_fold.h - lines as rows of columns in linear power, and the fold of rows into longer ones.
 * Pure.
 *
 * One rule applies in frequency and in time: the mean is weighted by frames, the maximum is the
 * largest, the minimum the smallest.
 */
#ifndef FFTD_DAEMON_ARCHIVE_WRITE_ARCHIVE_FOLD_H
#define FFTD_DAEMON_ARCHIVE_WRITE_ARCHIVE_FOLD_H

#include "daemon/archive/archive.h"
#include "daemon/archive/facts.h"
#include "daemon/calibration/active_calibration.h"
#include "daemon/line/line.h"

/* A row that is being folded; row.lines 0: nothing yet. */
struct archive_fold_row {
    struct archive_layout layout;
    char facts[ARCHIVE_FACTS];
    struct archive_row row;
    float *power[ARCHIVE_DETECTORS]; /* [columns] */
};

/* Memory for rows of this many columns. -ENOMEM: call finish nevertheless. */
int archive_fold_init(struct archive_fold_row *f, uint32_t columns);
void archive_fold_finish(struct archive_fold_row *f); /* zeroed is fine */

/* True: columns of both have the same frequencies. */
bool archive_layout_equal(const struct archive_layout *a, const struct archive_layout *b);
/* True: rows of both may be folded and be in one block. */
bool archive_fold_fits(const struct archive_fold_row *f, const struct archive_fold_row *next);
void archive_fold_add(struct archive_fold_row *f, const struct archive_fold_row *next);

/* What a line is compared with, to find losses and changes. Zeroed at first. */
struct archive_fold_state {
    struct ledger ledger;
    bool known;
    struct facts facts; /* the owner finishes them */
};
/*
 * Takes a line into *f, at most columns_max columns of equally many bins. missed: lines before it
 * were never seen. False: it has no detector that the archive keeps.
 */
bool archive_fold_take_line(struct archive_fold_row *f, struct archive_fold_state *state,
                            const struct line *line, struct calibration_table *table,
                            uint32_t columns_max, bool missed);

#endif
