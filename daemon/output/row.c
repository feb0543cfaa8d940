/* row.c - formats rows as JSON. */
#include "daemon/output/row.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/level.h"
#include "daemon/base/unix_time.h"
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

static void add_tuning(json_t *object, const struct row *row)
{
    const struct line *line = row->line;
    const struct calibration_radio radio = calibration_radio_of(row->calibration, line);
    const double low_hz = line_low_hz(line) - line_bin_hz(line) / 2;
    json_t *more = json_pack(
        "{s:f, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:f, s:o, s:o, s:s, s:s, s:s, s:o, s:o, s:s}",
        "center_hz", line->tuning.center_hz, "rate_hz", hz_to_json(line, line->tuning.rate_hz),
        "gain_db", number_to_json(line->gain_db), "low_hz", hz_to_json(line, low_hz), "high_hz",
        hz_to_json(line, low_hz + line->tuning.rate_hz), "column_hz",
        hz_to_json(line, line_bin_hz(line)), "fft_size", (int)line->n, "hop", (int)line->hop,
        "enbw_bins", line->enbw_bins, "rbw_hz", hz_to_json(line, line_rbw_hz(line)), "rbw_3db_hz",
        hz_to_json(line, line_rbw_3db_hz(line)), "window", line->window, "engine", line->engine,
        "detector", detector_name(row->detector_index), "ledger", ledger_to_json(&line->ledger),
        "offset_db", number_to_json(calibration_radio_offset_db(&radio, line->tuning.center_hz)),
        "unit", "dBFS");
    json_object_update(object, more);
    json_decref(more);
}

/* A JSON value for each level would be slow, so the levels are appended as text. */
void row_json(struct text *out, const struct row *row)
{
    json_t *object = describe(row);
    add_tuning(object, row);
    char *head = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(object);
    if (!head) {
        out->failed = true;
        return;
    }
    text_add_bytes(out, head, strlen(head) - 1);
    free(head);
    text_add(out, ",\"levels\":[");
    level_add_list(out, row->power, row->line->n, ",");
    text_add(out, "]}\n");
}
