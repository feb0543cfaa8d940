/* record_meta.c - global fields, captures and annotations of a recording. */
#include "daemon/record/record_meta.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/unix_time.h"
#include "daemon/record/record_request.h"

/* ---- moments ---------------------------------------------------------------------------- */

static int64_t after(int64_t time_ns, uint64_t from, uint64_t to, double rate_hz)
{
    return unix_time_after(time_ns, ((double)to - (double)from) / rate_hz);
}

struct record_moment record_moment_at(const struct stream *s, const struct iq_mark *mark,
                                      uint64_t position)
{
    const double rate_hz = s->tuning.rate_hz;
    struct record_moment m = {.position = position,
                              .sample_number = position + mark->sample_number - mark->position,
                              .tuning = mark->tuning_changed ? mark->tuning : s->tuning,
                              .gain_db = mark->tuning_changed ? mark->gain_db : s->gain_db};
    memcpy(m.lost, mark->lost, sizeof m.lost);
    memcpy(m.events, mark->events, sizeof m.events);
    m.has_time = mark->has_time ? !mark->undated : !s->anchor.set || s->anchor.has_time;
    m.time_ns = mark->has_time
                    ? after(mark->time_ns, mark->time_number, m.sample_number, rate_hz)
                    : after(s->anchor.set && s->anchor.has_time ? s->anchor.time_ns : s->start_ns,
                            0, m.sample_number, rate_hz);
    return m;
}

/* ---- fields ----------------------------------------------------------------------------- */

static const char *datatype(enum fft_iq_format format)
{
    static const char *const names[FFT_IQ_FORMATS] = {[FFT_IQ_CU8] = "cu8",
                                                      [FFT_IQ_CS8] = "ci8",
                                                      [FFT_IQ_CS16] = "ci16_le",
                                                      [FFT_IQ_CF32] = "cf32_le"};
    return names[format];
}

static json_int_t integer(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

static void set_number(json_t *o, const char *key, double value)
{
    if (isfinite(value))
        json_object_set_new(o, key, json_real(value));
}

static void set_text(json_t *o, const char *key, const char *value)
{
    if (value && value[0])
        json_object_set_new(o, key, text_to_json(value));
}

static void set_time(json_t *o, const struct record_moment *m)
{
    char text[80];
    const struct unix_stamp stamp = unix_time_stamp(m->time_ns);
    const int64_t ns = (m->time_ns % 1000000000 + 1000000000) % 1000000000;
    if (!m->has_time)
        return;
    const size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &stamp.tm);
    snprintf(text + length, sizeof text - length, ".%09lldZ", (long long)ns);
    json_object_set_new(o, "core:datetime", json_string(text));
}

static const char *time_source(const struct stream *s)
{
    if (s->anchor.set)
        return "recording";
    return s->hardware_time ? "hardware" : "host";
}

json_t *record_meta_global(const struct stream *s, const struct record_moment *first,
                           const char *label)
{
    char recorder[64];
    snprintf(recorder, sizeof recorder, "fftd %s", FFTD_VERSION);
    json_t *o = json_pack("{s:s, s:s, s:i, s:f, s:s, s:[{s:s, s:s, s:b}]}", "core:version", "1.2.0",
                          "core:datatype", datatype(s->format), "core:num_channels", 1,
                          "core:sample_rate", s->tuning.rate_hz, "core:recorder", recorder,
                          "core:extensions", "name", "fftd", "version", "1.0.0", "optional", 1);
    if (!o)
        return NULL;
    set_text(o, "core:hw", s->about);
    set_text(o, "core:description", label);
    if (s->geolocation.known)
        json_object_set_new(o, "core:geolocation", geolocation_to_json(&s->geolocation));
    set_text(o, "fftd:serial", s->serial);
    set_text(o, "fftd:antenna", first->tuning.antenna);
    if (first->has_time)
        set_text(o, "fftd:time_source", time_source(s));
    set_number(o, "fftd:full_scale", s->full_scale);
    set_number(o, "fftd:ppm", first->tuning.ppm);
    if (s->rate_assumed)
        json_object_set_new(o, "fftd:rate_assumed", json_true());
    if (s->simulated)
        json_object_set_new(o, "fftd:simulated", json_true());
    return o;
}

