/* calibration_options.h - the files of calibration and spurs, and the rows that a run adds to them.
 * Plain values. */
#ifndef FFTD_DAEMON_CALIBRATION_CALIBRATION_OPTIONS_H
#define FFTD_DAEMON_CALIBRATION_CALIBRATION_OPTIONS_H

#include <stdbool.h>

#include "daemon/option/option.h"

struct learn_options {
    const char *file; /* of --learn-spurs; NULL: it is not asked for */
    double threshold_db;
};

struct calibration_options {
    const char *file;        /* NULL: none */
    const char *spurs_file;  /* NULL: none */
    unsigned unit_index;     /* --level-unit: enum level_unit (active_calibration.h) */
    bool ppm;                /* --calibrate-ppm */
    double level_dbm, at_hz; /* of --calibrate-level and --calibrate-at; NAN: not given */
    struct learn_options learn;
};

extern const struct config_option calibration_options[];

#endif
