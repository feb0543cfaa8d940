/* spectrum_text.c - writes a line through a view as JSON or CSV, and parses what is wanted. */
#include "daemon/http/stream/spectrum_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "daemon/base/level.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/base/unix_time.h"
#include "daemon/calibration/level_scale.h"
#include "daemon/http/stream/density_text.h"
#include "daemon/option/option_text.h"

/* ---- the query -------------------------------------------------------------------------- */

/* A parser of a value returns false if it is bad. */
static bool parse_detector(const char *text, void *out)
{
    struct view *view = out;
    return detector_parse(text, &view->detector, &view->percent);
}

static bool parse_math(const char *text, void *out)
{
    const int math = reference_math_index(text);
    *(enum reference_math *)out = math < 0 ? MATH_NONE : (enum reference_math)math;
    return math >= 0;
}

static bool parse_reference(const char *text, void *out)
{
    if (strlen(text) >= REFERENCE_NAME || !option_name_is_valid(text))
        return false;
    memcpy(out, text, strlen(text) + 1);
    return true;
}

static bool parse_reduction(const char *text, void *out)
{
    const int how = reduction_index(text);
    *(enum reduction *)out = how < 0 ? REDUCTION_PEAK : (enum reduction)how;
    return how >= 0;
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

int spectrum_parse(struct spectrum_query *w, const struct query *q, struct reason *why)
{
    const struct {
        const char *name;
        bool (*parse)(const char *text, void *out);
        void *out;
        const char *expected;
    } parameters[] = {
        {"detector", parse_detector, &w->view,
         "mean, max, min, sample, median, or a percentile as p90"},
        {"math", parse_math, &w->view.math, MATH_NAMES},
        {"reference", parse_reference, w->view.reference, "the name of a reference"},
        {"low_hz", parse_hz, &w->view.low_hz, "a frequency"},
        {"high_hz", parse_hz, &w->view.high_hz, "a frequency"},
        {"columns", parse_columns, &w->view.columns, "a whole number from 1 to 65536"},
        {"reduction", parse_reduction, &w->view.reduction, REDUCTION_NAMES},
        {"format", parse_format, &w->csv, "csv or json"},
    };
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        const char *value = query_value(q, parameters[i].name);
        if (value && !parameters[i].parse(value, parameters[i].out))
            return reason_key(why, -EINVAL, parameters[i].name, "%s: \"%s\" is not %s",
                              parameters[i].name, value, parameters[i].expected);
    }
    if (w->view.low_hz >= w->view.high_hz) /* false while one is NAN */
        return reason_key(why, -EINVAL, "high_hz", "high_hz must be above low_hz");
    if ((w->view.math != MATH_NONE) != (w->view.reference[0] != '\0'))
        return reason_key(why, -EINVAL, w->view.reference[0] ? "math" : "reference",
                          "math and reference belong together");
    return 0;
}

/* ---- the text --------------------------------------------------------------------------- */

static void add_number(struct text *out, const char *name, double value)
{
    char number[NUMBER_TEXT];
    text_add(out, "\"%s\": %s,\n ", name, isfinite(value) ? number_text(value, number) : "null");
}

/* null if it follows from an assumed rate. */
static void add_hz(struct text *out, const struct line *line, const char *name, double hz)
{
    add_number(out, name, line->rate_assumed ? NAN : hz);
}

