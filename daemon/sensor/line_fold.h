/*
 * line_fold.h - the lines that wait to be published, as one picture. One thread.
 *
 *     render(line) -> fits? no: encode, which clears -> add
 *
 * Memory: one picture with the bins of a line, and the newest line, as a reference.
 */
#ifndef FFTD_DAEMON_SENSOR_LINE_FOLD_H
#define FFTD_DAEMON_SENSOR_LINE_FOLD_H

#include "daemon/client/view_encode.h"
#include "daemon/line/line_ring.h"

struct line_fold {
    struct line_ring *ring;
    struct view view;
    struct picture pending, next;
    struct line *newest; /* a reference; NULL: none */
    uint32_t lines;      /* in `pending` */
    struct view_encoder encoder;
    uint32_t complete_base;  /* base of the last complete frame; 0: none */
    uint64_t complete_at_ns; /* when the next one is due */
};

/* -ENOMEM. Lines have the whole span, of this detector. */
int line_fold_init(struct line_fold *f, struct line_ring *ring, uint32_t columns, unsigned detector,
                   double step_db);
void line_fold_finish(struct line_fold *f); /* zeroed or finished is fine */

/* False: the line lacks the detector. line_rate_hz: that the daemon computes. */
bool line_fold_render(struct line_fold *f, const struct line *line, double line_rate_hz);
bool line_fold_fits(const struct line_fold *f); /* the rendered line fits the waiting ones */
void line_fold_add(struct line_fold *f, struct line *line); /* the rendered one; takes it over */
/*
 * A range-coded frame of the lines that wait; then none wait. It is complete, with its base, if the
 * base is new, once a period, and always after line_fold_need_base. NULL: no memory.
 */
struct ws_message *line_fold_encode(struct line_fold *f);
void line_fold_need_base(struct line_fold *f);

#endif
