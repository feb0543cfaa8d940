/*
 * calibrator.h - the calibration table in force, which a reload replaces while threads read it.
 *
 * Lines stay in dBFS. Who writes a level for others holds the table for as long as one row, one
 * answer or one snapshot takes, and adds the offset.
 */
#ifndef FFTD_DAEMON_MEASURE_CALIBRATOR_H
#define FFTD_DAEMON_MEASURE_CALIBRATOR_H

#include <stdatomic.h>

#include "daemon/format/calibration.h"
#include "daemon/line/line.h"

/* Immutable while it is held. */
struct calibration_table {
    atomic_uint holders;
    struct calibration calibration;
};

struct calibrator;

int calibrator_create(struct calibrator **out); /* -ENOMEM */
void calibrator_destroy(struct calibrator *c);  /* NULL is fine */
/*
 * Loop thread: reads the file (NULL: none) and puts it in force. On an error the table in force
 * stays; one line in error.
 */
int calibrator_load(struct calibrator *c, const char *path, char *error, size_t error_size);
/* Any thread. NULL: there is none, or c is NULL. */
struct calibration_table *calibrator_hold(struct calibrator *c);
struct calibration_table *calibration_table_hold(struct calibration_table *t); /* NULL is fine */
void calibration_table_drop(struct calibration_table *t);                      /* NULL is fine */

/* The radio of a level: what decides its offset besides the frequency. */
struct calibration_radio {
    struct calibration_table *table; /* NULL: none */
    struct tuning tuning;
    double gain_db;
    bool rate_assumed; /* frequencies are not known */
};

struct calibration_radio calibration_radio_of(struct calibration_table *t, const struct line *line);
/* NAN: uncal. */
double calibration_radio_offset_db(const struct calibration_radio *radio, double hz);

#endif
