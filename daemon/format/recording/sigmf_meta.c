/* sigmf_meta.c - parses the JSON of SigMF and checks every value. */
#include "daemon/format/recording/sigmf_meta.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/json.h"
#include "daemon/base/one_line.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"

/* Sums of larger counts of samples or bytes could wrap. */
#define COUNT_MAX ((json_int_t)1 << 56)

struct reader {
    struct reason *why;
    const size_t *capture; /* index for messages; NULL: not in a capture */
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct reader *r, const char *format,
                                                        ...)
{
    char why[160];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    if (r->capture)
        return reason_set(r->why, -EINVAL, "capture %zu: %s", *r->capture, why);
    return reason_set(r->why, -EINVAL, "%s", why);
}

/* NULL: absent. Some writers write null for what they do not know. */
static const json_t *member(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

/* 1: present; 0: absent, *out is unchanged; -EINVAL. Some writers write 0.0 for 0. */
static int take_count(const struct reader *r, const json_t *object, const char *key, uint64_t *out)
{
    const json_t *value = member(object, key);
    if (!value)
        return 0;
    const double number = json_number_value(value);
    if (!json_is_number(value) || number < 0 || number > (double)COUNT_MAX ||
        number != floor(number))
        return refuse(r, "%s is not a whole number from 0 to 2^56", key);
    *out = json_is_integer(value) ? (uint64_t)json_integer_value(value) : (uint64_t)number;
    return 1;
}

static int take_number(const struct reader *r, const json_t *object, const char *key, double *out)
{
    const json_t *value = member(object, key);
    if (value && !json_is_number(value))
        return refuse(r, "%s is not a number", key);
    if (value)
        *out = json_number_value(value);
    return value != NULL;
}

static int take_text(const struct reader *r, const json_t *object, const char *key, char *out,
                     size_t size)
{
    const json_t *value = member(object, key);
    if (!value)
        return 0;
    if (!json_is_string(value) || json_string_length(value) >= size)
        return refuse(r, "%s is not a text of at most %zu bytes", key, size - 1);
    snprintf(out, size, "%s", json_string_value(value));
    return 1;
}

static int take_datatype(const struct reader *r, const json_t *global, struct sigmf_meta *m)
{
    const int err = take_text(r, global, "core:datatype", m->datatype, sizeof m->datatype);
    if (err <= 0)
        return err < 0 ? err : refuse(r, "core:datatype is missing");
    m->sample = iq_sample_find(m->datatype);
    make_one_line(m->datatype);
    return 0;
}

/* The first one counts. */
static void take_geolocation(const struct reader *r, const json_t *object, struct sigmf_meta *m)
{
    const json_t *value = member(object, "core:geolocation");
    if (!value || m->geolocation.known || geolocation_from_json(value, &m->geolocation) ||
        m->warning[0])
        return;
    if (r->capture)
        snprintf(m->warning, sizeof m->warning, "capture %zu: ", *r->capture);
    const size_t length = strlen(m->warning);
    snprintf(m->warning + length, sizeof m->warning - length,
             "core:geolocation is not a point of longitude, latitude and altitude: ignored");
}

/* What fftd writes. Whether it is possible, the reader of the samples decides. */
static void take_full_scale(const json_t *global, struct sigmf_meta *m)
{
    const json_t *value = member(global, "fftd:full_scale");
    if (value)
        m->full_scale = json_is_number(value) ? json_number_value(value) : NAN;
}

static int take_global(const struct reader *r, const json_t *global, struct sigmf_meta *m)
{
    if (!json_is_object(global))
        return refuse(r, "its metadata has no object \"global\"");
    m->metadata_only = json_is_true(json_object_get(global, "core:metadata_only"));
    if (take_datatype(r, global, m) < 0 ||
        take_number(r, global, "core:sample_rate", &m->rate_hz) < 0 ||
        take_count(r, global, "core:num_channels", &m->channels) < 0 ||
        take_count(r, global, "core:trailing_bytes", &m->trailing_bytes) < 0 ||
        take_count(r, global, "core:offset", &m->offset) < 0 ||
        take_text(r, global, "core:dataset", m->dataset, sizeof m->dataset) < 0)
        return -EINVAL;
    if (m->channels < 1 || m->channels > SIGMF_CHANNELS_MAX)
        return refuse(r, "%llu channels (core:num_channels), fftd reads one of 1 to %d",
                      (unsigned long long)m->channels, SIGMF_CHANNELS_MAX);
    take_geolocation(r, global, m);
    take_full_scale(global, m);
    if (strchr(m->dataset, '/') || strcmp(m->dataset, "..") == 0)
        return refuse(r, "core:dataset \"%.60s\" is not a file's plain name", m->dataset);
    return 0;
}

static void take_time(const struct reader *r, const json_t *object, struct sigmf_capture *c,
                      struct sigmf_meta *m)
{
    const json_t *value = member(object, "core:datetime");
    const char *text = json_string_value(value);
    c->has_time = text && unix_time_parse(text, &c->time_ns) == 0;
    if (!value || c->has_time || m->warning[0])
        return;
    snprintf(
        m->warning, sizeof m->warning,
        "capture %zu: core:datetime \"%.40s\" is not a time like 2021-06-18T23:17:51Z: ignored",
        *r->capture, text ? text : "");
    make_one_line(m->warning);
}

static int take_capture(const struct reader *r, const json_t *object, struct sigmf_capture *c)
{
    c->center_hz = NAN;
    if (!json_is_object(object))
        return refuse(r, "it is not an object");
    const int has_index = take_count(r, object, "core:global_index", &c->global_index);
    if (has_index < 0 || take_count(r, object, "core:sample_start", &c->sample_start) < 0 ||
        take_count(r, object, "core:header_bytes", &c->header_bytes) < 0 ||
        take_number(r, object, "core:frequency", &c->center_hz) < 0)
        return -EINVAL;
    c->has_index = has_index > 0;
    return 0;
}

static int take_captures(const struct reader *r, const json_t *captures, struct sigmf_meta *m)
{
    const size_t count = json_array_size(captures);
    if (captures && !json_is_array(captures))
        return refuse(r, "\"captures\" is not an array");
    if (count == 0)
        return 0;
    m->captures = calloc(count, sizeof *m->captures);
    if (!m->captures)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const struct reader at = {r->why, &i};
        const json_t *object = json_array_get(captures, i);
        struct sigmf_capture *c = &m->captures[i];
        if (take_capture(&at, object, c) < 0)
            return -EINVAL;
        if (i > 0 && c->sample_start < c[-1].sample_start)
            return refuse(&at, "it starts before capture %zu", i - 1);
        take_time(&at, object, c, m);
        take_geolocation(&at, object, m);
    }
    m->count = count;
    return 0;
}

