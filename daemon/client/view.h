/*
 * view.h - a line as one browser displays it: a range of frequencies with a number of columns.
 * Loop thread; nothing here blocks.
 *
 *     line      bins   | 0 | 1 | 2 | ...                                      | n-1 |
 *     view              low .................... high, with `columns` columns
 *     grid            |first|        bins        |     whole bins, clipped to the span
 *     picture           | 0 | 1 | ... | columns-1  |     column = the largest of its bins, or
 *                                                    another reduction (view_reduce.h)
 *
 * Bin k covers (k - n/2 +- 0.5) * rate / n Hz from the centre. It belongs to the column that
 * contains its centre. A view with fewer bins than columns gets one column for each bin.
 *
 * A picture is the fold of one or more lines through one view, in linear power: the mean weighted
 * by frames, the maximum, the minimum, or the newest line (sample), selected by the view's
 * detector.
 */
#ifndef FFTD_DAEMON_CLIENT_VIEW_H
#define FFTD_DAEMON_CLIENT_VIEW_H

#include "daemon/client/view_reduce.h"
#include "daemon/client/view_trace.h"
#include "daemon/wire/wire.h"

struct view {
    double low_hz, high_hz;    /* NAN: that edge of the span */
    uint32_t columns;          /* requested, 1 .. WIRE_COLUMNS_MAX (more for /api/v1/spectrum) */
    unsigned detector;         /* detector index; with `percent`: PERCENTILE_DETECTOR */
    double percent;            /* a percentile of the density; 0: none */
    enum reduction reduction;  /* of bins to columns */
    struct trace_choice trace; /* of the lines of that detector */
    enum reference_math math;  /* of that trace and the reference */
    char reference[REFERENCE_NAME];
    enum wire_coding coding;
    double step_db;    /* the least distance of two levels; 0: as fine as they are */
    uint32_t trace_id; /* of the client's view_trace; 0: clear/write. Set by the feed */
};

bool view_same(const struct view *a, const struct view *b);

/* Whether some of the view is within the span of the line. */
bool view_meets(const struct view *v, const struct line *line);
/* A view outside of the span (the radio was retuned) shows the whole span. */
void view_make_grid(const struct view *v, const struct line *line, struct view_grid *out);
/*
 * Writes the largest power of each column to power[columns]. Reads the line's pyramid: at most
 * 2 log2(bins / columns) + 2 values for each column. The line must have the detector.
 */
void view_render(const struct view_grid *p, const struct line *line, unsigned detector,
                 float *power);

/* The bin of the line that has the column's largest power; of equal ones the leftmost. */
uint32_t view_column_peak(const struct view_grid *p, const struct line *line, unsigned detector,
                          uint32_t column);

struct picture {
    struct wire_header header; /* complete but for the view's number and the level scale */
    struct view_grid grid;
    uint32_t epoch, capacity; /* capacity: columns that `power` can hold */
    enum reduction reduction;
    bool is_trace; /* of a trace, which holds all lines: a fold is the newest */
    float *power;  /* [header.columns] linear */
    float *bins;   /* [grid.bins] folded; NULL: only columns are folded */
};

int picture_init(struct picture *p, uint32_t capacity); /* 0 or -ENOMEM */
void picture_finish(struct picture *p);                 /* zeroed or finished is fine */
/* Renders one line. line_rate_hz is for the header. `capacity` must be at least v->columns. */
void picture_render(struct picture *p, const struct view *v, const struct line *line,
                    double line_rate_hz);
void picture_copy(struct picture *into, const struct picture *from); /* of equal room */
/* True if `next` can be folded in: it has the same bins and the same radio settings. */
bool picture_fits(const struct picture *p, const struct picture *next);
/* The largest column; of equal ones the leftmost. */
uint32_t picture_largest_column(const struct picture *p);

/*
 * view_fold.c. Folds in `next`, the picture of the one later line `line`; they must fit.
 *
 * With bins, columns and peak are out of date until picture_update_columns. Without bins, columns
 * are folded: for a mean or a minimum of several bins a column this reads too high. With another
 * reduction than peak the peak is then that of the newest line.
 */
void picture_fold(struct picture *p, const struct picture *next, const struct line *line);
void picture_update_columns(struct picture *p);
/* True if an exact fold needs the bins and the picture does not have them yet. */
bool picture_needs_bins(const struct picture *p);
/* Copies the bins of `line`, which p is the picture of. 0 or -ENOMEM. */
int picture_keep_bins(struct picture *p, const struct line *line);

#endif
