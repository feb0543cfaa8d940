/* capabilities.c - the table. */
#include "tests/support/engine/capabilities.h"

#include <string.h>

enum {
    ALL_FORMATS = 1 << FFT_IQ_CU8 | 1 << FFT_IQ_CS8 | 1 << FFT_IQ_CS16 | 1 << FFT_IQ_CF32,
    ALL_TRACES = FFT_TRACE_MEAN | FFT_TRACE_MAX | FFT_TRACE_MIN | FFT_TRACE_SAMPLE,
    COMPLEX = 1 << FFT_TRANSFORM_FORWARD | 1 << FFT_TRANSFORM_INVERSE,
    ALL_TYPES = COMPLEX | 1 << FFT_TRANSFORM_R2C | 1 << FFT_TRANSFORM_C2R,
    MOST_POINTS = FFT_TRANSFORM_MAX_POINTS,
    LARGEST = FFT_SPECTRUM_MAX_N,
};

/* clang-format off */
static const struct capabilities table[] = {
    /*               spectra: n    formats      traces      density  transforms: types, rank, points, 7-smooth, strided */
    {"cpu",           64, LARGEST, ALL_FORMATS, ALL_TRACES, true,    ALL_TYPES, 3, 1, MOST_POINTS, true, true},
    {"opencl",        64, LARGEST, ALL_FORMATS, ALL_TRACES, true,    ALL_TYPES, 3, 1, MOST_POINTS, true, true},
    {"cuda",          64, LARGEST, ALL_FORMATS, ALL_TRACES, true,    ALL_TYPES, 3, 1, MOST_POINTS, true, true},
    {"qpu",          256, LARGEST, ALL_FORMATS, ALL_TRACES, true,    COMPLEX, 2, 256, LARGEST, false, false},
    {"qpu-emu",      256, LARGEST, ALL_FORMATS, ALL_TRACES, true,    COMPLEX, 2, 256, LARGEST, false, false},
    /* the devices that do not exist (host_device.h) */
    {"device-plain",  64, LARGEST, ALL_FORMATS, ALL_TRACES, true,    ALL_TYPES, 3, 1, MOST_POINTS, true, true},
    {"device-real",   64, LARGEST, ALL_FORMATS, ALL_TRACES, true,    ALL_TYPES, 3, 1, MOST_POINTS, true, true},
    {"device-rotate", 64, LARGEST, ALL_FORMATS, ALL_TRACES, true,    ALL_TYPES, 3, 1, MOST_POINTS, true, true},
    {"device-lesser", 256, 4096, 1 << FFT_IQ_CS16 | 1 << FFT_IQ_CF32, FFT_TRACE_MEAN | FFT_TRACE_MAX, false, COMPLEX, 2, 16, 1 << 16, false, false},
};
/* clang-format on */

const struct capabilities *capabilities_of(const char *engine)
{
    const size_t length = strcspn(engine, ":");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strlen(table[i].engine) == length && memcmp(table[i].engine, engine, length) == 0)
            return &table[i];
    return NULL;
}

bool capabilities_cover_spectrum(const struct capabilities *p, const struct fft_spectrum_plan *plan)
{
    return plan->n >= p->min_n && plan->n <= p->max_n && (p->formats >> plan->format & 1) &&
           !(plan->traces & ~p->traces) && (p->density || !plan->density.columns);
}

bool capabilities_cover_transform(const struct capabilities *p,
                                  const struct fft_transform_plan *plan)
{
    static const struct fft_transform_layout packed;
    uint64_t points = 1;

    if (!(p->types >> plan->type & 1) || plan->rank > p->rank)
        return false;
    for (uint32_t axis = 0; axis < plan->rank; axis++) {
        const uint32_t n = plan->n[axis];
        points *= n;
        if (n < p->min_length || (!p->any_smooth && (n & (n - 1)) != 0))
            return false;
    }
    return points <= p->max_points &&
           (p->any_layout || (memcmp(&plan->in, &packed, sizeof packed) == 0 &&
                              memcmp(&plan->out, &packed, sizeof packed) == 0));
}