/* Of a recording in several files, this one may begin within a capture. */
static void move_start(const struct sigmf_meta *m, struct sigmf_capture *c)
{
    const uint64_t before = m->offset - c->sample_start;
    c->sample_start = m->offset;
    c->header_bytes = 0;
    c->global_index += before;
    c->has_time = c->has_time && m->rate_hz > 0;
    if (c->has_time)
        c->time_ns = unix_time_after(c->time_ns, (double)before / m->rate_hz);
}

/* All indices count from the first sample of the whole recording, this file's is the offset. */
static void apply_offset(struct sigmf_meta *m)
{
    size_t ended = 0; /* captures */
    while (ended + 1 < m->count && m->captures[ended + 1].sample_start <= m->offset)
        ended++;
    if (m->offset == 0 || m->count == 0)
        return;
    m->count -= ended;
    memmove(m->captures, m->captures + ended, m->count * sizeof *m->captures);
    if (m->captures[0].sample_start < m->offset)
        move_start(m, &m->captures[0]);
    for (size_t i = 0; i < m->count; i++)
        m->captures[i].sample_start -= m->offset;
}

/* UTF-8 may begin with a byte order mark, as Windows' editors write it. */
static json_t *load(const struct reader *r, const char *text, size_t size)
{
    json_error_t why;
    char fault[JSON_FAULT];
    const size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    json_t *root = json_loadb(text + mark, size - mark, 0, &why);
    if (root)
        return root;
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        refuse(r, "its metadata is UTF-16, SigMF requires UTF-8");
    else
        refuse(r, "its metadata is not JSON: %s", json_fault(&why, fault));
    return NULL;
}

int sigmf_meta_parse(const char *text, size_t size, struct sigmf_meta *out, struct reason *why)
{
    const struct reader r = {why, NULL};
    *out = (struct sigmf_meta){.channels = 1};
    json_t *root = load(&r, text, size);
    if (!root)
        return -EINVAL;
    int err = json_is_object(root) ? 0 : refuse(&r, "its metadata is not a JSON object");
    if (err == 0)
        err = take_global(&r, json_object_get(root, "global"), out);
    if (err == 0)
        err = take_captures(&r, json_object_get(root, "captures"), out);
    if (err == 0)
        apply_offset(out);
    if (err == -ENOMEM)
        refuse(&r, "no memory for its captures");
    json_decref(root);
    return err;
}

void sigmf_meta_finish(struct sigmf_meta *m)
{
    free(m->captures);
    m->captures = NULL;
}
