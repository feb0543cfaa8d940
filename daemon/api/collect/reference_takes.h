/*
 * reference_takes.h - the references of this fftd, and those being made from arriving lines. Loop
 * thread only.
 */
#ifndef FFTD_DAEMON_API_REFERENCE_TAKES_H
#define FFTD_DAEMON_API_REFERENCE_TAKES_H

#include <stdbool.h>

#include "daemon/base/reason.h"
#include "daemon/line/line.h"
#include "daemon/line/reference/reference.h"
#include "daemon/line/reference/reference_store.h"
#include "daemon/line/trace.h"

struct measure_thread;
struct reference_take;

struct reference_takes {
    struct reference_store *store; /* NULL: no references are possible */
    void *user;
    struct line *(*newest)(void *user); /* not held; NULL: none yet */
    bool (*never_comes)(void *user);    /* what a take waits for cannot be made */
    void (*changed)(void *user);        /* what was computed with a reference is stale */
    struct reference_take *first;
};

/* What is stored: a detector of a line, or a trace of a number of lines. */
struct reference_wanted {
    struct detector_choice detector;
    unsigned function; /* enum trace_function */
    uint32_t lines;    /* 0: not given */
};

/*
 * 0: it is stored; 1: it will be, with the lines that come; -errno with a sentence; -EMFILE,
 * -ENOBUFS: there are too many.
 */
int reference_takes_begin(struct reference_takes *all, const char *name,
                          const struct reference_wanted *wanted, struct reason *why);
/* Stores a trace that is at hand. */
int reference_takes_store(struct reference_takes *all, const struct reference_source *source,
                          struct reason *why);
int reference_takes_check_name(const struct reference_takes *all, const char *name,
                               struct reason *why);
int reference_takes_remove(struct reference_takes *all, const char *name, struct reason *why);

void reference_takes_on_line(struct reference_takes *all, const struct line *line);
bool reference_takes_want_density(const struct reference_takes *all);  /* one of a percentile */
unsigned reference_takes_detectors(const struct reference_takes *all); /* FFT_DETECTOR_ bits */
json_t *reference_takes_to_json(const struct reference_takes *all); /* {"references", "taking"} */
void reference_takes_finish(struct reference_takes *all);

#endif
