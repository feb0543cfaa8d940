/*
 * measurer.h - the measure thread: reads lines, updates every measurement, publishes the results.
 *
 * In replay (lossless) every line is measured. In real time a measurer that is too slow misses
 * lines, counts them, and delays nobody. The thread starts with the first measurement. Each
 * function says who may call it.
 */
#ifndef FFTD_DAEMON_MEASURE_MEASURER_H
#define FFTD_DAEMON_MEASURE_MEASURER_H

#include "daemon/line/line_ring.h"
#include "daemon/measure/report.h"
#include "daemon/stream/iq_tap.h"

enum { MEASUREMENTS_MAX = 256 };

struct measurer_config {
    struct line_ring *lines;
    struct iq_tap *tap;            /* for measurements of samples */
    struct calibrator *calibrator; /* NULL: none */
    bool lossless;
    /* On the measure thread. The snapshot is the callee's to hold, not to drop. */
    void (*publish)(void *user, struct measure_snapshot *s);
    void (*ended)(void *user); /* after the last line */
    void *user;
};

struct measurer;

int measurer_create(struct measurer **out, const struct measurer_config *config); /* -ENOMEM */
void measurer_stop(struct measurer *m);    /* joins the thread; NULL is fine */
void measurer_destroy(struct measurer *m); /* NULL is fine */

/* ---- the loop thread ---- */

/*
 * Adds a measurement, or replaces the one of its name, from the next line on. Takes over the
 * set-up, also on failure. -EMFILE: there are MEASUREMENTS_MAX; -ENOMEM.
 */
int measurer_set(struct measurer *m, struct measure_setup *setup);
int measurer_remove(struct measurer *m, const char *name); /* -ENOENT */
/* Makes the measurements of a configuration be those of this one; others stay. One line in error.
 */
int measurer_configure(struct measurer *m, const struct config *c, char *error, size_t error_size);
size_t measurer_count(const struct measurer *m);
/* The set-ups, in their order: valid until the next change. */
const struct measure_setup *measurer_setup(const struct measurer *m, size_t i);

/* ---- any thread ---- */

struct measure_snapshot *measurer_newest(struct measurer *m); /* held; NULL: none yet */
bool measurer_ended(struct measurer *m); /* the last line is measured, or there was nothing to do */

struct measurer_state {
    uint32_t measurements;
    uint64_t lines, missed; /* measured; passed by the ring */
    uint64_t without_iq;    /* times that the samples of a line were gone */
};
void measurer_state(struct measurer *m, struct measurer_state *out);

#endif
