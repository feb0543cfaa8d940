/*
 * row.h - writes one line of spectrum as one row of text, as CSV or JSON.
 *
 * Levels are scaled for tones: a full-scale complex tone reads 0 dBFS. row_csv, row_csv_seconds and
 * row_csv_hackrf have dBFS; row_csv_mhz and row_json the unit of level_scale.h: dBFS, dBm or dBuV.
 * A power of zero reads -300.00 dBFS. A row has the bins of the usable band (line_usable_bins). In
 * CSV, its bin k is at low + k * step. In JSON, bin k begins at low_hz + k * column_hz and is
 * column_hz wide. Pure, any thread.
 */
#ifndef FFTD_DAEMON_OUTPUT_ROW_H
#define FFTD_DAEMON_OUTPUT_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/base/text.h"
#include "daemon/calibration/active_calibration.h"

/* What a row shows: one line, or several lines that a slow output folded. */
struct row {
    const struct line *line; /* the newest: source of all that is not summed */
    const float *power;      /* [n] of the chosen detector */
    unsigned detector_index;
    uint64_t first_sample, sample_count, frames;
    int64_t time_ns;
    uint32_t merged;                       /* lines */
    struct calibration_table *calibration; /* held by the caller; NULL: none */
    const char *events;                    /* a JSON array of the complete events; NULL: none */
};

/*
 * Where the rate of a recording is assumed (stream/tuning.h), nothing looks like a frequency in Hz:
 * CSV has fractions of the rate, -0.5 to 0.5, and JSON null.
 *
 * The columns of rtl_power: date, time (UTC, microseconds), Hz low, Hz high, Hz step, samples, and
 * exactly as many levels in dB.
 */
void row_csv(struct text *out, const struct row *row);
/* The same with the time in whole seconds, rounded down, as rtl_power writes it. */
void row_csv_seconds(struct text *out, const struct row *row);
/*
 * The columns of hackrf_sweep: date, time (UTC, microseconds), Hz low, Hz high, Hz step, samples,
 * and levels in dB. Several rows of at most 5 MHz with the same time.
 */
void row_csv_hackrf(struct text *out, const struct row *row);
/*
 * A row of two columns for each bin, without a time: MHz and level, in dBm or dBuV if every bin's
 * frequency is calibrated, else in dBFS.
 */
void row_csv_mhz(struct text *out, const struct row *row);
/* Date and time of a row, as two columns. Returns `into`. */
enum { ROW_CSV_TIME = 64 };
const char *row_csv_time(int64_t time_ns, bool seconds, char into[ROW_CSV_TIME]);
enum csv_form { CSV_RTL_POWER, CSV_HACKRF_SWEEP, CSV_MHZ_DBM };
typedef void row_writer(struct text *out, const struct row *row);
row_writer *row_csv_writer(enum csv_form form, bool seconds);

/*
 * One object on one line of text; `unit` is that of its levels, the last member. offset_db is that
 * of the centre frequency.
 */
void row_json(struct text *out, const struct row *row);

#endif
