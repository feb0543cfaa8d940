/* spectrum_text.c - writes a line through a view as JSON or CSV, and parses what is wanted. */
#include "daemon/server/spectrum_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "daemon/base/level.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"
#include "daemon/server/density_text.h"

/* ---- the query -------------------------------------------------------------------------- */

/* A parser of a value returns false if it is bad. */
static bool parse_detector(const char *text, void *out)
{
    const int detector = detector_index(text);
    *(unsigned *)out = (unsigned)detector;
    return detector >= 0;
}

static bool parse_hz(const char *text, void *out)
{
    return si_parse(text, out) == 0;
}

static bool parse_columns(const char *text, void *out)
{
    char *end;
    const unsigned long columns = strtoul(text, &end, 10);
    *(uint32_t *)out = (uint32_t)columns;
    return text[0] >= '0' && text[0] <= '9' && !*end && columns >= 1 &&
           columns <= SPECTRUM_COLUMNS_MAX;
}

static bool parse_format(const char *text, void *out)
{
    *(bool *)out = strcmp(text, "csv") == 0;
    return *(bool *)out || strcmp(text, "json") == 0;
}

int spectrum_parse(struct spectrum_query *w, const struct query *q, char *error, size_t error_size)
{
    const struct {
        const char *name;
        bool (*parse)(const char *text, void *out);
        void *out;
        const char *expected;
    } parameters[] = {
        {"detector", parse_detector, &w->view.detector, "mean, max, min or sample"},
        {"low_hz", parse_hz, &w->view.low_hz, "a frequency"},
        {"high_hz", parse_hz, &w->view.high_hz, "a frequency"},
        {"columns", parse_columns, &w->view.columns, "a whole number from 1 to 65536"},
        {"format", parse_format, &w->csv, "csv or json"},
    };
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        const char *value = query_value(q, parameters[i].name);
        if (value && !parameters[i].parse(value, parameters[i].out))
            return reason_set(error, error_size, -EINVAL, "%s: \"%s\" is not %s",
                              parameters[i].name, value, parameters[i].expected);
    }
    if (w->view.low_hz >= w->view.high_hz) /* false while one is NAN */
        return reason_set(error, error_size, -EINVAL, "high_hz must be above low_hz");
    return 0;
}

/* ---- the text --------------------------------------------------------------------------- */

static void add_number(struct text *out, const char *name, double value)
{
    if (isfinite(value))
        text_add(out, "\"%s\": %.15g,\n ", name, value);
    else
        text_add(out, "\"%s\": null,\n ", name);
}

/* null if it follows from an assumed rate. */
static void add_hz(struct text *out, const struct line *line, const char *name, double hz)
{
    add_number(out, name, line->rate_assumed ? NAN : hz);
}

static void add_json(struct text *out, const struct picture *p, const struct line *line,
                     struct calibration_table *table)
{
    const struct wire_header *h = &p->header;
    const struct calibration_radio radio = calibration_radio_of(table, line);
    char time[UNIX_TIME_TEXT];
    text_add(out, "{\"line\": %llu,\n \"time\": \"%sZ\",\n ", (unsigned long long)h->line,
             unix_time_text(h->time_ns, "%Y-%m-%dT%H:%M:%S", time));
    add_number(out, "center_hz", h->center_hz);
    add_hz(out, line, "rate_hz", h->rate_hz);
    add_number(out, "gain_db", h->gain_db);
    add_hz(out, line, "low_hz", h->low_hz);
    add_hz(out, line, "high_hz", h->low_hz + h->columns * h->column_hz);
    add_hz(out, line, "column_hz", h->column_hz);
    add_hz(out, line, "peak_hz", h->peak_hz);
    add_number(out, "peak_db", (double)h->peak_db);
    add_hz(out, line, "rbw_hz", line_rbw_hz(line));
    add_hz(out, line, "rbw_3db_hz", line_rbw_3db_hz(line));
    add_number(out, "offset_db", calibration_radio_offset_db(&radio, h->center_hz));
    text_add(out,
             "\"detector\": \"%s\",\n \"simulated\": %s,\n \"rate_assumed\": %s,\n "
             "\"fft_size\": %u,\n \"hop\": %u,\n \"frames\": %llu,\n \"samples\": %llu,\n "
             "\"window\": \"%s\",\n \"unit\": \"dBFS\",\n "
             "\"levels\": [",
             detector_name(h->detector), h->flags & WIRE_SIMULATED ? "true" : "false",
             line->rate_assumed ? "true" : "false", h->n, h->hop, (unsigned long long)h->frames,
             (unsigned long long)h->samples, line->window);
    level_add_list(out, p->power, h->columns, ", ");
    text_add(out, "]}\n");
}

/* The columns of --csv; a column is a bin of that. */
static void add_csv(struct text *out, const struct picture *p)
{
    const struct wire_header *h = &p->header;
    char time[UNIX_TIME_TEXT];
    const bool relative = h->flags & WIRE_RATE_ASSUMED; /* fractions of the rate: output/row.h */
    const double unit = relative ? h->rate_hz : 1, zero = relative ? h->center_hz : 0;
    const double low = (h->low_hz + h->column_hz / 2 - zero) / unit, step = h->column_hz / unit;
    text_add(out, "%s, %.15g, %.15g, %.15g, %llu, ",
             unix_time_text(h->time_ns, "%Y-%m-%d, %H:%M:%S", time), low, low + h->columns * step,
             step, (unsigned long long)h->samples);
    level_add_list(out, p->power, h->columns, ", ");
    text_add(out, "\n");
}

/* Replaces the text by its gzip form. The fastest level halves the size; others gain little. */
static int compress_text(struct text *t)
{
    enum { GZIP = 16 }; /* added to the window's bits: a gzip header */
    z_stream z = {.next_in = (Bytef *)t->data, .avail_in = (uInt)t->length};
    if (deflateInit2(&z, 1, Z_DEFLATED, MAX_WBITS + GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return -ENOMEM;
    const uLong room = deflateBound(&z, z.avail_in);
    char *bytes = malloc(room);
    z.next_out = (Bytef *)bytes;
    z.avail_out = (uInt)room;
    const bool done = bytes && deflate(&z, Z_FINISH) == Z_STREAM_END;
    deflateEnd(&z);
    if (!done) {
        free(bytes);
        return -ENOMEM;
    }
    free(t->data);
    *t = (struct text){.data = bytes, .length = z.total_out, .room = room};
    return 0;
}

int spectrum_write(struct text *out, const struct spectrum_query *w, const struct line *line,
                   struct calibration_table *table)
{
    struct picture picture;
    if (picture_init(&picture, w->view.columns))
        return -ENOMEM;
    picture_render(&picture, &w->view, line, 0);
    if (w->csv)
        add_csv(out, &picture);
    else
        add_json(out, &picture, line, table);
    picture_finish(&picture);
    if (out->failed)
        return -ENOMEM;
    return w->gzip ? compress_text(out) : 0;
}

int spectrum_write_density(struct text *out, const struct spectrum_query *w,
                           const struct density *density)
{
    if (w->png)
        density_write_png(out, density);
    else
        density_write_json(out, density);
    if (out->failed)
        return -ENOMEM;
    return w->gzip ? compress_text(out) : 0;
}
