/* row.c - formats rows as JSON. */
#include "daemon/output/row.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/unix_time.h"
#include "daemon/calibration/level_scale.h"
#include "daemon/status/status_json.h"

static json_t *describe(const struct row *row)
{
    const struct line *line = row->line;
    char time[UNIX_TIME_TEXT];
    unix_time_text(row->time_ns, "%Y-%m-%dT%H:%M:%S", time);
    return json_pack("{s:s+, s:I, s:i, s:I, s:I, s:I, s:b, s:b, s:b, s:b}", "time", time, "Z",
                     "line", (json_int_t)line->number, "merged", (int)row->merged, "first_sample",
                     (json_int_t)row->first_sample, "samples", (json_int_t)row->sample_count,
                     "frames", (json_int_t)row->frames, "hardware_time", line->hardware_time,
                     "gap_before", line->gap_before, "simulated", line->simulated, "rate_assumed",
                     line->rate_assumed);
}

/* null if it follows from an assumed rate. */
static json_t *hz_to_json(const struct line *line, double hz)
{
    return number_to_json(line->rate_assumed ? NAN : hz);
}

static void add_tuning(json_t *object, const struct row *row, const struct calibration_radio *radio,
                       const struct level_scale *levels)
{
    const struct line *line = row->line;
    const struct line_bins usable = line_usable_bins(line);
    const double bin_hz = line_bin_hz(line);
    const double low_hz = line_low_hz(line) + (usable.first - 0.5) * bin_hz;
    const double high_hz = low_hz + (usable.last - usable.first + 1) * bin_hz;
    json_t *more = json_pack(
        "{s:f, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:f, s:o, s:o, s:s, s:s, s:s, s:o, s:o, s:s}",
        "center_hz", line->tuning.center_hz, "rate_hz", hz_to_json(line, line->tuning.rate_hz),
        "gain_db", number_to_json(line->gain_db), "low_hz", hz_to_json(line, low_hz), "high_hz",
        hz_to_json(line, high_hz), "column_hz", hz_to_json(line, bin_hz), "fft_size",
        (int)line_fft_size(line), "hop", (int)line->hop, "enbw_bins", line->enbw_bins, "rbw_hz",
        hz_to_json(line, line_rbw_hz(line)), "rbw_3db_hz", hz_to_json(line, line_rbw_3db_hz(line)),
        "window", line->window, "engine", line->engine, "detector",
        detector_name(row->detector_index), "ledger", ledger_to_json(&line->ledger), "offset_db",
        number_to_json(calibration_radio_offset_db(radio, line->tuning.center_hz)), "unit",
        level_scale_unit(levels));
    json_object_update(object, more);
    json_decref(more);
    json_object_set_new(object, "dwells", json_integer(line->dwells));
    json_object_set_new(object, "sample_rate_hz", hz_to_json(line, line_sample_rate_hz(line)));
}

/* A JSON value for each level would be slow, so the levels are appended as text. */
void row_json(struct text *out, const struct row *row)
{
    const struct line *line = row->line;
    const struct calibration_radio radio = calibration_radio_of(row->calibration, line);
    const struct line_bins usable = line_usable_bins(line);
    const uint32_t count = usable.last - usable.first + 1;
    const double bin_hz = line_bin_hz(line), first_hz = line_low_hz(line) + usable.first * bin_hz;
    const struct level_scale levels = level_scale_of_line(&radio, first_hz, bin_hz, count);
    json_t *object = describe(row);
    add_tuning(object, row, &radio, &levels);
    char *head = json_text(object, JSON_COMPACT);
    json_decref(object);
    if (!head) {
        out->failed = true;
        return;
    }
    text_add_bytes(out, head, strlen(head) - 1);
    free(head);
    if (row->events) {
        text_add(out, ",\"events\":");
        text_add_bytes(out, row->events, strlen(row->events));
    }
    text_add(out, ",\"levels\":[");
    level_scale_add_list(out, &levels, row->power + usable.first, count, ",");
    text_add(out, "]}\n");
}
