/* measure_list.c - the measurements, in alphabetical order. A new one is its file and one row. */
#include "daemon/measure/measure.h"

extern const struct measure_ops measure_acpr;
extern const struct measure_ops measure_am;
extern const struct measure_ops measure_band_power;
extern const struct measure_ops measure_bandwidth;
extern const struct measure_ops measure_ccdf;
extern const struct measure_ops measure_channel_power;
extern const struct measure_ops measure_delta_marker;
extern const struct measure_ops measure_fm;
extern const struct measure_ops measure_frequency_counter;
extern const struct measure_ops measure_marker;
extern const struct measure_ops measure_mask;
extern const struct measure_ops measure_noise_marker;
extern const struct measure_ops measure_obw;
extern const struct measure_ops measure_occupancy;
extern const struct measure_ops measure_peaks;
extern const struct measure_ops measure_snr;
extern const struct measure_ops measure_zero_span;

const struct measure_ops *const measure_list[] = {
    &measure_acpr,         &measure_am,        &measure_band_power,
    &measure_bandwidth,    &measure_ccdf,      &measure_channel_power,
    &measure_delta_marker, &measure_fm,        &measure_frequency_counter,
    &measure_marker,       &measure_mask,      &measure_noise_marker,
    &measure_obw,          &measure_occupancy, &measure_peaks,
    &measure_snr,          &measure_zero_span,
};
const size_t measure_count = sizeof measure_list / sizeof measure_list[0];