/* The losses between two moments by cause, or NULL: none. */
static json_t *losses(const uint64_t *now, const uint64_t *before)
{
    json_t *o = NULL;
    for (int cause = 0; cause < LOSS_CAUSES; cause++) {
        const uint64_t count = now[cause] - (before ? before[cause] : now[cause]);
        if (count > 0 && (o || (o = json_object())))
            json_object_set_new(o, loss_name((enum loss)cause), count_to_json(count));
    }
    return o;
}

json_t *record_meta_capture(const struct record_moment *m, const struct record_moment *before,
                            uint64_t start, uint64_t missing)
{
    json_t *o =
        json_pack("{s:I, s:I, s:I}", "core:sample_start", (json_int_t)start, "core:global_index",
                  (json_int_t)m->sample_number, "position", (json_int_t)m->position);
    if (!o)
        return NULL;
    set_number(o, "core:frequency", m->tuning.center_hz);
    set_time(o, m);
    set_number(o, "fftd:gain_db", m->gain_db);
    if (m->tuning.invert)
        json_object_set_new(o, "fftd:inverted", json_true());
    if (missing > 0)
        json_object_set_new(o, "fftd:missing", count_to_json(missing));
    json_t *lost = losses(m->lost, before ? before->lost : NULL);
    json_t *events = losses(m->events, before ? before->events : NULL);
    if (lost)
        json_object_set_new(o, "fftd:lost", lost);
    if (events)
        json_object_set_new(o, "fftd:events", events);
    return o;
}

void record_meta_set_band(json_t *global, const struct stream *s, const struct record_band *band,
                          uint32_t factor)
{
    json_t *cut = json_pack("{s:s, s:f, s:f, s:f, s:I}", "datatype", datatype(s->format),
                            "sample_rate", s->tuning.rate_hz, "freq_lower_edge", band->low_hz,
                            "freq_upper_edge", band->high_hz, "factor", (json_int_t)factor);
    if (!global || !cut)
        return;
    if (isfinite(s->tuning.center_hz))
        set_number(cut, "frequency", s->tuning.center_hz);
    json_object_set_new(global, "fftd:cut", cut);
    json_object_set_new(global, "core:datatype", json_string(datatype(band->format)));
    set_number(global, "core:sample_rate", s->tuning.rate_hz / factor);
    set_number(global, "fftd:full_scale", fft_iq_full_scale(band->format));
}

void record_meta_move_capture(json_t *capture, const struct record_band *band, uint32_t factor)
{
    if (!capture)
        return;
    const json_int_t number = integer(capture, "core:global_index");
    json_object_set_new(capture, "fftd:cut_index", json_integer(number));
    json_object_set_new(capture, "core:global_index", json_integer(number / factor));
    set_number(capture, "core:frequency", record_band_center(band));
}

json_t *record_meta_annotation(const struct record_annotation *a)
{
    const uint64_t to = a->to < INT64_MAX ? a->to : INT64_MAX;
    json_t *o = json_pack("{s:[I, I], s:s}", "span", (json_int_t)a->from, (json_int_t)to,
                          "core:generator", "fftd");
    if (!o)
        return NULL;
    if (a->high_hz > 0) {
        set_number(o, "core:freq_lower_edge", a->low_hz);
        set_number(o, "core:freq_upper_edge", a->high_hz);
    }
    set_text(o, "core:label", a->label);
    set_text(o, "core:comment", a->comment);
    return o;
}

/* ---- completion ------------------------------------------------------------------------- */