static void add_json(struct text *out, const struct spectrum_query *w, const struct picture *p,
                     const struct line *line, struct calibration_table *table)
{
    char detector[DETECTOR_TEXT];
    const bool relative = w->view.math == MATH_RELATIVE;
    const struct wire_header *h = &p->header;
    const struct calibration_radio radio = calibration_radio_of(table, line);
    const double first_hz = h->low_hz + h->column_hz / 2;
    const struct level_scale levels =
        level_scale_of_line(&radio, first_hz, h->column_hz, h->columns);
    const double peak_column = (h->peak_hz - first_hz) / h->column_hz;
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
    add_number(out, "peak_db", (double)h->peak_db + level_scale_shift_db(&levels, peak_column));
    add_hz(out, line, "rbw_hz", line_rbw_hz(line));
    add_hz(out, line, "rbw_3db_hz", line_rbw_3db_hz(line));
    add_number(out, "offset_db",
               relative ? NAN : calibration_radio_offset_db(&radio, h->center_hz));
    text_add(out, "\"math\": \"%s\",\n ", reference_math_name(w->view.math));
    if (w->view.math != MATH_NONE)
        text_add(out, "\"reference\": \"%s\",\n ", w->view.reference);
    text_add(out,
             "\"detector\": \"%s\",\n \"reduction\": \"%s\",\n \"simulated\": %s,\n "
             "\"rate_assumed\": %s,\n "
             "\"fft_size\": %u,\n \"hop\": %u,\n \"frames\": %llu,\n \"samples\": %llu,\n "
             "\"window\": \"%s\",\n \"unit\": \"%s\",\n "
             "\"levels\": [",
             detector_text(w->view.detector, w->view.percent, detector),
             reduction_name(p->reduction), h->flags & WIRE_SIMULATED ? "true" : "false",
             line->rate_assumed ? "true" : "false", line_fft_size(line), line->hop,
             (unsigned long long)h->frames, (unsigned long long)h->samples, line->window,
             relative ? "dB" : level_scale_unit(&levels));
    level_scale_add_list(out, &levels, p->power, h->columns, ", ");
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
    char number[NUMBER_TEXT];
    text_add(out, "%s, ", unix_time_text(h->time_ns, "%Y-%m-%d, %H:%M:%S", time));
    text_add_edge(out, low, relative);
    text_add_edge(out, low + h->columns * step, relative);
    text_add(out, "%s, %llu, ", number_text(step, number), (unsigned long long)h->samples);
    level_add_list(out, p->power, h->columns, ", ");
    text_add(out, "\n");
}

/* The fastest level halves the size; others gain little. */
int spectrum_compress(struct text *t)
{
    enum { GZIP = 16 }; /* added to the window's bits: a gzip header */
    z_stream z = {.next_in = (Bytef *)t->data, .avail_in = (uInt)t->length};
    if (deflateInit2(&z, 1, Z_DEFLATED, MAX_WBITS + GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return -ENOMEM;
    const uLong capacity = deflateBound(&z, z.avail_in);
    char *bytes = malloc(capacity);
    z.next_out = (Bytef *)bytes;
    z.avail_out = (uInt)capacity;
    const bool done = bytes && deflate(&z, Z_FINISH) == Z_STREAM_END;
    deflateEnd(&z);
    if (!done) {
        free(bytes);
        return -ENOMEM;
    }
    free(t->data);
    *t = (struct text){.data = bytes, .length = z.total_out, .capacity = capacity};
    return 0;
}

static int write_text(struct text *out, const struct spectrum_query *w, const struct line *line,
                      struct calibration_table *table)
{
    struct picture picture;
    if (picture_init(&picture, w->view.columns))
        return -ENOMEM;
    picture_render(&picture, &w->view, line, 0);
    if (w->csv)
        add_csv(out, &picture);
    else
        add_json(out, w, &picture, line, table);
    picture_finish(&picture);
    return 0;
}

int spectrum_write(struct text *out, const struct spectrum_query *w, const struct line *line,
                   struct calibration_table *table, const struct reference *reference,
                   struct reason *why)
{
    const struct view_trace_choice choice = {
        .detector = w->view.detector, .percent = w->view.percent, .math = w->view.math};
    struct line *computed = NULL;
    int err = 0;
    if (w->view.percent > 0 || reference)
        err = view_line_create(&computed, line, &choice, reference, why);
    if (err == 0)
        err = write_text(out, w, computed ? computed : line, table);
    line_destroy(computed);
    if (err < 0)
        return err;
    if (out->failed)
        return -ENOMEM;
    return w->gzip ? spectrum_compress(out) : 0;
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
    return w->gzip ? spectrum_compress(out) : 0;
}
