/* spectrum.c - answers /api/spectrum: the newest line through a view, as JSON or CSV. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/level.h"
#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"
#include "daemon/line/resolution.h"
#include "daemon/server/internal.h"

enum { COLUMNS_MAX = 65536 };

/* Parses a frequency of the query. "" leaves *out unchanged. */
static bool parse_hz(const char *text, double *out)
{
    return !*text || si_parse(text, out) == 0;
}

static bool parse_columns(const char *text, uint32_t *out)
{
    char *end;
    if (!*text)
        return true;
    const unsigned long columns = strtoul(text, &end, 10);
    *out = (uint32_t)columns;
    return text[0] >= '0' && text[0] <= '9' && !*end && columns >= 1 && columns <= COLUMNS_MAX;
}

static const char *parse_view(const struct request *r, struct view *v)
{
    *v = (struct view){.low_hz = NAN, .high_hz = NAN, .columns = COLUMNS_MAX};
    const int trace = r->trace[0] ? trace_index(r->trace) : 0;
    if (trace < 0)
        return "trace must be mean, max, min or sample";
    v->trace = (unsigned)trace;
    if (!parse_hz(r->low, &v->low_hz) || !parse_hz(r->high, &v->high_hz))
        return "low_hz and high_hz must be frequencies";
    if (v->low_hz >= v->high_hz)
        return "high_hz must be above low_hz";
    if (!parse_columns(r->columns, &v->columns))
        return "columns must be a whole number from 1 to 65536";
    if (r->format[0] && strcmp(r->format, "csv") != 0 && strcmp(r->format, "json") != 0)
        return "format must be csv or json";
    return NULL;
}

static void add_number(struct text *out, const char *name, double value)
{
    if (isfinite(value))
        text_add(out, "\"%s\": %.15g,\n ", name, value);
    else
        text_add(out, "\"%s\": null,\n ", name);
}

/* null if it follows from an assumed rate. */
static void add_hz(struct text *out, const struct wire_header *h, const char *name, double hz)
{
    add_number(out, name, h->flags & WIRE_RATE_ASSUMED ? NAN : hz);
}

static void add_json(struct text *out, const struct picture *p)
{
    const struct wire_header *h = &p->header;
    char time[UNIX_TIME_TEXT];
    text_add(out, "{\"line\": %llu,\n \"time\": \"%sZ\",\n ", (unsigned long long)h->line,
             unix_time_text(h->time_ns, "%Y-%m-%dT%H:%M:%S", time));
    add_number(out, "center_hz", h->center_hz);
    add_hz(out, h, "rate_hz", h->rate_hz);
    add_number(out, "gain_db", h->gain_db);
    add_hz(out, h, "low_hz", h->low_hz);
    add_hz(out, h, "column_hz", h->column_hz);
    add_hz(out, h, "peak_hz", h->peak_hz);
    add_number(out, "peak_db", (double)h->peak_db);
    add_hz(out, h, "rbw_hz", resolution_rbw_hz(h->n, (double)h->enbw_bins, h->rate_hz));
    text_add(out,
             "\"trace\": \"%s\",\n \"simulated\": %s,\n \"rate_assumed\": %s,\n \"fft_size\": "
             "%u,\n \"hop\": %u,\n "
             "\"frames\": %llu,\n \"samples\": %llu,\n \"window\": \"%s\",\n \"levels_db\": [",
             trace_name(h->trace), h->flags & WIRE_SIMULATED ? "true" : "false",
             h->flags & WIRE_RATE_ASSUMED ? "true" : "false", h->n, h->hop,
             (unsigned long long)h->frames, (unsigned long long)h->samples, h->window);
    level_add_list(out, p->power, h->columns, ", ");
    text_add(out, "]}\n");
}

/* The columns of rtl_power: date, time, low, high, step, samples, levels. low is the centre of
 * column 0. */
static void add_csv(struct text *out, const struct picture *p)
{
    const struct wire_header *h = &p->header;
    char time[UNIX_TIME_TEXT];
    const bool relative = h->flags & WIRE_RATE_ASSUMED; /* fractions of the rate: output/row.h */
    const double unit = relative ? h->rate_hz : 1, zero = relative ? h->center_hz : 0;
    const double low = (h->low_hz + h->column_hz / 2 - zero) / unit, step = h->column_hz / unit;
    text_add(out, "%s, %.15g, %.15g, %.15g, %llu, ",
             unix_time_text(h->time_ns, "%Y-%m-%d, %H:%M:%S", time), low,
             low + (h->columns - 1) * step, step, (unsigned long long)h->samples);
    level_add_list(out, p->power, h->columns, ", ");
    text_add(out, "\n");
}

static void write_body(const struct request *r, const struct picture *p, struct answer *a)
{
    const bool csv =
        r->format[0] ? strcmp(r->format, "csv") == 0 : strstr(r->accept, "text/csv") != NULL;
    struct text out = {0};
    (csv ? add_csv : add_json)(&out, p);
    if (out.failed) {
        text_finish(&out);
        answer_text(a, 500, "no memory\n");
        return;
    }
    *a = (struct answer){.status = 200,
                         .type = csv ? "text/csv; charset=utf-8" : "application/json",
                         .body = out.data,
                         .size = out.length,
                         .memory = out.data};
}

void answer_spectrum(struct server *s, const struct request *r, struct answer *a)
{
    const struct line *line = s->feed.latest;
    struct view view;
    struct picture picture;
    const char *wrong = parse_view(r, &view);
    if (wrong) {
        answer_text(a, 400, "%s\n", wrong);
    } else if (!line) {
        answer_text(a, 503, "there is no line yet\n");
    } else if (!(line->traces & 1U << view.trace)) {
        answer_text(a, 404, "the trace %s is not computed\n", trace_name(view.trace));
    } else if (picture_init(&picture, view.columns)) {
        answer_text(a, 500, "no memory\n");
    } else {
        picture_render(&picture, &view, line, s->feed.line_rate_hz);
        write_body(r, &picture, a);
        picture_finish(&picture);
    }
}
