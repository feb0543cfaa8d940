/* lines.h - makes lines with known content, for tests of the parts after the line ring. */
#ifndef FFTD_TESTS_SUPPORT_SERVER_LINES_H
#define FFTD_TESTS_SUPPORT_SERVER_LINES_H

#include <stdio.h>
#include <stdlib.h>

#include "daemon/client/view.h"
#include "daemon/line/line.h"

static const unsigned all_detectors =
    FFT_DETECTOR_MEAN | FFT_DETECTOR_MAX | FFT_DETECTOR_MIN | FFT_DETECTOR_SAMPLE;

/* Sets all fields except the powers: 2.4 MS/s at 100 MHz, 50 % overlap. */
static inline void describe_line(struct line *line, uint64_t number)
{
    line->number = number;
    line->hop = line->n / 2;
    line->frames = 10;
    line->sample_count = 9 * (uint64_t)line->hop + line->n;
    line->first_sample = number * 10 * line->hop;
    line->time_ns = 1700000000000000000 + (int64_t)number * 50000000;
    line->tuning = (struct tuning){.center_hz = 100e6, .rate_hz = 2.4e6};
    line->gain_db = 20;
    line->enbw_bins = 1.5;
    line->engine = "cpu";
    line->gap_before = false;
    snprintf(line->window, sizeof line->window, "hann");
    line->ledger = (struct ledger){.produced = line->first_sample + line->sample_count,
                                   .seen = line->first_sample + line->sample_count,
                                   .frames = 10 * (number + 1),
                                   .lines = number + 1};
}

/* Sets every bin of every detector to `power`. */
static inline void fill_line(struct line *line, float power)
{
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        for (uint32_t k = 0; line->detector[t] && k < line->n; k++)
            line->detector[t][k] = power;
    }
}

/* Random powers over a range of 90 dB. Equal seeds give equal powers. */
static inline void fill_with_noise(struct line *line, unsigned seed)
{
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        for (uint32_t k = 0; line->detector[t] && k < line->n; k++)
            line->detector[t][k] = powf(10, -9.0F * (float)rand_r(&seed) / (float)RAND_MAX);
    }
}

static inline void add_tone(struct line *line, uint32_t bin, float power)
{
    for (unsigned t = 0; t < FFT_DETECTORS; t++) {
        if (line->detector[t])
            line->detector[t][bin] = power;
    }
}

/* Valid until the next call. */
static inline const struct view *view_of(double low_hz, double high_hz, uint32_t columns,
                                         unsigned detector)
{
    static struct view view;
    view = (struct view){
        .low_hz = low_hz, .high_hz = high_hz, .columns = columns, .detector = detector};
    return &view;
}

#endif
