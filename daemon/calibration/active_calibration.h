/*
 * active_calibration.h - the calibration table in force, which a reload replaces while threads read
 * it.
 *
 * Lines stay in dBFS. Who writes a level for others holds the table for as long as one row, one
 * answer or one snapshot takes, and adds the offset.
 */
#ifndef FFTD_DAEMON_CALIBRATION_ACTIVE_CALIBRATION_H
#define FFTD_DAEMON_CALIBRATION_ACTIVE_CALIBRATION_H

#include <jansson.h>
#include <stdatomic.h>

#include "daemon/format/calibration.h"
#include "daemon/line/line.h"

/* Of levels that are written for others; in the order of the choices of level-unit. */
enum level_unit {
    LEVEL_AUTO, /* dBm, and dBFS for whole lines */
    LEVEL_DBFS,
    LEVEL_DBM,
    LEVEL_DBUV /* dBm + 106.99 */
};

/* The offset at a frequency; NAN: uncal. */
struct calibration_point {
    double hz, offset_db;
};
enum { CALIBRATION_POINTS = 34 };

/* What was in force when spectra were archived: linear between points in ascending order. */
struct calibration_curve {
    uint32_t number; /* of struct line */
    size_t count;
    struct calibration_point point[CALIBRATION_POINTS];
};
enum { CALIBRATION_CURVES = 64 }; /* more than the line ring has lines, where each is of a line */

/* Immutable while it is held. */
struct calibration_table {
    atomic_uint refs;
    enum level_unit unit;
    struct calibration calibration; /* of the file; without one it has no row */
    /* Of a replay of spectra: number modulo CALIBRATION_CURVES is the index. NULL: none. */
    struct calibration_curve *curve;
    uint32_t newest; /* number of the row read last; 0: it has no curve */
};

struct reason;
struct active_calibration;

int active_calibration_create(struct active_calibration **out); /* -ENOMEM */
void active_calibration_destroy(struct active_calibration *c);  /* NULL is fine */
/*
 * Loop thread: reads the file (NULL: none) and puts it in force. On an error the table in force
 * stays; one line in *why.
 */
int active_calibration_load(struct active_calibration *c, const char *path, enum level_unit unit,
                            struct reason *why);
/*
 * Thread of a replay: the rows that it reads next were archived with these offsets. Returns the
 * number for their lines. count 0: with none, so the file counts, and the number is 0; also without
 * memory.
 */
uint32_t active_calibration_set_curve(struct active_calibration *c,
                                      const struct calibration_point *points, size_t count);
/* Any thread. NULL: there is none, or c is NULL. */
struct calibration_table *active_calibration_ref(struct active_calibration *c);
struct calibration_table *calibration_table_ref(struct calibration_table *t); /* NULL is fine */
void calibration_table_unref(struct calibration_table *t);                    /* NULL is fine */

/* The radio of a level: what decides its offset besides the frequency. */
struct calibration_radio {
    struct calibration_table *table; /* NULL: none */
    uint32_t curve;                  /* number of its curve; 0: the table's file counts */
    struct tuning tuning;
    double gain_db;
    char serial[64];   /* "": unknown */
    bool rate_assumed; /* frequencies are not known */
};

struct calibration_radio calibration_radio_of(struct calibration_table *t, const struct line *line);
/* As it was tuned when the stream began. */
struct calibration_radio calibration_radio_of_stream(struct calibration_table *t,
                                                     const struct stream *s);
/* NAN: uncal, also if the table is for another radio. */
double calibration_radio_offset_db(const struct calibration_radio *radio, double hz);
/*
 * The offsets from low_hz to high_hz: points in ascending order, the first at low_hz and the last
 * at high_hz, and between them those of the table, between which the offset is linear. With more of
 * them than fit, the points are equally spaced. Returns their number; 0: the radio has no table.
 */
size_t calibration_radio_curve(const struct calibration_radio *radio, double low_hz, double high_hz,
                               struct calibration_point points[CALIBRATION_POINTS]);
/* [[Hz, dB], ...]; the dB of an uncal point are null. A new reference; NULL: no memory. */
json_t *calibration_curve_to_json(const struct calibration_point *points, size_t count);
/* From dBFS to the unit of the table. NAN: levels stay in dBFS. */
double calibration_radio_shift_db(const struct calibration_radio *radio, double hz);

#endif
