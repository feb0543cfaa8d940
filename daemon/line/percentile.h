/*
 * percentile.h - a percentile of a line as a line: each bin has the level of its density column.
 *
 * One thread at a time. A zeroed struct is empty.
 */
#ifndef FFTD_DAEMON_LINE_PERCENTILE_H
#define FFTD_DAEMON_LINE_PERCENTILE_H

#include "daemon/line/density_sum.h"

struct percentile {
    struct density density; /* of the newest line */
    struct line *line; /* its percentile, in the detector PERCENTILE_DETECTOR; NULL: none yet */
};

/* -ENODATA: the line has no density; -ENOMEM. */
int percentile_update(struct percentile *p, const struct line *line, double percent);
/* Memory for lines of n bins and this density, without the struct itself. */
size_t percentile_bytes(uint32_t n, const struct fft_density *density);
void percentile_finish(struct percentile *p); /* zeroed is fine */

/*
 * *at becomes a line with the bins of `line`, its description, and one detector, whose levels are
 * not set. *at may be NULL, or another such line. -ENOMEM.
 */
int line_describe(struct line **at, const struct line *line, unsigned detector);

#endif
