/* archive_text.c - writes a picture of the archive. */
#include "daemon/archive/read/archive_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/base/unix_time.h"
#include "daemon/format/png.h"
#include "daemon/line/line.h"

static const float *row_of(const struct archive_picture *p, uint32_t row)
{
    return p->level + (size_t)row * p->columns;
}

static int64_t time_of(const struct archive_picture *p, uint32_t row)
{
    return p->start_ns + row * p->row_ns;
}

static bool is_empty(const struct archive_picture *p, uint32_t row)
{
    for (uint32_t c = 0; c < p->columns; c++)
        if (!isnan(row_of(p, row)[c]))
            return false;
    return true;
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void add_breaks(struct text *out, unsigned breaks)
{
    static const char *const names[] = {"loss", "gap", "missed", "refolded"};
    const char *separator = "";
    text_add(out, "\"breaks\": [");
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!(breaks & 1U << i))
            continue;
        text_add(out, "%s\"%s\"", separator, names[i]);
        separator = ", ";
    }
    text_add(out, "]");
}

static void add_json_row(struct text *out, const struct archive_picture *p, uint32_t row)
{
    char time[UNIX_TIME_TEXT];
    text_add(out, "{\"time\": \"%sZ\", ",
             unix_time_text(time_of(p, row), "%Y-%m-%dT%H:%M:%S", time));
    add_breaks(out, p->breaks[row]);
    text_add(out, ", \"lost\": %llu,\n  \"levels\": ", (unsigned long long)p->lost[row]);
    if (is_empty(p, row)) {
        text_add(out, "null}");
        return;
    }
    for (uint32_t c = 0; c < p->columns; c++) {
        text_add_bytes(out, c > 0 ? ", " : "[", c > 0 ? 2 : 1);
        if (isnan(row_of(p, row)[c]))
            text_add(out, "null");
        else
            text_add_level(out, (double)row_of(p, row)[c]);
    }
    text_add(out, "]}");
}

static void add_json(struct text *out, const struct archive_picture *p)
{
    char time[UNIX_TIME_TEXT], low[NUMBER_TEXT], column[NUMBER_TEXT];
    text_add(out,
             "{\"detector\": \"%s\", \"unit\": \"dBFS\", \"start\": \"%sZ\", \"row_s\": %.15g, "
             "\"tier_s\": %.15g,\n \"low_hz\": %s, \"column_hz\": %s, \"columns\": %u,\n "
             "\"facts\": ",
             detector_name(p->detector), unix_time_text(p->start_ns, "%Y-%m-%dT%H:%M:%S", time),
             (double)p->row_ns / 1e9, (double)p->period_ns / 1e9, number_text(p->low_hz, low),
             number_text(p->column_hz, column), p->columns);
    text_add_bytes(out, p->facts, strlen(p->facts)); /* longer than text_add writes */
    text_add(out, ",\n \"rows\": [");
    for (uint32_t row = 0; row < p->rows; row++) {
        text_add(out, row > 0 ? ",\n " : "\n ");
        add_json_row(out, p, row);
    }
    text_add(out, "]}\n");
}

/* ---- CSV: the columns of rtl_power ------------------------------------------------------ */

static void add_csv(struct text *out, const struct archive_picture *p)
{
    for (uint32_t row = 0; row < p->rows; row++) {
        char time[UNIX_TIME_TEXT];
        if (is_empty(p, row))
            continue;
        text_add(out, "%s, %.0f, %.0f, %.6f, 1",
                 unix_time_text(time_of(p, row), "%Y-%m-%d, %H:%M:%S", time), p->low_hz,
                 p->low_hz + p->columns * p->column_hz, p->column_hz);
        for (uint32_t c = 0; c < p->columns; c++) {
            text_add_bytes(out, ", ", 2);
            if (isnan(row_of(p, row)[c]))
                text_add(out, "nan");
            else
                text_add_level(out, (double)row_of(p, row)[c]);
        }
        text_add_bytes(out, "\n", 1);
    }
}