/* The first sample of the file whose position is at least this. step: positions of a sample. */
static json_int_t sample_at(const json_t *captures, json_int_t position, json_int_t samples,
                            json_int_t step)
{
    json_int_t at = samples;
    for (size_t i = json_array_size(captures); i-- > 0;) {
        const json_t *c = json_array_get(captures, i);
        const json_int_t start = integer(c, "core:sample_start"), from = integer(c, "position");
        const json_int_t after_start = (position - from + step - 1) / step;
        if (position >= from)
            return after_start < at - start ? start + after_start : at;
        at = start;
    }
    return at;
}

static void drop_after_end(json_t *captures, json_int_t samples)
{
    for (size_t i = json_array_size(captures); i-- > 1;)
        if (integer(json_array_get(captures, i), "core:sample_start") >= samples)
            json_array_remove(captures, i);
}

static int by_start(const void *a, const void *b)
{
    const json_int_t of_a = integer(*(json_t *const *)a, "core:sample_start");
    const json_int_t of_b = integer(*(json_t *const *)b, "core:sample_start");
    return (of_a > of_b) - (of_a < of_b);
}

static int sort_by_start(json_t *list)
{
    const size_t count = json_array_size(list);
    json_t **item = calloc(count + 1, sizeof(json_t *));
    if (!item)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        item[i] = json_incref(json_array_get(list, i));
    qsort(item, count, sizeof(json_t *), by_start);
    json_array_clear(list);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, item[i]);
    free(item);
    return 0;
}

/* One that lies outside the file is dropped. */
static int place_annotations(json_t *list, const json_t *captures, json_int_t samples,
                             json_int_t step)
{
    for (size_t i = json_array_size(list); i-- > 0;) {
        json_t *a = json_array_get(list, i);
        const json_t *span = json_object_get(a, "span");
        if (!span)
            continue;
        const json_int_t from = json_integer_value(json_array_get(span, 0));
        const json_int_t to = json_integer_value(json_array_get(span, 1));
        const json_int_t start = sample_at(captures, from, samples, step);
        const json_int_t end = sample_at(captures, to, samples, step);
        if (end <= start) {
            json_array_remove(list, i);
            continue;
        }
        json_object_set_new(a, "core:sample_start", json_integer(start));
        json_object_set_new(a, "core:sample_count", json_integer(end - start));
        json_object_del(a, "span");
    }
    return sort_by_start(list);
}

static void add_counts(json_t *total, const json_t *counts)
{
    const char *cause;
    json_t *count;
    json_object_foreach((json_t *)counts, cause, count) json_object_set_new(
        total, cause, json_integer(integer(total, cause) + json_integer_value(count)));
}

static json_t *add_up(const json_t *captures, json_int_t samples, json_int_t missing)
{
    json_t *lost = json_object(), *events = json_object();
    for (size_t i = 0; i < json_array_size(captures); i++) {
        const json_t *c = json_array_get(captures, i);
        missing += integer(c, "fftd:missing");
        add_counts(lost, json_object_get(c, "fftd:lost"));
        add_counts(events, json_object_get(c, "fftd:events"));
    }
    return json_pack("{s:I, s:I, s:o, s:o}", "samples", samples, "missing", missing, "lost", lost,
                     "events", events);
}

int record_meta_complete(json_t *meta, uint64_t samples, uint64_t missing, const char *sha512,
                         const char *end)
{
    json_t *global = json_object_get(meta, "global");
    json_t *captures = json_object_get(meta, "captures");
    const json_int_t count = (json_int_t)samples;
    drop_after_end(captures, count);
    const json_int_t factor = integer(json_object_get(global, "fftd:cut"), "factor");
    const int err = place_annotations(json_object_get(meta, "annotations"), captures, count,
                                      factor > 0 ? factor : 1);
    if (err < 0)
        return err;
    for (size_t i = 0; i < json_array_size(captures); i++)
        json_object_del(json_array_get(captures, i), "position");
    json_object_set_new(global, "fftd:ledger", add_up(captures, count, (json_int_t)missing));
    set_text(global, "fftd:end", end);
    if (!sha512[0])
        return 0;
    return json_object_set_new(global, "core:sha512", json_string(sha512)) < 0 ? -ENOMEM : 0;
}
