/*
 * row_line.h - a row of the archive as a line, for its replay. Pure.
 *
 * The line has the columns of the row as its bins. Its RBW is that of the bins that were received:
 * a column of several bins is wider than it. Its samples are not there, so position is UINT64_MAX.
 */
#ifndef FFTD_DAEMON_ARCHIVE_READ_ROW_LINE_H
#define FFTD_DAEMON_ARCHIVE_READ_ROW_LINE_H

#include "daemon/archive/store/block.h"
#include "daemon/calibration/active_calibration.h"

/* What the rows of a block have in common. */
struct row_facts {
    struct stream stream; /* tuning, gain, serial: of the radio that was archived */
    uint32_t fft_size, hop;
    double enbw_bins, width_3db_bins, bin_hz, usable_percent; /* of the bins that were received */
    uint32_t dwells;
    char window[32];
    size_t points; /* of the calibration that was in force; 0: none */
    struct calibration_point point[CALIBRATION_POINTS];
    uint32_t calibration; /* its number, for lines: set by the caller */
};

/* What the facts do not say is 0 or NAN. */
void row_facts_read(struct row_facts *out, const char *json);
/* Samples of a line in a second: its number of bins times their distance. */
double row_rate_hz(const struct archive_layout *layout);
struct line_shape row_shape(const struct archive_layout *layout);
/* All of a line that has this shape, but its levels, ledger, anchor and numbers. */
void row_describe(struct line *line, const struct row_facts *facts,
                  const struct archive_layout *layout, const struct archive_row *row);
/* Where the levels of the row are to be written, and from dB to power afterwards. */
struct block_levels row_levels(const struct line *line);
void row_to_power(const struct line *line);

#endif
