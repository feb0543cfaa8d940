/*
 * report.h - the results of all measurements for one line. Immutable, shared by threads.
 */
#ifndef FFTD_DAEMON_MEASURE_REPORT_H
#define FFTD_DAEMON_MEASURE_REPORT_H

#include <stdatomic.h>

#include "daemon/calibration/active_calibration.h"
#include "daemon/measure/measure_setup.h"

struct near_name;

struct measure_report {
    char name[OPTION_NAME_MAX + 1];
    uint32_t owner; /* the client that it belongs to; 0: everybody's */
    const struct measure_ops *ops;
    struct detector_choice detector;
    enum trace_function function; /* of the trace */
    uint64_t lines;               /* combined in the trace */
    double vbw_hz;                /* of the trace; NAN: it has none */
    char reason[MEASURE_REASON];  /* why there are no values; "": there are */
    char note[MEASURE_REASON];    /* what to know about the values; "": nothing */
    enum measure_verdict verdict;
    unsigned values;
    struct measure_value value[MEASURE_VALUES];
    /* the table, as in struct measure_table */
    unsigned columns, rows, hz_column;
    struct {
        const char *name;
        enum measure_unit unit;
    } column[MEASURE_COLUMNS];
    double *cell; /* [rows][columns] */
};

struct measure_snapshot {
    atomic_uint refs;
    uint64_t line;     /* number */
    int64_t time_ns;   /* of its first sample */
    bool rate_assumed; /* frequencies are not known: stream/tuning.h */
    bool simulated;
    struct calibration_radio
        radio; /* with a reference to its table; levels in reports stay in dBFS */
    size_t count;
    struct measure_report report[]; /* in the order of the measurements */
};

/* With one user and empty reports; table: may be NULL. NULL: no memory. */
struct measure_snapshot *measure_snapshot_create(const struct line *line, size_t count,
                                                 struct calibration_table *table);
struct measure_snapshot *measure_snapshot_ref(struct measure_snapshot *s); /* NULL gives NULL */
void measure_snapshot_unref(struct measure_snapshot *s);                   /* NULL is fine */
const struct measure_report *measure_snapshot_find(const struct measure_snapshot *s, uint32_t owner,
                                                   const char *name);

/*
 * A value as others get it, in its unit: a level plus the offset of its frequency, if that is
 * calibrated. NAN in the place of what would follow from an assumed rate.
 */
struct measure_shown {
    double value;
    bool level;      /* dBm or dBFS, or a density */
    bool calibrated; /* it is in dBm or dBuV, or a density of these */
    bool microvolts; /* it is dBuV */
};
struct measure_shown measure_show(const struct measure_snapshot *s, enum measure_unit unit,
                                  double value, double at_hz);
/* As measure_unit_name, or "dbm", "dbm_hz", "dbuv", "dbuv_hz". */
const char *measure_shown_unit(const struct measure_shown *shown, enum measure_unit unit);
/*
 * Whether a measurement of this set-up may give a value of this name: "power", or with any unit in
 * which it may be written, "power_dbm". If it may not, it offers its names.
 */
bool measure_may_give(const struct measure_ops *ops, const void *state, const char *name,
                      struct near_name *near);

/* Copies a result, before the snapshot is shared. Without memory for the table it has no rows. */
void measure_report_set(struct measure_report *r, const struct measure_result *result);
void measure_report_copy(struct measure_report *r, const struct measure_report *from); /* as well */

#endif
