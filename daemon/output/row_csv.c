/* row_csv.c - formats rows as CSV, in the forms of rtl_power, hackrf_sweep and frequency planners.
 */
#include <math.h>
#include <time.h>

#include "daemon/base/level.h"
#include "daemon/base/unix_time.h"
#include "daemon/output/row.h"

/* Frequency of bin 0 and distance of two bins; fractions of the rate if that is assumed. */
struct scale {
    double low, step;
};

static struct scale scale_of(const struct line *line)
{
    if (line->rate_assumed)
        return (struct scale){-0.5, 1.0 / line->n};
    return (struct scale){line_low_hz(line), line_bin_hz(line)};
}

static void add_csv(struct text *out, const struct row *row, const char *time)
{
    const struct line *line = row->line;
    const struct scale scale = scale_of(line);
    text_add(out, "%s, %.12g, %.12g, %.12g, %llu, ", time, scale.low,
             scale.low + scale.step * line->n, scale.step, (unsigned long long)row->sample_count);
    level_add_list(out, row->power, line->n, ", ");
    text_add(out, "\n");
}

static const char csv_time[] = "%Y-%m-%d, %H:%M:%S";

void row_csv(struct text *out, const struct row *row)
{
    char time[UNIX_TIME_TEXT];
    add_csv(out, row, unix_time_text(row->time_ns, csv_time, time));
}

void row_csv_seconds(struct text *out, const struct row *row)
{
    char time[UNIX_TIME_TEXT];
    const struct unix_stamp stamp = unix_time_stamp(row->time_ns);
    strftime(time, sizeof time, csv_time, &stamp.tm);
    add_csv(out, row, time);
}

/*
 * hackrf_sweep delivers spans of 20 MHz as rows of 5 MHz with a common time. Bins do not divide 5
 * MHz at every rate: a row has as many whole bins as fit, and at least one.
 */
void row_csv_hackrf(struct text *out, const struct row *row)
{
    const struct line *line = row->line;
    const struct scale scale = scale_of(line);
    const double piece_hz = 5e6, fit = line->rate_assumed ? line->n : piece_hz / scale.step;
    const uint32_t bins = fit < 1 ? 1 : fit < line->n ? (uint32_t)(fit + 1e-6) : line->n;
    const char *form =
        line->rate_assumed ? "%s, %.12g, %.12g, %.12g, %llu, " : "%s, %.0f, %.0f, %.2f, %llu, ";
    char time[UNIX_TIME_TEXT];
    unix_time_text(row->time_ns, csv_time, time);
    for (uint32_t k = 0; k < line->n; k += bins) {
        const uint32_t count = bins < line->n - k ? bins : line->n - k;
        const double low = scale.low + k * scale.step;
        text_add(out, form, time, low, low + count * scale.step, scale.step,
                 (unsigned long long)row->sample_count);
        level_add_list(out, row->power + k, count, ", ");
        text_add(out, "\n");
    }
}

row_writer *row_csv_writer(enum csv_form form, bool seconds)
{
    static row_writer *const writers[] = {row_csv, row_csv_hackrf, row_csv_mhz};
    return form == CSV_RTL_POWER && seconds ? row_csv_seconds : writers[form];
}

/* A file has one unit. */
static bool is_calibrated(const struct calibration_radio *radio, const struct line *line)
{
    for (uint32_t k = 0; radio->table && k < line->n; k++)
        if (isnan(calibration_radio_offset_db(radio, line_low_hz(line) + k * line_bin_hz(line))))
            return false;
    return radio->table;
}

void row_csv_mhz(struct text *out, const struct row *row)
{
    const struct scale scale = scale_of(row->line);
    const struct calibration_radio radio = calibration_radio_of(row->calibration, row->line);
    const double unit = row->line->rate_assumed ? 1 : 1e6;
    const bool calibrated = is_calibrated(&radio, row->line);
    for (uint32_t k = 0; k < row->line->n; k++) {
        const double at = scale.low + k * scale.step;
        const double offset_db = calibrated ? calibration_radio_offset_db(&radio, at) : 0;
        text_add(out, "%.6f,", at / unit);
        text_add_level(out, level_dbfs(row->power[k]) + offset_db);
        text_add(out, "\n");
    }
}
