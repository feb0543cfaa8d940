/*
 * band_plan.h - band plans and bookmarks: names of frequencies, from files of other programs. Pure,
 * any thread.
 *
 * The contents show which of these forms the text has:
 *
 *     SDR++'s band plan       JSON: {"bands": [{"name", "type", "start", "end"}, ...]}, in Hz
 *     gqrx's bandplan.csv     low, high, mode, step, color, name[, region, country, use]
 *     gqrx's bookmarks.csv    tag ; color, and hz ; name ; mode ; width ; tag,tag
 *
 * In CSV, # begins a comment, and rows of both kinds may stand in one file.
 */
#ifndef FFTD_DAEMON_FORMAT_BAND_PLAN_H
#define FFTD_DAEMON_FORMAT_BAND_PLAN_H

#include <stddef.h>

struct reason;

enum {
    BANDS_MAX = 4096,
    BOOKMARKS_MAX = 4096,
    BAND_TAGS_MAX = 256,
    BAND_NAME = 96,
    BAND_KIND = 40,
    BAND_COLOR = 24,
    BAND_PLAN_BYTES_MAX = 1 << 20,
};

struct band {
    double low_hz, high_hz; /* low_hz < high_hz */
    char name[BAND_NAME];
    char kind[BAND_KIND];   /* "amateur"; "": not given */
    char color[BAND_COLOR]; /* "#rrggbb" or a name of CSS; "": not given */
};

struct bookmark {
    double hz, width_hz; /* width_hz 0: not given */
    char name[BAND_NAME];
    char mode[BAND_KIND];   /* "Narrow FM"; "": not given */
    char tags[BAND_NAME];   /* separated by commas; "": none */
    char color[BAND_COLOR]; /* of the first tag with one */
};

struct band_plan {
    size_t band_count, bookmark_count;
    struct band *band;
    struct bookmark *bookmark;
    char left_out[200]; /* the first row without a meaning, and why; "": none */
};

/*
 * Adds the rows of a text. `name` begins every error: "NAME:3: ...". 0, -EINVAL, or -ENOMEM; the
 * plan then has the rows before the mistake. The caller finishes it in every case.
 */
int band_plan_add(struct band_plan *plan, const char *text, size_t size, const char *name,
                  struct reason *why);
void band_plan_finish(struct band_plan *plan); /* a zeroed plan is fine */

/* For the two forms: band_plan.c. 0, -ENOMEM, or -E2BIG: the plan is full. */
int band_plan_add_band(struct band_plan *plan, const struct band *band);
int band_plan_add_bookmark(struct band_plan *plan, const struct bookmark *bookmark);
/* band_plan_csv.c: as band_plan_add. */
int band_plan_add_csv(struct band_plan *plan, const char *text, size_t size, const char *name,
                      struct reason *why);

#endif
