/*
 * density_text.h - a density as JSON or as a picture. Pure, any thread.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_DENSITY_TEXT_H
#define FFTD_DAEMON_HTTP_STREAM_DENSITY_TEXT_H

#include "daemon/base/text.h"
#include "daemon/line/density_sum.h"

/* One object: the columns and levels, and the hits as an array of levels for each column. */
void density_write_json(struct text *out, const struct density *d);
/*
 * A picture of columns x levels pixels, high levels on top. Colours show the share of frames on a
 * logarithmic scale from 0.01 % to 100 %; black: no hit.
 */
void density_write_png(struct text *out, const struct density *d);

#endif
