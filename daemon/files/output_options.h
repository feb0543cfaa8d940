/* output_options.h - which outputs are written, their form and their limits. Plain values. */
#ifndef FFTD_DAEMON_FILES_OUTPUT_OPTIONS_H
#define FFTD_DAEMON_FILES_OUTPUT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "daemon/option/option.h"

struct output_options {
    const char *csv, *json, *measure_json, *events, *stats; /* file, "-" or NULL */
    unsigned csv_form;       /* --csv-format: enum csv_form (output/row.h) */
    unsigned csv_time_index; /* --csv-time: 0 microseconds, 1 seconds */
    unsigned detector_index; /* --detector: 0 mean, 1 max, 2 min, 3 sample */
    bool overwrite;          /* empty files that exist, once, at the start */
    uint64_t max_bytes;      /* of each file: it is renamed then; 0: no limit */
    double max_age_s;        /* the same */
    uint32_t keep;           /* renamed files of each output; 0: all */
    uint64_t lines;          /* stop after this many; 0: no limit */
    double duration_s;       /* stop after this much of samples; 0: no limit */
};

extern const struct config_option output_options[];

#endif
