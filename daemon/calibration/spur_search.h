/*
 * spur_search.h - the lines of a spectrum that stand above the noise: entries for a spur list.
 * Pure.
 */
#ifndef FFTD_DAEMON_CALIBRATION_SPUR_SEARCH_H
#define FFTD_DAEMON_CALIBRATION_SPUR_SEARCH_H

#include "daemon/format/spur_list.h"
#include "daemon/line/trace.h"

struct reason;

/* Zeroed at first. */
struct spur_search {
    struct trace trace; /* the mean power of all lines */
    struct line newest; /* without its levels */
};

/* 0, -EINVAL: center, rate, gain or antenna changed, with one line in *why; or -ENOMEM. */
int spur_search_add(struct spur_search *l, const struct line *line, struct reason *why);

struct found_spurs {
    size_t count;
    struct {
        struct spur spur; /* relative at the centre, absolute elsewhere; without a note */
        double above_db;  /* the noise floor */
    } line[SPURS_MAX];    /* by frequency; more than these are left out */
};

/*
 * The runs of bins that are threshold_db above the noise floor, in the usable band, without those
 * that `known` (NULL: nothing) lists. The floor is that of parts of the band, from their medians.
 * -ERANGE with one line in *why: there are too few spectra to distinguish a line from noise;
 * -ENOMEM.
 */
int spur_search_find(const struct spur_search *l, double threshold_db,
                     const struct spur_list *known, struct found_spurs *out, struct reason *why);
void spur_search_finish(struct spur_search *l);

#endif
