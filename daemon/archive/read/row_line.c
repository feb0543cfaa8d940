/* row_line.c - makes lines of rows and their facts. */
#include "daemon/archive/read/row_line.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/archive/reduce.h"
#include "fft/window.h"

/* ---- facts ------------------------------------------------------------------------------ */

static double get_number(const json_t *facts, const char *key)
{
    const json_t *value = json_object_get(facts, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static uint32_t get_count(const json_t *facts, const char *key)
{
    const double value = get_number(facts, key);
    return value >= 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

static void get_text(const json_t *facts, const char *key, char *into, size_t size)
{
    const char *text = json_string_value(json_object_get(facts, key));
    snprintf(into, size, "%s", text ? text : "");
}

static void read_stream(struct stream *out, const json_t *facts)
{
    struct tuning *t = &out->tuning;
    *out = (struct stream){.format = FFT_IQ_CF32,
                           .full_scale = 1,
                           .gain_db = get_number(facts, "gain_db"),
                           .rate_assumed = json_is_true(json_object_get(facts, "rate_assumed")),
                           .simulated = json_is_true(json_object_get(facts, "simulated"))};
    t->center_hz = get_number(facts, "center_hz");
    t->rate_hz = get_number(facts, "rate_hz");
    t->ppm = get_number(facts, "ppm");
    get_text(facts, "gain", t->gain, sizeof t->gain);
    get_text(facts, "antenna", t->antenna, sizeof t->antenna);
    get_text(facts, "settings", t->settings, sizeof t->settings);
    get_text(facts, "serial", out->serial, sizeof out->serial);
}

/* [[Hz, dB], ...] in ascending order; what is none of these is no calibration. */
static void read_calibration(struct row_facts *out, const json_t *curve)
{
    const size_t count = json_array_size(curve);
    if (count > CALIBRATION_POINTS)
        return;
    for (size_t i = 0; i < count; i++) {
        const json_t *point = json_array_get(curve, i);
        const json_t *hz = json_array_get(point, 0), *offset_db = json_array_get(point, 1);
        if (!json_is_number(hz) || (i > 0 && !(json_number_value(hz) > out->point[i - 1].hz)))
            return;
        out->point[i] = (struct calibration_point){
            json_number_value(hz),
            json_is_number(offset_db) ? json_number_value(offset_db) : (double)NAN};
    }
    out->points = count;
}

void row_facts_read(struct row_facts *out, const char *json)
{
    struct fft_window window;
    json_t *facts = json_loads(json, 0, NULL);
    *out = (struct row_facts){.fft_size = get_count(facts, "fft_size"),
                              .hop = get_count(facts, "hop"),
                              .enbw_bins = get_number(facts, "enbw_bins"),
                              .width_3db_bins = NAN,
                              .bin_hz = get_number(facts, "bin_hz"),
                              .usable_percent = get_number(facts, "usable_percent"),
                              .dwells = get_count(facts, "dwells")};
    get_text(facts, "window", out->window, sizeof out->window);
    if (fft_window_parse(out->window, &window) == 0)
        out->width_3db_bins = fft_window_width_bins(&window, 10 * log10(2));
    read_stream(&out->stream, facts);
    read_calibration(out, json_object_get(facts, "calibration"));
    json_decref(facts);
}

/* ---- lines ------------------------------------------------------------------------------ */

double row_rate_hz(const struct archive_layout *layout)
{
    return layout->columns * layout->column_hz;
}

struct line_shape row_shape(const struct archive_layout *layout)
{
    return (struct line_shape){.n = layout->columns, .detectors = layout->detectors};
}

/* The frequency of bin columns / 2: the middle of that column. */
static double find_center(const struct archive_layout *l)
{
    return l->low_hz + (l->columns + 1) * l->column_hz / 2;
}

void row_describe(struct line *line, const struct row_facts *facts,
                  const struct archive_layout *layout, const struct archive_row *row)
{
    const double bins = layout->column_hz / facts->bin_hz; /* of a column */
    line->time_ns = row->time_ns;
    line->position = UINT64_MAX;
    line->sample_count = (uint64_t)llround((double)row->duration_ns * 1e-9 * row_rate_hz(layout));
    line->hardware_time = false;
    line->simulated = facts->stream.simulated;
    line->rate_assumed = facts->stream.rate_assumed;
    line->dc_spur = false;
    line->epoch = 0;
    line->tuning = facts->stream.tuning;
    line->tuning.center_hz = find_center(layout);
    line->tuning.rate_hz = row_rate_hz(layout);
    line->gain_db = facts->stream.gain_db;
    line->usable_percent = isfinite(facts->usable_percent) ? facts->usable_percent : 0;
    memcpy(line->serial, facts->stream.serial, sizeof line->serial);
    line->calibration = facts->calibration;
    line->hop = facts->hop;
    line->frames = row->frames;
    line->dwells = facts->dwells;
    line->fft_size = facts->fft_size;
    line->sample_rate_hz = facts->bin_hz * facts->fft_size;
    line->corrected = false;
    line->enbw_bins = facts->enbw_bins / bins;
    line->width_3db_bins = facts->width_3db_bins / bins;
    line->engine = "archive";
    memcpy(line->window, facts->window, sizeof line->window);
}

struct block_levels row_levels(const struct line *line)
{
    return (struct block_levels){
        .mean_power = line->detector[0], .max_db = line->detector[1], .min_db = line->detector[2]};
}

void row_to_power(const struct line *line)
{
    for (unsigned d = 1; d < ARCHIVE_DETECTORS; d++)
        if (line->detector[d])
            archive_to_power(line->detector[d], line->n);
}
