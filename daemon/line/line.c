/* line.c - allocates lines, builds their max pyramids, and names the detectors. */
#include "daemon/line/line.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/line/resolution.h"
#include "daemon/stream/settings.h"

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

static unsigned count_detectors(unsigned detectors)
{
    return (unsigned)__builtin_popcount(detectors & ((1U << FFT_DETECTORS) - 1));
}

/* A detector and its pyramid: n + (n - 1) floats, rounded up to 2n to keep every array aligned. */
static size_t detector_bytes(const struct line_shape *shape)
{
    return 2 * (size_t)shape->n * count_detectors(shape->detectors) * sizeof(float);
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
        line->peak[t] = at + line->n;
        at += 2 * (size_t)line->n;
    }
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
    line->memory = aligned_alloc(64, detector_bytes(shape));
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

void line_build_pyramid(struct line *line)
{
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        if (line->detector[t])
            build_one(line->detector[t], line->peak[t], line->n);
    }
}

const float *line_peak_level(const struct line *line, unsigned detector_index, unsigned level)
{
    assert(detector_index < FFT_DETECTORS && line->detector[detector_index] &&
           line->n >> level > 0);
    /* Levels 1 .. l-1 hold n/2 + n/4 + ... = n - 2 * (n >> l) values. */
    return level == 0 ? line->detector[detector_index]
                      : line->peak[detector_index] + (line->n - 2 * (line->n >> level));
}

double line_bin_hz(const struct line *line)
{
    return line->tuning.rate_hz / line->n;
}

double line_low_hz(const struct line *line)
{
    return line->tuning.center_hz - line->tuning.rate_hz / 2;
}

double line_rbw_3db_hz(const struct line *line)
{
    return resolution_rbw_hz(line->n, line->width_3db_bins, line->tuning.rate_hz);
}

double line_rbw_hz(const struct line *line)
{
    return resolution_rbw_hz(line->n, line->enbw_bins, line->tuning.rate_hz);
}

double line_spectra_per_second(const struct line *line)
{
    return resolution_spectra_per_second(line->hop, line->tuning.rate_hz);
}

double line_poi_seconds(const struct line *line)
{
    return resolution_poi_seconds(line->n, line->hop, line->tuning.rate_hz);
}
