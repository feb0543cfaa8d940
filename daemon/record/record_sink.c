/* record_sink.c - captures, samples and pairs of a recording. */
#include "daemon/record/record_sink.h"

#include <errno.h>
#include <math.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/calibration/active_calibration.h"

int record_sink_init(struct record_sink *s, const struct record_sink_config *config)
{
    *s = (struct record_sink){.config = *config,
                              .limit = UINT64_MAX,
                              .factor = 1,
                              .sample_bytes = (uint32_t)fft_iq_bytes(config->stream->format)};
    if (!record_band_is_set(&config->band))
        return 0;
    const int err = record_box_create(&s->box, config->stream, &config->band, config->workers);
    if (err < 0)
        return err;
    s->sample_bytes = (uint32_t)fft_iq_bytes(config->band.format);
    s->factor = record_box_plan(s->box)->factor;
    s->reach = record_box_plan(s->box)->reach;
    return 0;
}

void record_sink_finish(struct record_sink *s)
{
    record_box_destroy(s->box);
    record_pair_close(&s->pair);
}

/* ---- pairs and captures ----------------------------------------------------------------- */

static double center_of(const struct record_sink *s, const struct record_moment *m)
{
    return s->box ? record_band_center(&s->config.band) : m->tuning.center_hz;
}

static int begin_pair(struct record_sink *s, const struct record_moment *m)
{
    const struct stream *stream = s->config.stream;
    const int64_t time_ns = m->has_time ? m->time_ns : RECORD_UNDATED;
    const struct record_start start = {time_ns, (double)m->time_ns * 1e-9, NULL};
    const double rate_hz = stream->tuning.rate_hz / s->factor;
    int err = record_pair_create(&s->pair, s->config.options->folder, start, center_of(s, m),
                                 rate_hz, s->sample_bytes);
    json_t *global = record_meta_global(stream, m, s->config.label);
    if (s->box)
        record_meta_set_band(global, stream, &s->config.band, s->factor);
    if (err == 0)
        err = record_pair_describe(&s->pair, "global", global);
    else
        json_decref(global);
    if (s->samples == 0) {
        s->start_ns = time_ns;
        s->center_hz = center_of(s, m);
    }
    return err;
}

/* ---- the calibration of a capture ------------------------------------------------------- */

static bool is_calibrated(const struct calibration_point *points, size_t count)
{
    size_t i = 0;
    while (i < count && !isfinite(points[i].offset_db))
        i++;
    return i < count;
}

static json_t *table_to_json(const struct calibration_radio *radio, double low_hz, double high_hz)
{
    const struct calibration *c = &radio->table->calibration;
    struct calibration_point points[CALIBRATION_POINTS];
    const size_t count = calibration_radio_curve(radio, low_hz, high_hz, points);
    if (!is_calibrated(points, count))
        return NULL;
    json_t *o = json_pack("{s:o}", "offset_db", calibration_curve_to_json(points, count));
    if (o && c->serial[0])
        json_object_set_new(o, "serial", text_to_json(c->serial));
    if (o && c->date[0])
        json_object_set_new(o, "date", text_to_json(c->date));
    if (o && isfinite(c->uncertainty_db))
        json_object_set_new(o, "uncertainty_db", json_real(c->uncertainty_db));
    return o;
}

/*
 * What a reader of the samples adds to dBFS for dBm at the antenna socket, from low_hz to high_hz:
 * {"offset_db": [[hz, dB], ...], "serial", "date", "uncertainty_db"}, of the table in force. NULL:
 * uncal, or no memory. active_calibration: NULL is fine.
 */
static json_t *calibration_to_json(struct active_calibration *active_calibration,
                                   const struct stream *s, const struct record_moment *m,
                                   double low_hz, double high_hz)
{
    struct calibration_table *table = active_calibration_ref(active_calibration);
    struct calibration_radio radio = calibration_radio_of_stream(table, s);
    radio.tuning = m->tuning;
    radio.gain_db = m->gain_db;
    json_t *o = table ? table_to_json(&radio, low_hz, high_hz) : NULL;
    calibration_table_unref(table);
    return o;
}

/* ---- captures ---------------------------------------------------------------------------- */

static json_t *calibration_of(const struct record_sink *s, const struct record_moment *m)
{
    const double half_hz = s->config.stream->tuning.rate_hz / s->factor / 2;
    const double center_hz = center_of(s, m);
    return calibration_to_json(s->config.active_calibration, s->config.stream, m,
                               center_hz - half_hz, center_hz + half_hz);
}

