/*
 * condition.h - a condition: the test of a frame that fires a trigger.
 *
 * A condition is one file in this room and one row of condition_list.c: a state, options that set
 * its fields, and hooks. It is a rising function of `high` and a falling one of `low`, where a
 * frame gives its powers for both. So a line decides for all of its frames:
 *
 *     meets(max, min) is false    no frame of the line meets the condition
 *     meets(min, max) is true     every frame does
 *     otherwise                   the frames decide, one by one (refiner.h)
 *
 * Powers are linear, 1.0 = 0 dBFS, bin n/2 = centre. Nothing here starts a thread, waits, or knows
 * clients; `load` alone reads files. Hooks other than check and load: the trigger thread.
 */
#ifndef FFTD_DAEMON_TRIGGER_CONDITION_CONDITION_H
#define FFTD_DAEMON_TRIGGER_CONDITION_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/line/line.h"
#include "daemon/measure/report.h"
#include "daemon/option/option.h"

struct reason;

/* Where the condition is met. */
struct condition_hit {
    uint32_t first, last; /* the lowest and the highest bin */
    uint32_t peak_bin;
    double peak; /* linear power: of a bin, or of the band; NAN: none */
};

/* Levels against frequency, straight in dB between two points; for people. */
enum { CONDITION_POINTS = 512 };
struct condition_limit {
    size_t count; /* 0: none */
    struct {
        double hz, dbfs;
    } point[CONDITION_POINTS]; /* their frequencies rise */
};
struct condition_limits {
    struct condition_limit upper, lower;
};

/* A value of a measurement, as its results name it. */
enum { CONDITION_VALUE = 128 };
struct condition_measured {
    char name[OPTION_NAME_MAX + 1];
    char value[CONDITION_VALUE]; /* "": its verdict */
};

struct condition_ops {
    const char *name, *about;            /* "level"; about: one sentence for help */
    const struct config_option *options; /* fields of the state; `section` is the name */
    size_t option_count;
    size_t state_bytes;
    /* (optional) Relations between options. -EINVAL with one line in *why. */
    int (*check)(const void *state, struct reason *why);
    /* (optional) After check: reads the files that options name. -errno with one line in *why. */
    int (*load)(void *state, struct reason *why);
    /*
     * Before meets, with each line: finds its bins when frequencies or sizes have changed. 0;
     * -ERANGE: it cannot be decided for such lines, and `reason` says why; -EAGAIN: the same, but
     * for later ones; -ENOMEM. Its band is checked first.
     */
    int (*prepare)(void *state, const struct line *line, struct reason *why);
    /* (with prepare) hit: written if it is met; NULL: not needed. */
    bool (*meets)(const void *state, const float *high, const float *low,
                  struct condition_hit *hit);
    /*
     * (in place of meets, with prepare) Decides without spectra: writes whether frame `first` of
     * the line meets the condition, and returns how many frames from it on are alike, at least 1.
     * hit: written if they meet it.
     */
    uint64_t (*decide)(const void *state, const struct line *line, uint64_t first, bool *met,
                       struct condition_hit *hit);
    /*
     * (in place of meets and decide) Decides by the results of measurements for the line; NULL: it
     * has none. 0, or -ERANGE with the reason: it cannot be decided.
     */
    int (*judge)(const void *state, const struct measure_snapshot *s, bool *met,
                 struct reason *why);
    /* (with judge) Writes which measurement it decides by. */
    void (*measurement)(const void *state, struct condition_measured *out);
    /* (optional) True: samples within full scale do not meet it, and the reason says why. */
    bool (*is_beyond_scale)(const void *state, struct reason *why);
    /*
     * (optional) The limits that it compares bins with: writes them, unless out is NULL. Returns
     * how often they have changed.
     */
    uint32_t (*limits)(const void *state, struct condition_limits *out);
    bool by_line; /* (with decide) a line is decided as a whole: its events are not exact */
    bool density; /* lines need a density */
    void (*finish)(void *state); /* (optional) frees what the others allocated; zeroed is fine */
};

extern const struct condition_ops *const condition_list[];
extern const size_t condition_count;

const struct condition_ops *condition_find(const char *name); /* NULL: none */
bool condition_is_command(const struct condition_ops *ops);   /* no line meets it */

/* Reads "LOW:HIGH"; frequencies below 0 are those of a recording without a centre. 0 or -EINVAL. */
int condition_parse_band(const char *text, double *low_hz, double *high_hz);

/* The bins whose centres are in a band. A change of the line's frequencies moves them. */
struct condition_band {
    uint32_t n, first, last;
    double bin_hz, low_hz; /* of the line */
};

/*
 * For prepare hooks: low_hz to high_hz, or the usable band if both are 0. Returns 1 if the bins are
 * others than before, else 0. -ERANGE with the reason: the band is not within the usable band.
 */
int condition_band_update(struct condition_band *b, const struct line *line, double low_hz,
                          double high_hz, struct reason *why);

/*
 * For is_beyond_scale: whether a level is above that of any samples within full scale. Those whose
 * I and Q are both at full scale have 3.01 dBFS; windows with negative lobes add less than the
 * rest.
 */
bool condition_is_beyond_scale(double level_dbfs, struct reason *why);

/* The option `band` of a condition: its check, and the bins that its text means ("": all). */
enum { CONDITION_BAND = 64 };
int condition_check_band(const char *text);
int condition_band_find(struct condition_band *b, const struct line *line, const char *text,
                        struct reason *why);

#endif
