/*
 * row.h - writes one line of spectrum as one row of text, as CSV or JSON.
 *
 * Levels are in dBFS (but see row_csv_mhz), scaled for tones: a full-scale complex tone reads 0.00.
 * A power of zero reads -300.00. In CSV, bin k is at low + k * step. In JSON, bin k covers low_hz +
 * k * column_hz to low_hz + (k + 1) * column_hz. Bin n/2 is around the centre frequency.
 */
#ifndef FFTD_DAEMON_OUTPUT_ROW_H
#define FFTD_DAEMON_OUTPUT_ROW_H

#include <stdint.h>

#include "daemon/base/text.h"
#include "daemon/measure/calibrator.h"

/* What a row shows: one line, or several lines that a slow output folded. */
struct row {
    const struct line *line; /* the newest: source of all that is not summed */
    const float *power;      /* [n] of the chosen detector */
    unsigned detector_index;
    uint64_t first_sample, sample_count, frames;
    int64_t time_ns;
    uint32_t merged;                       /* lines */
    struct calibration_table *calibration; /* held by the caller; NULL: none */
};

/*
 * Where the rate of a recording is assumed (stream/tuning.h), nothing looks like a frequency in Hz:
 * CSV has fractions of the rate, -0.5 to 0.5, and JSON null.
 *
 * The columns of rtl_power: date, time (UTC, microseconds), Hz low, Hz high, Hz step, samples, and
 * exactly n levels in dB.
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
 * n rows of two columns, without a time: MHz and level, in dBm if every bin's frequency is
 * calibrated, else in dBFS.
 */
void row_csv_mhz(struct text *out, const struct row *row);
enum csv_form { CSV_RTL_POWER, CSV_HACKRF_SWEEP, CSV_MHZ_DBM };
typedef void row_writer(struct text *out, const struct row *row);
row_writer *row_csv_writer(enum csv_form form, bool seconds);

/*
 * One object on one line of text; the levels are its last member. offset_db is that of the centre
 * frequency.
 */
void row_json(struct text *out, const struct row *row);

#endif
