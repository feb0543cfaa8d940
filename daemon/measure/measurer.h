/*
 * measurer.h - the measure thread: reads lines, updates every measurement, publishes the results.
 *
 * In replay (lossless) every line is measured. In real time the thread skips and counts lines when
 * it is too slow; no other thread waits for it. The thread starts with the first measurement. Each
 * function says who may call it.
 *
 * A second measurer has the measurements that clients own. Its thread has the lowest priority,
 * never holds samples, and measures a new set-up at once, with the newest line.
 */
#ifndef FFTD_DAEMON_MEASURE_MEASURER_H
#define FFTD_DAEMON_MEASURE_MEASURER_H

#include "daemon/calibration/spurs.h"
#include "daemon/line/line_ring.h"
#include "daemon/line/reference/reference_store.h"
#include "daemon/measure/report.h"
#include "daemon/stream/iq_tap.h"

/* Memory of the measurements that clients own, in bytes. */
enum { OWN_MEASURE_BUDGET = 256 << 20 };

struct measurer_config {
    struct line_ring *lines;
    struct iq_tap *tap;                 /* for measurements of samples */
    struct calibrator *calibrator;      /* NULL: none */
    struct reference_store *references; /* NULL: none */
    struct spurs *spurs;                /* NULL: none */
    bool lossless;
    bool owned;       /* by clients: not lossless; the tap is another measurer's */
    size_t bytes_max; /* memory of the measurements; 0: no limit. The first ones have it */
    /* On the measure thread. The snapshot is the callee's to hold, not to drop. */
    void (*publish)(void *user, struct measure_snapshot *s);
    /* (optional) The same thread: this line is measured, or there was nothing to measure. */
    void (*passed)(void *user, uint64_t line);
    void (*ended)(void *user); /* after the last line */
    void *user;
};

struct reason;
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
int measurer_remove(struct measurer *m, uint32_t owner, const char *name); /* -ENOENT */
/*
 * The same as measurer_set for a measurement that a client owns. It is measured at once, with this
 * line if there is no newer one; the reference to it is taken over (NULL: none).
 */
int measurer_set_own(struct measurer *m, struct measure_setup *setup, struct line *newest);
void measurer_remove_owner(struct measurer *m, uint32_t owner); /* all that this client owns */
bool measurer_has_own(const struct measurer *m, uint32_t owner, const char *name);
/* How many this client owns; 0: measurements of all clients. */
size_t measurer_count_own(const struct measurer *m, uint32_t owner);
/*
 * With the next line, puts the trace of a measurement into the store as the reference `as`. What
 * the store refuses then is logged. -ENOENT, -ENOMEM.
 */
int measurer_store_trace(struct measurer *m, const char *name, const char *as);
/* Makes the measurements of a configuration be those of this one; others stay. One line in error.
 */
int measurer_configure(struct measurer *m, const struct config *c, struct reason *why);
/*
 * Measures again from the start with each measurement of the configuration whose files have other
 * contents now. What clients changed or removed stays so. One line in error.
 */
int measurer_reread_files(struct measurer *m, const struct config *c, struct reason *why);
size_t measurer_count(const struct measurer *m);
/* Whether a measurement has a percentile, which needs the density. NULL is fine. */
bool measurer_wants_density(const struct measurer *m);
/* FFT_DETECTOR_ bits that its measurements read; NULL reads none. */
unsigned measurer_detectors(const struct measurer *m);
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
