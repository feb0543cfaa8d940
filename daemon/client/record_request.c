/* record_request.c - reads the fields of a "record" message. */
#include "daemon/client/record_request.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/unix_time.h"

static const struct field_range seconds = {false, 0, 1e9}, hertz = {false, -1e12, 1e12};

int record_change_read_time(const char *text, struct record_change *out)
{
    bool is_date;
    out->timed = true;
    const int err = unix_time_read(text, &out->from_ns, &is_date);
    return err == 0 && (is_date || out->from_ns >= 0) ? 0 : -EINVAL;
}

int record_change_check(const struct record_change *c, const struct error_text *error)
{
    const bool low = c->low_hz < 0 || c->low_hz > 0, high = c->high_hz < 0 || c->high_hz > 0;
    if (c->timed && c->pre_s > 0)
        return fields_refuse(error, "from and pre cannot be given together");
    if ((low || high) && !(c->low_hz < c->high_hz))
        return fields_refuse(error, "low, high: a band needs both, and high above low");
    return 0;
}

static int read_time(const json_t *start, struct record_change *out, const struct error_text *error)
{
    char number[40] = "";
    const json_t *from = json_object_get(start, "from");
    const char *text = json_is_number(from) ? number : json_string_value(from);
    if (!from)
        return 0;
    snprintf(number, sizeof number, "%.9f", json_number_value(from));
    return text && record_change_read_time(text, out) == 0
               ? 0
               : fields_refuse_value(error, "from", from,
                                     "a time as 2026-11-21T10:15:00.5Z, or in "
                                     "seconds since 1970");
}

static int read_label(const json_t *start, char into[RECORD_LABEL], const struct error_text *error)
{
    const json_t *label = json_object_get(start, "label");
    const char *text = json_string_value(label);
    if (label &&
        (!text || strlen(text) != json_string_length(label) || strlen(text) >= RECORD_LABEL))
        return fields_refuse_value(error, "label", label, "a text of at most 63 bytes");
    snprintf(into, RECORD_LABEL, "%s", text ? text : "");
    return 0;
}

static int read_start(const json_t *start, struct record_change *out,
                      const struct error_text *error)
{
    static const char *const names[] = {"pre", "duration", "label", "from", "low", "high", NULL};
    if (!json_is_object(start))
        return fields_refuse_value(error, "start", start, "an object");
    int err = fields_check_keys(start, names, "start", error);
    if (err == 0)
        err = fields_number(start, "pre", &seconds, &out->pre_s, error);
    if (err == 0)
        err = fields_number(start, "duration", &seconds, &out->duration_s, error);
    if (err == 0)
        err = fields_number(start, "low", &hertz, &out->low_hz, error);
    if (err == 0)
        err = fields_number(start, "high", &hertz, &out->high_hz, error);
    if (err == 0)
        err = read_time(start, out, error);
    if (err == 0)
        err = record_change_check(out, error);
    return err < 0 ? err : read_label(start, out->label, error);
}

int record_request_read(const json_t *message, struct record_message *out,
                        const struct error_text *error)
{
    const json_t *start = json_object_get(message, "start");
    const json_t *stop = json_object_get(message, "stop");
    *out = (struct record_message){0};
    if (json_object_size(message) != 2 || (!start && !stop))
        return fields_refuse(error, "record needs one of start and stop");
    if (start)
        return read_start(start, &out->start, error);
    if (!json_is_integer(stop) || json_integer_value(stop) < 1)
        return fields_refuse_value(error, "stop", stop, "the id of a recording");
    out->stop = (uint64_t)json_integer_value(stop);
    return 0;
}
