/*
 * measure_thread.h - the measure thread: reads lines, updates every measurement, publishes the
 * results.
 *
 * In replay (lossless) every line is measured. In real time the thread skips and counts lines when
 * it is too slow; no other thread waits for it. The thread starts with the first measurement. Each
 * function says who may call it.
 *
 * A second measure thread has the measurements that clients own. Its thread has the lowest
 * priority, never holds samples, and measures a new set-up at once, with the newest line.
 */
#ifndef FFTD_DAEMON_MEASURE_MEASURE_THREAD_H
#define FFTD_DAEMON_MEASURE_MEASURE_THREAD_H

#include "daemon/calibration/spurs.h"
#include "daemon/figure/figure.h"
#include "daemon/line/line_ring.h"
#include "daemon/line/reference/reference_store.h"
#include "daemon/measure/report.h"
#include "daemon/stream/epoch/iq_tap.h"

/* Memory of the measurements that clients own, in bytes. */
enum { OWN_MEASURE_BUDGET = 256 << 20 };

struct measure_thread_config {
    struct line_ring *lines;
    struct iq_tap *tap;                            /* for measurements of samples */
    struct active_calibration *active_calibration; /* NULL: none */
    struct reference_store *references;            /* NULL: none */
    struct spurs *spurs;                           /* NULL: none */
    bool lossless;
    bool owned;       /* by clients: not lossless; the tap is another measure thread's */
    size_t bytes_max; /* memory of the measurements; 0: no limit. The first ones have it */
    /* On the measure thread. The callee may ref the snapshot, but must not unref it. */
    void (*publish)(void *user, struct measure_snapshot *s);
    /* (optional) The same thread: this line is measured, or there was nothing to measure. */
    void (*passed)(void *user, uint64_t line);
    void (*ended)(void *user); /* after the last line */
    void *user;
};

struct reason;
struct measure_thread;

int measure_thread_create(struct measure_thread **out,
                          const struct measure_thread_config *config); /* -ENOMEM */
void measure_thread_stop(struct measure_thread *m);    /* joins the thread; NULL is fine */
void measure_thread_destroy(struct measure_thread *m); /* NULL is fine */

/* ---- the loop thread ---- */

/*
 * Adds a measurement, or replaces the one of its name, from the next line on. Takes over the
 * set-up, also on failure. -EMFILE: there are MEASUREMENTS_MAX; -ENOMEM.
 */
int measure_thread_set(struct measure_thread *m, struct measure_setup *setup);
int measure_thread_remove(struct measure_thread *m, uint32_t owner, const char *name); /* -ENOENT */
/*
 * The same as measure_thread_set for a measurement that a client owns. It is measured at once, with
 * this line if there is no newer one; the reference to it is taken over (NULL: none).
 */
int measure_thread_set_own(struct measure_thread *m, struct measure_setup *setup,
                           struct line *newest);
void measure_thread_remove_owner(struct measure_thread *m,
                                 uint32_t owner); /* all that this client owns */
bool measure_thread_has_own(const struct measure_thread *m, uint32_t owner, const char *name);
/* How many this client owns; 0: measurements of all clients. */
size_t measure_thread_count_own(const struct measure_thread *m, uint32_t owner);
/*
 * With the next line, puts the trace of a measurement into the store as the reference `as`. What
 * the store refuses then is logged. -ENOENT, -ENOMEM.
 */
int measure_thread_store_trace(struct measure_thread *m, const char *name, const char *as);
/* Makes the measurements of a configuration be those of this one; others stay. One line in *why.
 */
int measure_thread_configure(struct measure_thread *m, const struct config *c, struct reason *why);
/*
 * Measures again from the start with each measurement of the configuration whose files have other
 * contents now. What clients changed or removed stays so. One line in *why.
 */
int measure_thread_reread_files(struct measure_thread *m, const struct config *c,
                                struct reason *why);
size_t measure_thread_count(const struct measure_thread *m);
/* Whether a measurement has a percentile, which needs the density. NULL is fine. */
bool measure_thread_wants_density(const struct measure_thread *m);
/* FFT_DETECTOR_ bits that its measurements read; NULL reads none. */
unsigned measure_thread_detectors(const struct measure_thread *m);
/* The set-ups, in their order: valid until the next change. */
const struct measure_setup *measure_thread_setup(const struct measure_thread *m, size_t i);

/* ---- any thread ---- */

struct measure_snapshot *
measure_thread_newest(struct measure_thread *m); /* a reference; NULL: none yet */
bool measure_thread_ended(
    struct measure_thread *m); /* the last line is measured, or there was nothing to do */

struct measure_thread_state {
    uint32_t measurements;
    uint64_t lines, missed; /* measured; passed by the ring */
    uint64_t without_iq;    /* times that the samples of a line were gone */
};
extern const struct figure measure_thread_figures[]; /* of the JSON and the metrics */
void measure_thread_state(struct measure_thread *m, struct measure_thread_state *out);

#endif
