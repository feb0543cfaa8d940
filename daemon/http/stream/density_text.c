/* density_text.c - writes a density as JSON, and as a PNG with a palette of rising brightness. */
#include "daemon/http/stream/density_text.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/base/unix_time.h"
#include "daemon/format/png.h"

/* ---- JSON ------------------------------------------------------------------------------- */

/* null if it follows from an assumed rate. */
static void add_hz(struct text *out, const struct density *d, const char *name, double hz)
{
    char number[NUMBER_TEXT];
    text_add(out, " \"%s\": %s,\n", name, d->rate_assumed ? "null" : number_text(hz, number));
}

static void add_persistence(struct text *out, const struct density *d)
{
    char number[NUMBER_TEXT];
    if (isinf(d->persistence_s))
        text_add(out, " \"persistence\": \"infinite\",\n");
    else if (d->persistence_s > 0)
        text_add(out, " \"persistence\": %s,\n", number_text(d->persistence_s, number));
    else
        text_add(out, " \"persistence\": \"none\",\n");
}

static void add_head(struct text *out, const struct density *d)
{
    char time[UNIX_TIME_TEXT], number[NUMBER_TEXT];
    const double rate_hz = d->tuning.rate_hz, half_hz = rate_hz / d->n / 2;
    text_add(out, "{\"time\": \"%sZ\",\n \"line\": %llu,\n \"lines\": %llu,\n",
             unix_time_text(d->time_ns, "%Y-%m-%dT%H:%M:%S", time), (unsigned long long)d->line,
             (unsigned long long)d->lines);
    add_persistence(out, d);
    text_add(out, " \"frames\": %.15g,\n \"first_sample\": %llu,\n \"samples\": %llu,\n", d->frames,
             (unsigned long long)d->first_sample,
             (unsigned long long)(d->end_sample - d->first_sample));
    text_add(out, " \"center_hz\": %s,\n", number_text(d->tuning.center_hz, number));
    add_hz(out, d, "rate_hz", rate_hz);
    add_hz(out, d, "low_hz", d->tuning.center_hz - rate_hz / 2 - half_hz);
    add_hz(out, d, "high_hz", d->tuning.center_hz + rate_hz / 2 - half_hz);
    text_add(out,
             " \"fft_size\": %u,\n \"simulated\": %s,\n \"rate_assumed\": %s,\n \"columns\": %u,\n "
             "\"levels\": %u,\n \"top\": %.9g,\n \"step_db\": %.9g,\n \"unit\": \"dBFS\",\n",
             d->n, d->simulated ? "true" : "false", d->rate_assumed ? "true" : "false",
             d->shape.columns, d->shape.levels, (double)d->shape.top_db, (double)d->shape.step_db);
}

static void add_column(struct text *out, const double *hits, uint32_t levels)
{
    for (uint32_t r = 0; r < levels; r++)
        text_add(out, r > 0 ? ",%.7g" : "%.7g", hits[r]);
}

void density_write_json(struct text *out, const struct density *d)
{
    add_head(out, d);
    text_add(out, " \"hits\": [\n");
    for (uint32_t c = 0; c < d->shape.columns; c++) {
        text_add(out, c > 0 ? ",\n[" : "[");
        add_column(out, d->hits + (size_t)c * d->shape.levels, d->shape.levels);
        text_add(out, "]");
    }
    text_add(out, "]}\n");
}

/* ---- PNG -------------------------------------------------------------------------------- */

enum { DECADES = 4 };

static uint8_t color_of(double share)
{
    if (share <= 0)
        return 0;
    const double value = 1 + log10(share) / DECADES;
    if (value > 0)
        return (uint8_t)(1 + 254 * fmin(value, 1));
    return 1;
}

void density_write_png(struct text *out, const struct density *d)
{
    const size_t columns = d->shape.columns, levels = d->shape.levels;
    uint8_t palette[256][3];
    uint8_t *pixel = malloc(columns * levels);
    if (!pixel) {
        out->failed = true;
        return;
    }
    for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < levels; r++)
            pixel[r * columns + c] = color_of(d->hits[c * levels + r] / d->frames);
    png_fill_palette(palette);
    png_write(out, &(struct png_picture){.width = d->shape.columns,
                                         .height = d->shape.levels,
                                         .pixel = pixel,
                                         .palette = (const uint8_t(*)[3])palette});
    free(pixel);
}
