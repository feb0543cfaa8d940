/* measure_list.c - the measurements, in alphabetical order. A new one is its file and one row. */
#include "daemon/measure/measure.h"

/* clang-format off */
#define MEASUREMENTS(one) \
    one(acpr) \
    one(am) \
    one(band_power) \
    one(bandwidth) \
    one(ccdf) \
    one(channel_power) \
    one(delta_marker) \
    one(fm) \
    one(frequency_counter) \
    one(marker) \
    one(mask) \
    one(noise_marker) \
    one(obw) \
    one(occupancy) \
    one(peaks) \
    one(snr) \
    one(zero_span)
/* clang-format on */

#define DECLARATION(name) extern const struct measure_ops measure_##name;
MEASUREMENTS(DECLARATION)

#define POINTER(name) &measure_##name,
const struct measure_ops *const measure_list[] = {MEASUREMENTS(POINTER)};
const size_t measure_count = sizeof measure_list / sizeof measure_list[0];
