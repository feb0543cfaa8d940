/* line.c - allocates lines, builds their max pyramids, and names the detectors. */
#include "daemon/line/line.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/line/resolution.h"
#include "daemon/option/option.h"
#include "daemon/stream/settings.h"
#include "daemon/system/memory_block.h"

static const char *const detector_names[FFT_DETECTORS] = {"mean", "max", "min", "sample"};

int detector_index(const char *name)
{
    for (int t = 0; t < FFT_DETECTORS; t++) {
        if (strcmp(name, detector_names[t]) == 0)
            return t;
    }
    return -1;
}

const char *detector_name(unsigned index)
{
    return index < FFT_DETECTORS ? detector_names[index] : "?";
}

bool detector_is_on_demand(unsigned index)
{
    return 1U << index == FFT_DETECTOR_SAMPLE;
}

static unsigned count_detectors(unsigned detectors)
{
    return (unsigned)__builtin_popcount(detectors & ((1U << FFT_DETECTORS) - 1));
}

/* Floats for n bins or their pyramid, rounded up to keep every array aligned. */
static size_t array_floats(uint32_t n)
{
    return ((size_t)n + 15) / 16 * 16;
}

static size_t detector_bytes(const struct line_shape *shape)
{
    return 2 * array_floats(shape->n) * count_detectors(shape->detectors) * sizeof(float);
}

size_t line_bytes(const struct line_shape *shape)
{
    return sizeof(struct line) + detector_bytes(shape) +
           density_cells(&shape->density) * sizeof(uint32_t);
}

bool line_has_shape(const struct line *line, const struct line_shape *shape)
{
    return line->n == shape->n && line->detectors == shape->detectors &&
           density_equal(&line->density, &shape->density);
}

static void divide_memory(struct line *line)
{
    float *at = line->memory;
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        if (!(line->detectors & 1U << t))
            continue;
        line->detector[t] = at;
        line->peak[t] = at + array_floats(line->n);
        at += 2 * array_floats(line->n);
    }
}

void line_copy_facts(struct line *out, const struct line *line)
{
    const size_t from = offsetof(struct line, number), to = offsetof(struct line, pyramids);
    const size_t rest = to + sizeof line->pyramids;
    memcpy((char *)out + from, (const char *)line + from, to - from);
    atomic_store(&out->pyramids, atomic_load(&line->pyramids));
    memcpy((char *)out + rest, (const char *)line + rest, sizeof *line - rest);
}

struct line *line_create(const struct line_shape *shape)
{
    const size_t cells = density_cells(&shape->density);
    struct line *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    line->n = shape->n;
    line->detectors = shape->detectors;
    line->density = shape->density;
    line->memory = block_take(detector_bytes(shape), array_floats(shape->n) * sizeof(float));
    line->hits = cells > 0 ? calloc(cells, sizeof *line->hits) : NULL;
    if (!line->memory || (cells > 0 && !line->hits)) {
        line_destroy(line);
        return NULL;
    }
    divide_memory(line);
    return line;
}

void line_destroy(struct line *line)
{
    if (!line)
        return;
    free(line->memory);
    free(line->hits);
    free(line);
}

static void build_one(const float *detector, float *peak, uint32_t n)
{
    const float *below = detector;
    for (size_t count = n / 2; count > 0; count /= 2) {
        for (size_t i = 0; i < count; i++)
            peak[i] = below[2 * i] > below[2 * i + 1] ? below[2 * i] : below[2 * i + 1];
        below = peak;
        peak += count;
    }
}

void line_reset_pyramids(struct line *line)
{
    atomic_store(&line->pyramids, 0);
}

/* The pyramid is a part of the line that its first reader computes, so the line is const to it. */
void line_need_pyramid(const struct line *line, unsigned detector_index)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct line *whole = (struct line *)line;
    const unsigned bit = 1U << detector_index;
    if (atomic_load(&whole->pyramids) & bit)
        return;
    pthread_mutex_lock(&lock);
    if (!(atomic_load(&whole->pyramids) & bit)) {
        build_one(line->detector[detector_index], line->peak[detector_index], line->n);
        atomic_fetch_or(&whole->pyramids, bit);
    }
    pthread_mutex_unlock(&lock);
}

uint32_t line_fft_size(const struct line *line)
{
    return line->dwells ? line->fft_size : line->n;
}

double line_sample_rate_hz(const struct line *line)
{
    return line->dwells ? line->sample_rate_hz : line->tuning.rate_hz;
}

double line_bin_hz(const struct line *line)
{
    return line->tuning.rate_hz / line->n;
}

double line_low_hz(const struct line *line)
{
    return line->tuning.center_hz - line->tuning.rate_hz / 2;
}

/* Half the band in bins, where rounding must not lose one: n/2 +- half. */
struct line_bins line_usable_bins(const struct line *line)
{
    const double part = line->usable_percent > 0 ? line->usable_percent / 100 : 1;
    const uint32_t middle = line->n / 2, half = (uint32_t)floor(middle * fmin(part, 1) + 1e-6);
    return (struct line_bins){middle - half, half < middle ? middle + half : line->n - 1};
}

struct line_band line_usable_band(const struct line *line)
{
    const struct line_bins usable = line_usable_bins(line);
    const double low_hz = line_low_hz(line), bin_hz = line_bin_hz(line);
    return (struct line_band){low_hz + (usable.first - 0.5) * bin_hz,
                              low_hz + (usable.last + 0.5) * bin_hz};
}

bool line_clip_band(const struct line *line, double *low_hz, double *high_hz)
{
    const struct line_band usable = line_usable_band(line);
    const double bin_hz = line_bin_hz(line);
    if (!(*low_hz > usable.low_hz - bin_hz && *high_hz < usable.high_hz + bin_hz))
        return false;
    const double low = fmax(*low_hz, usable.low_hz), high = fmin(*high_hz, usable.high_hz);
    if (!(low < high))
        return false;
    *low_hz = low;
    *high_hz = high;
    return true;
}

double line_rbw_3db_hz(const struct line *line)
{
    return resolution_rbw_hz(line->n, line->width_3db_bins, line->tuning.rate_hz);
}

double line_rbw_hz(const struct line *line)
{
    return resolution_rbw_hz(line->n, line->enbw_bins, line->tuning.rate_hz);
}

bool detector_parse(const char *name, unsigned *index, double *percent)
{
    const int found = detector_index(name);
    *percent = 0;
    *index = PERCENTILE_DETECTOR;
    if (found >= 0) {
        *index = (unsigned)found;
        return true;
    }
    if (strcmp(name, "median") == 0)
        *percent = 50;
    else if (name[0] == 'p' && strlen(name) < DETECTOR_TEXT / 2 &&
             strspn(name + 1, "0123456789.") == strlen(name + 1))
        *percent = strtod(name + 1, NULL);
    return *percent > 0 && *percent <= 100;
}

static int parse_choice(const char *text, void *field)
{
    struct detector_choice *choice = field;
    return detector_parse(text, &choice->index, &choice->percent) ? 0 : -EINVAL;
}

const struct option_form detector_form = {.parse = parse_choice};

const char *detector_text(unsigned index, double percent, char into[DETECTOR_TEXT])
{
    if (!(percent > 0))
        snprintf(into, DETECTOR_TEXT, "%s", detector_name(index));
    else if (percent - 50 == 0)
        snprintf(into, DETECTOR_TEXT, "median");
    else
        snprintf(into, DETECTOR_TEXT, "p%.6g", percent);
    return into;
}
