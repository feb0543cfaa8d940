/* reference_file.c - writes and reads the file of a reference. */
#include "daemon/line/reference/reference_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "daemon/base/json.h"
#include "daemon/base/reason.h"
#include "daemon/base/unix_time.h"

enum { HEAD_MAX = 4096 };

/* Powers are written as they are in memory. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a file is little-endian");

static const char format_name[] = "fftd-reference";

/* ---- writing ---------------------------------------------------------------------------- */

static json_t *time_to_json(int64_t time_ns)
{
    char time[UNIX_TIME_TEXT];
    return json_string(unix_time_iso(time_ns, time));
}

json_t *reference_to_json(const struct reference *r)
{
    return json_pack("{ss ss si so ss ss so so so so so so so ss sb sb}", "name", r->name, "format",
                     format_name, "version", 1, "time", time_to_json(r->time_ns), "detector",
                     r->detector, "trace", r->trace, "lines", count_to_json(r->lines), "center_hz",
                     number_to_json(r->center_hz), "rate_hz", number_to_json(r->rate_hz), "gain_db",
                     number_to_json(r->gain_db), "fft_size", count_to_json(r->n), "hop",
                     count_to_json(r->hop), "enbw_bins", number_to_json(r->enbw_bins), "window",
                     r->window, "simulated", r->simulated, "rate_assumed", r->rate_assumed);
}

static uint32_t checksum(const void *powers, uint32_t n)
{
    return (uint32_t)crc32(0, powers, (uInt)(n * sizeof(float)));
}

void reference_write(struct text *out, const struct reference *r)
{
    json_t *head = reference_to_json(r);
    if (head)
        json_object_set_new(head, "crc32", json_integer(checksum(r->power, r->n)));
    char *line = json_text(head, JSON_COMPACT);
    json_decref(head);
    if (!line) {
        out->failed = true;
        return;
    }
    text_add_bytes(out, line, strlen(line));
    text_add_bytes(out, "\n", 1);
    text_add_bytes(out, (const char *)r->power, r->n * sizeof r->power[0]);
    free(line);
}

/* ---- reading ---------------------------------------------------------------------------- */

struct head {
    json_t *json;
    const char *fault; /* NULL: none so far */
};

/* A number from min to max: min if the file has no such number, so that a cast of it is defined. */
static double read_number(struct head *h, const char *key, double min, double max)
{
    const json_t *value = json_object_get(h->json, key);
    const double number = json_number_value(value);
    if (json_is_number(value) && number >= min && number <= max)
        return number;
    h->fault = h->fault ? h->fault : key;
    return min;
}

static void read_text(struct head *h, const char *key, char *into, size_t size)
{
    const char *text = json_string_value(json_object_get(h->json, key));
    bool good = text && *text && strlen(text) < size;
    for (const char *c = text; good && *c; c++)
        good = *c > ' ' && *c <= '~';
    if (good)
        memcpy(into, text, strlen(text) + 1);
    else
        h->fault = h->fault ? h->fault : key;
}

static bool read_flag(struct head *h, const char *key)
{
    const json_t *value = json_object_get(h->json, key);
    if (!json_is_boolean(value))
        h->fault = h->fault ? h->fault : key;
    return json_is_true(value);
}

static void read_head(struct head *h, struct reference *r)
{
    const char *time = json_string_value(json_object_get(h->json, "time"));
    if (!time || unix_time_parse(time, &r->time_ns) < 0)
        h->fault = h->fault ? h->fault : "time";
    read_text(h, "name", r->name, sizeof r->name);
    read_text(h, "detector", r->detector, sizeof r->detector);
    read_text(h, "trace", r->trace, sizeof r->trace);
    read_text(h, "window", r->window, sizeof r->window);
    r->lines = (uint64_t)read_number(h, "lines", 1, 1e15);
    r->center_hz = read_number(h, "center_hz", -1e15, 1e15);
    r->rate_hz = read_number(h, "rate_hz", 1e-3, 1e15);
    r->enbw_bins = read_number(h, "enbw_bins", 0.1, 1e3);
    r->hop = (uint32_t)read_number(h, "hop", 1, UINT32_MAX);
    r->gain_db = NAN;
    if (!json_is_null(json_object_get(h->json, "gain_db")))
        r->gain_db = read_number(h, "gain_db", -1e3, 1e3);
    r->simulated = read_flag(h, "simulated");
    r->rate_assumed = read_flag(h, "rate_assumed");
}

static bool is_valid(const float *power, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (!(power[k] >= 0) || isinf(power[k]))
            return false;
    return true;
}

/* Takes the powers after the first line. Returns the fault, or NULL. */
static const char *read_powers(const struct head *h, struct reference *r, const char *bytes,
                               size_t size)
{
    if (size != r->n * sizeof r->power[0])
        return "the size of the file";
    memcpy(r->power, bytes, size);
    const json_t *sum = json_object_get(h->json, "crc32");
    if (!json_is_integer(sum) || json_integer_value(sum) != checksum(r->power, r->n))
        return "crc32";
    return is_valid(r->power, r->n) ? NULL : "a power";
}

static int read_all(struct head *h, struct reference **out, const char *rest, size_t size)
{
    const json_t *format = json_object_get(h->json, "format");
    if (!json_is_string(format) || strcmp(json_string_value(format), format_name) != 0)
        h->fault = "format";
    (void)read_number(h, "version", 1, 1);
    const double n = read_number(h, "fft_size", 2, REFERENCE_BINS_MAX);
    if (!h->fault && (n - floor(n) > 0 || ((uint32_t)n & ((uint32_t)n - 1)) != 0))
        h->fault = "fft_size";
    if (h->fault)
        return -EINVAL;
    *out = reference_allocate((uint32_t)n);
    if (!*out)
        return -ENOMEM;
    read_head(h, *out);
    if (!h->fault)
        h->fault = read_powers(h, *out, rest, size);
    if (!h->fault)
        return 0;
    reference_unref(*out);
    *out = NULL;
    return -EINVAL;
}

int reference_parse(struct reference **out, const void *bytes, size_t size, struct reason *why)
{
    const size_t most = size < HEAD_MAX ? size : HEAD_MAX;
    const char *end = size > 0 ? memchr(bytes, '\n', most) : NULL;
    const size_t length = end ? (size_t)(end - (const char *)bytes) : 0;
    struct head h = {.json = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL)};
    *out = NULL;
    if (!end || !json_is_object(h.json)) {
        json_decref(h.json);
        return reason_set(why, -EINVAL, "not a reference of fftd: no line of JSON");
    }
    const int err = read_all(&h, out, end + 1, size - length - 1);
    json_decref(h.json);
    if (err == -EINVAL)
        reason_set(why, err, "not a valid reference of fftd: %s is wrong", h.fault);
    return err;
}
