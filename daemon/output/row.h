/*
 * row.h - one line of spectrum as one row of text: CSV and JSON.
 *
 * Levels are tone-scaled dBFS (a full-scale complex tone reads 0.00); nothing at all reads -300.00.
 * Bin k lies at low + k * step, the centre frequency at bin n/2.
 */
#ifndef FFTD_DAEMON_OUTPUT_ROW_H
#define FFTD_DAEMON_OUTPUT_ROW_H

#include <stdint.h>

#include "daemon/base/text.h"
#include "daemon/line/line.h"

/* What a row shows: one line, or several folded by an output that fell behind. */
struct row {
    const struct line *line; /* the newest, for everything that does not add up */
    const float *power;      /* [n] of the chosen trace */
    unsigned trace_index;
    uint64_t first_sample, sample_count, frames;
    int64_t time_ns;
    uint32_t merged; /* lines */
};

/*
 * rtl_power's columns: date, time (UTC, microseconds), Hz low, Hz high, Hz step, samples, dB...;
 * exactly n levels.
 */
void row_csv(struct text *out, const struct row *row);
/* One object a line; levels last. */
void row_json(struct text *out, const struct row *row);

#endif
