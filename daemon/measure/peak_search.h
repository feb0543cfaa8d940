/*
 * peak_search.h - finds the peaks of a trace. Pure.
 *
 * A peak rises above the threshold by the excursion and falls back by the excursion on both sides;
 * a trace below the threshold does not count. Of equal bins the leftmost is the peak
 * (Keysight N9010A, "Peak Threshold" and "Peak Excursion"). A peak on the spur list is left out,
 * and so is its skirt, which is no peak of its own.
 */
#ifndef FFTD_DAEMON_MEASURE_PEAK_SEARCH_H
#define FFTD_DAEMON_MEASURE_PEAK_SEARCH_H

#include "daemon/calibration/band_rules.h"
#include "daemon/line/powers.h"

struct peak {
    uint32_t bin;
    float power;
};

struct peak_rule {
    double threshold_db, excursion_db;
    uint32_t most; /* peaks that are found, at least 1; the strongest remain */
};

/* Searches bins first .. last. Returns the number of found[rule->most], the strongest first. */
uint32_t peak_search(const struct peak_rule *rule, const struct powers *powers,
                     struct line_bins bins, const struct band_rules *spurs, struct peak *found);

#endif
