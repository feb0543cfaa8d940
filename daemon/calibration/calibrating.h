/*
 * calibrating.h - the level of a known tone, from which a row of a calibration table follows. Pure.
 */
#ifndef FFTD_DAEMON_CALIBRATION_CALIBRATING_H
#define FFTD_DAEMON_CALIBRATION_CALIBRATING_H

#include "daemon/line/trace.h"

struct reason;

/* Zeroed at first. */
struct calibrating {
    struct trace trace; /* the mean power of all lines */
    struct line newest; /* without its levels */
    uint64_t lines;
};

/* 0, -EINVAL: center, rate, gain or antenna changed, with one line in error; or -ENOMEM. */
int calibrating_add(struct calibrating *c, const struct line *line, struct reason *why);

struct calibrating_tone {
    double hz, level_dbfs, noise_dbfs; /* noise: the median of the bins */
};

/*
 * The tone nearest to at_hz, between two bins or not. -ERANGE with one line in error: there is none
 * that is at least 20 dB above the noise within 5 % of the rate; or it is at the centre, where
 * radios have a tone of their own.
 */
int calibrating_find(const struct calibrating *c, double at_hz, struct calibrating_tone *out,
                     struct reason *why);
void calibrating_finish(struct calibrating *c);

#endif
