/* record_options.h - where recordings are stored, and their limits. Plain values. */
#ifndef FFTD_DAEMON_RECORD_RECORD_OPTIONS_H
#define FFTD_DAEMON_RECORD_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/option/option.h"

struct record_options {
    const char *folder;   /* NULL: recording is off */
    bool all;             /* record every epoch from its first sample on */
    uint64_t max_bytes;   /* of all recordings in the folder: the oldest are deleted; 0: no limit */
    double max_age_s;     /* older ones are deleted; 0: no limit */
    uint64_t min_free;    /* bytes of the disk that recordings leave free */
    uint64_t events_max;  /* bytes an hour of recordings of events; 0: no limit */
    double pre_s, post_s; /* recorded before and after the event of a trigger */
    unsigned cut_cs16;    /* samples of bands: cs16 instead of cf32 */
    uint64_t iq_history;  /* bytes of the disk ring; 0: none */
    const char *iq_history_folder; /* NULL: that of recordings */
    uint64_t split; /* bytes of data after which a recording continues in the next pair; 0 */
};

extern const struct config_option record_options[];

#endif
