/* row_csv.c - formats rows as CSV, in the forms of rtl_power, hackrf_sweep and frequency planners.
 */
#include <math.h>
#include <time.h>

#include "daemon/base/level.h"
#include "daemon/base/unix_time.h"
#include "daemon/calibration/level_scale.h"
#include "daemon/output/row.h"

/* The bins of the usable band: frequency of the first; fractions of the rate if that is assumed. */
struct scale {
    double low, step;
    uint32_t first, count;
};

static struct scale scale_of(const struct line *line)
{
    const struct line_bins usable = line_usable_bins(line);
    const double low = line->rate_assumed ? -0.5 : line_low_hz(line);
    const double step = line->rate_assumed ? 1.0 / line->n : line_bin_hz(line);
    return (struct scale){.low = low + usable.first * step,
                          .step = step,
                          .first = usable.first,
                          .count = usable.last - usable.first + 1};
}

static void add_csv(struct text *out, const struct row *row, const char *time)
{
    const struct scale scale = scale_of(row->line);
    char step[NUMBER_TEXT];
    text_add(out, "%s, ", time);
    text_add_edge(out, scale.low, row->line->rate_assumed);
    text_add_edge(out, scale.low + scale.step * scale.count, row->line->rate_assumed);
    text_add(out, "%s, %llu, ", number_text(scale.step, step),
             (unsigned long long)row->sample_count);
    level_add_list(out, row->power + scale.first, scale.count, ", ");
    text_add(out, "\n");
}

_Static_assert((int)ROW_CSV_TIME >= (int)UNIX_TIME_TEXT, "unix_time_text writes as much");

const char *row_csv_time(int64_t time_ns, bool seconds, char into[ROW_CSV_TIME])
{
    static const char form[] = "%Y-%m-%d, %H:%M:%S";
    const struct unix_stamp stamp = unix_time_stamp(time_ns);
    if (!seconds)
        return unix_time_text(time_ns, form, into);
    strftime(into, ROW_CSV_TIME, form, &stamp.tm);
    return into;
}

void row_csv(struct text *out, const struct row *row)
{
    char time[ROW_CSV_TIME];
    add_csv(out, row, row_csv_time(row->time_ns, false, time));
}

void row_csv_seconds(struct text *out, const struct row *row)
{
    char time[ROW_CSV_TIME];
    add_csv(out, row, row_csv_time(row->time_ns, true, time));
}

/*
 * hackrf_sweep delivers spans of 20 MHz as rows of 5 MHz with a common time. Bins do not divide 5
 * MHz at every rate: a row has as many whole bins as fit, and at least one.
 */
void row_csv_hackrf(struct text *out, const struct row *row)
{
    const struct line *line = row->line;
    const struct scale scale = scale_of(line);
    const double piece_hz = 5e6, fit = line->rate_assumed ? scale.count : piece_hz / scale.step;
    const uint32_t bins = fit < 1 ? 1 : fit < scale.count ? (uint32_t)(fit + 1e-6) : scale.count;
    char time[ROW_CSV_TIME], step[NUMBER_TEXT];
    if (line->rate_assumed)
        number_text(scale.step, step);
    else
        snprintf(step, sizeof step, "%.2f", scale.step);
    row_csv_time(row->time_ns, false, time);
    for (uint32_t k = 0; k < scale.count; k += bins) {
        const uint32_t count = bins < scale.count - k ? bins : scale.count - k;
        const double low = scale.low + k * scale.step;
        text_add(out, "%s, ", time);
        text_add_edge(out, low, line->rate_assumed);
        text_add_edge(out, low + count * scale.step, line->rate_assumed);
        text_add(out, "%s, %llu, ", step, (unsigned long long)row->sample_count);
        level_add_list(out, row->power + scale.first + k, count, ", ");
        text_add(out, "\n");
    }
}

row_writer *row_csv_writer(enum csv_form form, bool seconds)
{
    static row_writer *const writers[] = {row_csv, row_csv_hackrf, row_csv_mhz};
    return form == CSV_RTL_POWER && seconds ? row_csv_seconds : writers[form];
}

void row_csv_mhz(struct text *out, const struct row *row)
{
    const struct scale scale = scale_of(row->line);
    const struct calibration_radio radio = calibration_radio_of(row->calibration, row->line);
    const double unit = row->line->rate_assumed ? 1 : 1e6;
    const struct level_scale levels =
        level_scale_of(&radio, scale.low, scale.step, scale.count); /* a file has one unit */
    for (uint32_t k = 0; k < scale.count; k++) {
        text_add(out, "%.6f,", (scale.low + k * scale.step) / unit);
        text_add_level(out,
                       level_dbfs(row->power[scale.first + k]) + level_scale_shift_db(&levels, k));
        text_add(out, "\n");
    }
}
