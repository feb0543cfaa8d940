/* capabilities.c - the conformance table, and lookups in it. */
#include "tests/support/engine/capabilities.h"

#include <string.h>

enum {
    ALL_FORMATS = 1 << FFT_IQ_CU8 | 1 << FFT_IQ_CS8 | 1 << FFT_IQ_CS16 | 1 << FFT_IQ_CF32,
    ALL_DETECTORS = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE,
    COMPLEX = 1 << FFT_TRANSFORM_FORWARD | 1 << FFT_TRANSFORM_INVERSE,
    ALL_TYPES = COMPLEX | 1 << FFT_TRANSFORM_R2C | 1 << FFT_TRANSFORM_C2R,
    MOST_POINTS = FFT_TRANSFORM_MAX_POINTS,
    LARGEST = FFT_SPECTRUM_MAX_N,
};

#define ALL_SPECTRA                                                                                \
    .min_n = 64, .max_n = LARGEST, .formats = ALL_FORMATS, .detectors = ALL_DETECTORS,             \
    .density = true
#define ALL_TRANSFORMS                                                                             \
    .types = ALL_TYPES, .rank = 3, .min_length = 1, .max_points = MOST_POINTS, .any_smooth = true, \
    .any_layout = true
#define QPU_SPECTRA                                                                                \
    .min_n = 256, .max_n = LARGEST, .formats = ALL_FORMATS, .detectors = ALL_DETECTORS,            \
    .density = true
#define QPU_TRANSFORMS .types = COMPLEX, .rank = 2, .min_length = 256, .max_points = LARGEST

static const struct capabilities table[] = {
    {"cpu", ALL_SPECTRA, .correction = true, ALL_TRANSFORMS},
    {"opencl", ALL_SPECTRA, .correction = true, ALL_TRANSFORMS},
    {"cuda", ALL_SPECTRA, .correction = true, ALL_TRANSFORMS},
    {"qpu", QPU_SPECTRA, .correction = true, QPU_TRANSFORMS},
    {"qpu-emu", QPU_SPECTRA, .correction = true, QPU_TRANSFORMS},
    /* the devices of host_device.h */
    {"device-plain", ALL_SPECTRA, ALL_TRANSFORMS},
    {"device-real", ALL_SPECTRA, ALL_TRANSFORMS},
    {"device-rotate", ALL_SPECTRA, ALL_TRANSFORMS},
    {"device-plane", ALL_SPECTRA, ALL_TRANSFORMS},
    {"device-limited", .min_n = 256, .max_n = 4096, .formats = 1 << FFT_IQ_CS16 | 1 << FFT_IQ_CF32,
     .detectors = FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX, .types = COMPLEX, .rank = 2,
     .min_length = 16, .max_points = 1 << 16},
};

const struct capabilities *capabilities_of(const char *engine)
{
    const size_t length = strcspn(engine, ":");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strlen(table[i].engine) == length && memcmp(table[i].engine, engine, length) == 0)
            return &table[i];
    return NULL;
}

bool capabilities_cover_spectrum(const struct capabilities *p,
                                 const struct fft_spectrum_config *plan)
{
    return plan->n >= p->min_n && plan->n <= p->max_n && (p->formats >> plan->format & 1) &&
           !(plan->detectors & ~p->detectors) && (p->density || !plan->density.columns) &&
           (p->correction || !plan->corrected);
}

bool capabilities_cover_transform(const struct capabilities *p,
                                  const struct fft_transform_config *plan)
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