/* A capture at the next sample. */
static int begin_capture(struct record_sink *s)
{
    const struct record_moment m = record_moment_at(s->config.stream, &s->mark, s->next);
    int err = s->pair.name[0] ? 0 : begin_pair(s, &m);
    json_t *capture = record_meta_capture(&m, s->started ? &s->at : NULL,
                                          s->pair.bytes / s->sample_bytes, s->missing_pending);
    json_t *calibration = calibration_of(s, &m);
    if (calibration)
        json_object_set_new(capture, "fftd:calibration", calibration);
    if (s->box)
        record_meta_move_capture(capture, &s->config.band, s->factor);
    if (err == 0)
        err = record_pair_describe(&s->pair, "capture", capture);
    else
        json_decref(capture);
    for (int cause = 0; cause < LOSS_CAUSES && s->started; cause++)
        s->lost[cause] += m.lost[cause] - s->at.lost[cause];
    s->at = m;
    s->started = true;
    s->capture_pending = false;
    s->missing_pending = 0;
    return err;
}

int record_sink_end_pair(struct record_sink *s, const char *end, struct reason *why)
{
    int err = 0;
    s->pair.missing = s->missing_pending;
    if (s->pair.bytes > 0)
        err = record_pair_finish(&s->pair, end, why);
    else if (s->pair.data > 0)
        record_pair_remove(&s->pair);
    record_pair_close(&s->pair);
    s->capture_pending = true;
    s->capture_at = s->next;
    return err;
}

/* ---- samples ---------------------------------------------------------------------------- */

/* How many samples have a position below this one. */
static uint64_t samples_below(const struct record_sink *s, uint64_t position)
{
    return position > s->next ? (position - s->next - 1) / s->factor + 1 : 0;
}

static int write_some(struct record_sink *s, const unsigned char *from, uint64_t count)
{
    const uint64_t before = s->pair.bytes;
    const int err = record_pair_write(&s->pair, from, count * s->sample_bytes);
    s->samples += (s->pair.bytes - before) / s->sample_bytes;
    s->next += count * s->factor;
    return err;
}

static int put(struct record_sink *s, const void *samples, uint64_t count)
{
    const unsigned char *from = samples;
    const uint64_t most = samples_below(s, s->limit);
    int err = 0;
    for (uint64_t rest = count < most ? count : most, now; rest > 0 && err == 0; rest -= now) {
        if (s->capture_pending && s->capture_at <= s->next)
            err = begin_capture(s);
        now = s->capture_pending && samples_below(s, s->capture_at) < rest
                  ? samples_below(s, s->capture_at)
                  : rest;
        if (err == 0)
            err = write_some(s, from, now);
        from += now * s->sample_bytes;
    }
    return err;
}

/* raw NULL: zeros. */
static int push_band(struct record_sink *s, unsigned char *raw, uint64_t count)
{
    const size_t bytes = fft_iq_bytes(s->config.stream->format);
    int err = 0;
    for (uint64_t done = 0, now; done < count && err == 0; done += now) {
        const void *out;
        now = count - done < DDC_BLOCK ? count - done : DDC_BLOCK;
        const size_t got =
            record_box_push(s->box, raw ? raw + done * bytes : NULL, (size_t)now, &out);
        err = put(s, out, got);
    }
    return err;
}

int record_sink_write(struct record_sink *s, void *raw, uint64_t count)
{
    s->position += count;
    if (s->outside)
        record_sink_miss(s, s->position - count, s->position);
    else if (s->box)
        return push_band(s, raw, count);
    else
        return put(s, raw, count);
    return 0;
}

int record_sink_pull(struct record_sink *s, const struct ddc_reader *reader, size_t count,
                     size_t *taken)
{
    const void *out;
    *taken = count;
    const size_t got = s->outside ? 0 : record_box_pull(s->box, reader, count, taken, &out);
    s->position += *taken;
    if (s->outside)
        record_sink_miss(s, s->position - *taken, s->position);
    return got > 0 ? put(s, out, got) : 0;
}

int record_sink_end_segment(struct record_sink *s)
{
    const bool open = s->box && !s->outside && s->position > 0;
    return open ? push_band(s, NULL, s->reach) : 0;
}

void record_sink_miss(struct record_sink *s, uint64_t from, uint64_t to)
{
    const uint64_t first = from > s->config.from ? from : s->config.from;
    const uint64_t end = to < s->limit ? to : s->limit;
    if (end <= first)
        return;
    s->missing += end - first;
    s->missing_pending += end - first;
}

/* ---- marks ------------------------------------------------------------------------------ */

static void begin_band(struct record_sink *s, double center_hz, uint64_t lost)
{
    s->outside =
        !record_band_lies_within(&s->config.band, center_hz, s->config.stream->tuning.rate_hz);
    if (!s->outside)
        record_box_begin(s->box, s->position + lost, s->next + lost, center_hz);
}

int record_sink_mark(struct record_sink *s, const struct iq_mark *mark, uint64_t position,
                     bool anew)
{
    const int err = anew ? record_sink_end_segment(s) : 0;
    s->mark = *mark;
    s->capture_pending = true;
    s->capture_at = position;
    s->position = position;
    if (!anew)
        return err;
    s->next = position > s->config.from ? position : s->config.from;
    const struct record_moment m = record_moment_at(s->config.stream, mark, position);
    if (s->box)
        begin_band(s, m.tuning.center_hz, m.sample_number - position);
    return err;
}
