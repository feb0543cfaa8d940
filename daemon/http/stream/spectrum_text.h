/*
 * spectrum_text.h - /api/v1/spectrum as text: a line through a view, as JSON or CSV. Pure, any
 * thread.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_SPECTRUM_TEXT_H
#define FFTD_DAEMON_HTTP_STREAM_SPECTRUM_TEXT_H

#include "daemon/base/text.h"
#include "daemon/calibration/active_calibration.h"
#include "daemon/client/view.h"
#include "daemon/http/query.h"
#include "daemon/line/density_sum.h"
#include "daemon/line/history/history.h"

struct reason;

enum { SPECTRUM_COLUMNS_MAX = 65536 };

struct spectrum_query {
    struct view view;
    bool csv;     /* else JSON */
    bool gzip;    /* compressed (RFC 1952) */
    bool density; /* of this persistence (line/density.h), in place of a spectrum */
    bool png;     /* a picture of it, else JSON */
    double persistence_s;
    bool history; /* these rows (history_service.h), in place of a spectrum */
    bool binary;  /* as a frame, else JSON */
    struct history_query rows;
};

/* Parameters that are absent leave *w as it is. 0, or -EINVAL with one line in *why. */
int spectrum_parse(struct spectrum_query *w, const struct query *q, struct reason *why);
/*
 * The line must be held and have the detector. table: may be NULL. reference: NULL without math.
 * 0, -ENOMEM, or -ENODATA or -ERANGE as view_line_create.
 */
int spectrum_write(struct text *out, const struct spectrum_query *w, const struct line *line,
                   struct calibration_table *table, const struct reference *reference,
                   struct reason *why);
int spectrum_write_density(struct text *out, const struct spectrum_query *w,
                           const struct density *density);

/* Replaces the text by its gzip form: 0 or -ENOMEM. */
int spectrum_compress(struct text *t);

#endif
