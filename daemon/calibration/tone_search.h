/*
 * tone_search.h - the level of a known tone, from which a row of a calibration table follows. Pure.
 */
#ifndef FFTD_DAEMON_CALIBRATION_TONE_SEARCH_H
#define FFTD_DAEMON_CALIBRATION_TONE_SEARCH_H

#include "daemon/line/trace.h"

struct reason;

/* Zeroed at first. */
struct tone_search {
    struct trace trace; /* the mean power of all lines */
    struct line newest; /* without its levels */
    uint64_t lines;
};

/* 0, -EINVAL: center, rate, gain or antenna changed, with one line in *why; or -ENOMEM. */
int tone_search_add(struct tone_search *c, const struct line *line, struct reason *why);

struct found_tone {
    double hz, level_dbfs, noise_dbfs; /* noise: the median of the bins */
};

/*
 * The tone nearest to at_hz, between two bins or not. -ERANGE with one line in *why: there is none
 * that is at least 20 dB above the noise within 5 % of the rate; or it is at the centre, where
 * radios have a tone of their own.
 */
int tone_search_find(const struct tone_search *c, double at_hz, struct found_tone *out,
                     struct reason *why);
void tone_search_finish(struct tone_search *c);

#endif
