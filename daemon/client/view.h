/*
 * view.h - a line as one browser sees it: a piece of the span at its own number of pixels.
 *
 *     line      bins   | 0 | 1 | 2 | ...                                      | n-1 |
 *     view              low .................... high, so many columns
 *     grid            |first|        bins        |     whole bins, clipped to the span
 *     picture           | 0 | 1 | ... | columns-1  |     column = the largest of its bins
 *
 * Bin k covers (k - n/2 +- 0.5) * rate / n Hz from the centre; it belongs to the column in which
 * its centre lies. Where a view has fewer bins than columns were asked for, columns are bins.
 *
 * A picture is the fold of one or more lines through one view, still in linear power: mean
 * weighted by frames, max, min, or the newest line's (sample), as the view's trace says. Columns
 * are folded after rendering, so a mean over several lines is the mean of the columns' largest
 * bins. Used on the loop thread; nothing here blocks.
 */
#ifndef FFTD_DAEMON_CLIENT_VIEW_H
#define FFTD_DAEMON_CLIENT_VIEW_H

#include "daemon/wire/wire.h"

struct view {
    double low_hz, high_hz; /* NAN: that edge of the span */
    uint32_t columns;       /* wanted, 1 .. WIRE_COLUMNS_MAX (more for /api/spectrum) */
    unsigned trace;         /* trace index */
};

bool view_same(const struct view *a, const struct view *b);

/* Where a view lies on a line. */
struct view_grid {
    uint32_t first, bins;     /* of the line's */
    uint32_t columns;         /* <= bins */
    double low_hz, column_hz; /* left edge of column 0, width of a column */
};

/* A view that holds nothing of the span (the radio was tuned away) shows the whole span. */
void view_make_grid(const struct view *v, const struct line *line, struct view_grid *out);
/*
 * The largest power of each column -> power[columns], through the line's pyramid: at most
 * 2 log2(bins / columns) + 2 reads a column. The line must have the trace.
 */
void view_render(const struct view_grid *p, const struct line *line, unsigned trace, float *power);
/*
 * First bin of a column, from the view's first: the smallest j with its centre (j + 1/2) * columns
 * >= column * bins. At column = columns it is `bins`.
 */
uint32_t view_column_start(const struct view_grid *p, uint32_t column);
/* The bin that made column `column`; of equals the leftmost. */
uint32_t view_column_peak(const struct view_grid *p, const struct line *line, unsigned trace,
                          uint32_t column);

struct picture {
    struct wire_header header; /* complete but for the view's number and the level scale */
    struct view_grid grid;
    uint32_t epoch, room; /* room: columns that `power` can hold */
    float *power;         /* [header.columns] linear */
    float *bins;          /* [grid.bins] folded, or NULL: then the columns are */
};

int picture_init(struct picture *p, uint32_t room); /* 0 or -ENOMEM */
void picture_finish(struct picture *p);             /* zeroed or finished is fine */
/* One line as a picture; line_rate_hz is for the header. room must be at least v->columns. */
void picture_render(struct picture *p, const struct view *v, const struct line *line,
                    double line_rate_hz);
void picture_copy(struct picture *into, const struct picture *from); /* equal room */
/* True if `next` can be folded in: the same bins of the same radio settings. */
bool picture_fits(const struct picture *p, const struct picture *next);
/* The largest column; of equals the leftmost. */
uint32_t picture_largest_column(const struct picture *p);

/*
 * view_fold.c. Folds `next`, the picture of the one later line `line`, in. They must fit. With bins
 * the columns and the peak are not true again before picture_update_columns; without, the columns
 * are folded, which for a mean or a min of several bins a column reads too high.
 */
void picture_fold(struct picture *p, const struct picture *next, const struct line *line);
void picture_update_columns(struct picture *p);
/* Does folding want the bins of the line that p is the picture of? */
bool picture_needs_bins(const struct picture *p);
int picture_keep_bins(struct picture *p, const struct line *line); /* 0 or -ENOMEM */

#endif
