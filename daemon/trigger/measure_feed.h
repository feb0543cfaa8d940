/*
 * measure_feed.h - passes the results of measurements from the measure thread to the trigger
 * thread, by line.
 *
 * In real time a result comes some lines after its line: the trigger thread keeps the facts of
 * lines until then. In replay it waits for it. Of FEED_RESULTS results the oldest goes.
 */
#ifndef FFTD_DAEMON_TRIGGER_MEASURE_FEED_H
#define FFTD_DAEMON_TRIGGER_MEASURE_FEED_H

#include "daemon/measure/report.h"

enum { FEED_RESULTS = 64 };

struct measure_feed;

int measure_feed_create(struct measure_feed **out); /* -ENOMEM */
void measure_feed_destroy(struct measure_feed *f);  /* NULL is fine */

/* ---- any thread ---- */

/* Whether results are kept for the trigger thread; false at first. */
void measure_feed_want(struct measure_feed *f, bool wanted);

/* ---- the measure thread ---- */

void measure_feed_push(struct measure_feed *f,
                       struct measure_snapshot *s); /* holds it, if wanted */
void measure_feed_pass(struct measure_feed *f,
                       uint64_t line);         /* no result of it or before follows */
void measure_feed_end(struct measure_feed *f); /* none follows, unless a line is passed later */

/* ---- the trigger thread ---- */

enum feed_answer {
    FEED_RESULT, /* *out is held */
    FEED_NONE,   /* the line has none */
    FEED_LATER   /* it may come */
};
/* Waits for at most timeout_ms for the result of the line. */
enum feed_answer measure_feed_take(struct measure_feed *f, uint64_t line, int timeout_ms,
                                   struct measure_snapshot **out);
bool measure_feed_started(struct measure_feed *f); /* a line was passed: later ones will be, too */

#endif