/* ---- PNG -------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* From the 5th percentile of the cells to their maximum, unless the request says otherwise. */
static int find_levels(const struct archive_picture *p, const struct archive_request *r,
                       double *bottom, double *top)
{
    const size_t cells = (size_t)p->rows * p->columns;
    float *sorted = malloc(cells * sizeof *sorted);
    size_t count = 0;
    if (!sorted)
        return -ENOMEM;
    for (size_t i = 0; i < cells; i++)
        if (!isnan(p->level[i]))
            sorted[count++] = p->level[i];
    qsort(sorted, count, sizeof *sorted, compare);
    *bottom = isnan(r->bottom_db) ? (double)(count ? sorted[count / 20] : -100) : r->bottom_db;
    *top = isnan(r->top_db) ? (double)(count ? sorted[count - 1] : 0) : r->top_db;
    *top = fmax(*top, *bottom + 1);
    free(sorted);
    return 0;
}

/* The newest row is at the top. Black: nothing was received. */
static int add_png(struct text *out, const struct archive_picture *p,
                   const struct archive_request *r)
{
    uint8_t palette[256][3];
    double bottom, top;
    uint8_t *pixel = malloc((size_t)p->rows * p->columns);
    const int err = pixel ? find_levels(p, r, &bottom, &top) : -ENOMEM;
    for (uint32_t row = 0; err == 0 && row < p->rows; row++) {
        uint8_t *line = pixel + (size_t)(p->rows - 1 - row) * p->columns;
        for (uint32_t c = 0; c < p->columns; c++) {
            const double share = ((double)row_of(p, row)[c] - bottom) / (top - bottom);
            line[c] = (uint8_t)(isnan(share) ? 0 : 1 + 254 * fmin(fmax(share, 0), 1));
        }
    }
    if (err == 0) {
        png_fill_palette(palette);
        png_write(out, &(struct png_picture){.width = p->columns,
                                             .height = p->rows,
                                             .pixel = pixel,
                                             .palette = (const uint8_t(*)[3])palette});
    }
    free(pixel);
    return err;
}

/* ---- bytes ------------------------------------------------------------------------------ */

static void add_binary(struct text *out, const struct archive_picture *p)
{
    uint8_t head[ARCHIVE_BINARY_HEAD] = {'F', 'S', 'V', '1'};
    bytes_put(head + 4, p->detector, 4);
    bytes_put(head + 8, p->rows, 4);
    bytes_put(head + 12, p->columns, 4);
    bytes_put(head + 16, (uint64_t)p->start_ns, 8);
    bytes_put(head + 24, (uint64_t)p->row_ns, 8);
    bytes_put_double(head + 32, p->low_hz);
    bytes_put_double(head + 40, p->column_hz);
    bytes_put(head + 48, p->period_ns, 8);
    text_add_bytes(out, (const char *)head, sizeof head);
    const size_t cells = (size_t)p->rows * p->columns;
    for (size_t i = 0; i < cells; i++) {
        uint8_t level[2];
        const bool none = isnan(p->level[i]);
        bytes_put(level, (uint16_t)(none ? INT16_MIN : (int16_t)lroundf(p->level[i] * 100)), 2);
        text_add_bytes(out, (const char *)level, 2);
    }
}

/* ---- what is asked for ------------------------------------------------------------------ */

static int answer_survey(struct text *out, const char *folder, const struct archive_request *r)
{
    struct survey s;
    const int err = survey_read(folder, &r->of_survey, &s);
    if (err < 0)
        return err;
    if (r->format == ARCHIVE_CSV)
        survey_write_csv(out, &s);
    else
        survey_write_json(out, &s);
    survey_finish(&s);
    return out->failed ? -ENOMEM : 0;
}

int archive_answer(struct text *out, const char *folder, const struct archive_request *r)
{
    struct archive_picture p;
    if (r->survey)
        return answer_survey(out, folder, r);
    int err = archive_read(folder, &r->picture, &p);
    if (err < 0)
        return err;
    if (r->format == ARCHIVE_PNG)
        err = add_png(out, &p, r);
    else if (r->format == ARCHIVE_BINARY)
        add_binary(out, &p);
    else if (r->format == ARCHIVE_CSV)
        add_csv(out, &p);
    else
        add_json(out, &p);
    archive_picture_finish(&p);
    return err < 0 ? err : out->failed ? -ENOMEM : 0;
}
