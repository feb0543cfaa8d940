/*
 * measure.h - a measurement: what an instrument says about a band, a tone or a limit.
 *
 * A measurement is one file in types/ and one row of measure_list.c: a state, options that set
 * its fields, and hooks. It gets one input for each line and fills one result. Nothing here starts
 * a thread, waits, or knows clients; `load` alone reads files. All functions: the thread that owns
 * the state.
 *
 * Power is linear inside, 1.0 = 0 dBFS. Levels in a result are in dBFS or dBFS/Hz; calibration is
 * added where results are written. A measurement that cannot be right gives a reason and no value.
 */
#ifndef FFTD_DAEMON_MEASURE_MEASURE_H
#define FFTD_DAEMON_MEASURE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/calibration/band_rules.h"
#include "daemon/line/trace.h"
#include "daemon/option/option.h"
#include "fft/iq.h"

struct reason;
struct calibration_radio;

enum measure_unit {
    MEASURE_DBFS,    /* a level: calibrated to dBm where the calibration of at_hz is known */
    MEASURE_DBFS_HZ, /* a density, the same way */
    MEASURE_DB,      /* a ratio */
    MEASURE_HZ,
    MEASURE_PERCENT,
    MEASURE_SECONDS,
    MEASURE_COUNT
};

enum { MEASURE_VALUES = 12, MEASURE_COLUMNS = 8, MEASURE_ROWS = 256, MEASURE_REASON = 160 };

struct measure_value {
    const char *name; /* static, as in JSON: "power_dbfs" without the unit: "power" */
    enum measure_unit unit;
    double value; /* NAN: unknown, while the others are right */
    double at_hz; /* of a level or density: the frequency whose calibration applies */
};

enum measure_verdict { MEASURE_NO_LIMIT, MEASURE_PASS, MEASURE_FAIL };

/* Rows of equal kind: peaks, offsets, segments of a mask, channels. */
struct measure_table {
    unsigned columns, rows;
    struct {
        const char *name;
        enum measure_unit unit;
    } column[MEASURE_COLUMNS];
    unsigned hz_column; /* has the frequency whose calibration applies to the levels of a row */
    double cell[MEASURE_ROWS][MEASURE_COLUMNS]; /* NAN: unknown */
};

struct measure_result {
    char reason[MEASURE_REASON]; /* why it cannot be right; then there are no values. "": it is */
    char note[MEASURE_REASON];   /* what to know about the values; "": nothing */
    enum measure_verdict verdict;
    unsigned values;
    struct measure_value value[MEASURE_VALUES];
    struct measure_table table;
};

/* A value that a measurement may give. */
struct measure_name {
    const char *name; /* as in struct measure_value */
    enum measure_unit unit;
};

/* What a measurement sees of one line. */
struct measure_input {
    const struct line *line; /* frequencies, RBW, time; the caller keeps it */
    const float *power;      /* [line->n] linear: the measurement's own trace, bin n/2 = centre */
    unsigned detector;       /* index of the detector that the trace is made of */
    double percent;          /* above 0: a percentile instead, of the density's columns */
    enum trace_function function; /* of the trace */
    uint64_t lines;               /* combined in the trace; 1: clear/write */
    bool relative;                /* the trace is a ratio to a reference: its levels are in dB */
    /*
     * Bins on the spur list: searches, peaks, occupancy and noise floors leave them out; sums of
     * power and markers at a frequency do not. NULL: none.
     */
    const struct band_rules *rules;
    const struct calibration_radio *radio; /* for limits in dBm; NULL: uncal */
    const struct fft_iq *iq; /* consecutive samples from the line's first one, full scale 1.0 */
    size_t iq_count;         /* 0: none were requested, or they are gone */
};

struct measure_ops {
    const char *name, *about;            /* "channel-power"; about: one sentence for help */
    const struct config_option *options; /* fields of the state; `section` is the name */
    size_t option_count;
    size_t state_bytes;
    const struct measure_name *values; /* all that update may add; a name that is NULL ends them */
    bool has_verdict;                  /* with a limit */
    bool needs_power;                  /* measure_needs_power, before each update */
    /* (optional) Whether this set-up gives one of `values`, or with "" a verdict. Absent: all. */
    bool (*gives)(const void *state, const char *value);
    /* (optional) Relations between options. -EINVAL with one line in *why. */
    int (*check)(const void *state, struct reason *why);
    /*
     * (optional) After check: reads the files that options name. -errno with one line in *why.
     * Options of the kind OPTION_STRING name files; clients may not set them.
     */
    int (*load)(void *state, struct reason *why);
    /* (with load) Whether two states with equal options have read the same. */
    bool (*same_files)(const void *a, const void *b);
    /* (optional) Consecutive samples that update needs of this line; at most 1 << 20. */
    size_t (*iq_samples)(const void *state, const struct line *line);
    /*
     * Fills *out, which is zeroed. 0, or -ERANGE: it cannot be right now, and out->reason says why.
     * May allocate when the line's shape has changed: -ENOMEM.
     */
    int (*update)(void *state, const struct measure_input *in, struct measure_result *out);
    void (*finish)(void *state); /* (optional) frees what update allocated; zeroed is fine */
};

extern const struct measure_ops *const measure_list[];
extern const size_t measure_count;

const struct measure_ops *measure_find(const char *name); /* NULL: none */
/* Whether update may add this value of ops->values, or with "" a verdict. */
bool measure_gives(const struct measure_ops *ops, const void *state, const char *value);
/* ops->update, which gives nothing but what measure_gives states, in the units of ops->values. */
int measure_update(const struct measure_ops *ops, void *state, const struct measure_input *in,
                   struct measure_result *out);
/* Suffix of a value's name in JSON and metrics: "dbfs", "dbfs_hz", "db", "hz", "percent", "s", "".
 */
const char *measure_unit_name(enum measure_unit unit);

/* For update hooks: */
void measure_add(struct measure_result *out, const char *name, enum measure_unit unit, double value,
                 double at_hz);
/* True if the trace keeps the mean power of noise. */
bool measure_keeps_power(const struct measure_input *in);
/*
 * 0 if the trace keeps the mean power of noise: the mean or sample detector in clear/write, average
 * or exponential. Else -ERANGE, and the reason names the detector or the trace function.
 */
int measure_needs_power(const struct measure_input *in, struct measure_result *out);
/* Appends a row of NAN and returns it; the table must have room. */
double *measure_add_row(struct measure_result *out);
/* Writes the reason, and returns -ERANGE. */
int measure_refuse(struct measure_result *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
