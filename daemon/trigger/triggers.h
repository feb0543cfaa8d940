/*
 * triggers.h - the trigger thread: reads lines, decides about them, and keeps the events.
 *
 * A line that cannot contain an event costs one comparison a bin. Otherwise the frames of the line
 * are computed again from the IQ ring. In replay (lossless) every line is decided, and the ring
 * keeps its samples until then. In real time the thread skips and counts lines when it is too slow;
 * no other thread waits for it.
 *
 * The thread starts with the first trigger. Each function says who may call it.
 */
#ifndef FFTD_DAEMON_TRIGGER_TRIGGERS_H
#define FFTD_DAEMON_TRIGGER_TRIGGERS_H

#include "daemon/figure/figure.h"
#include "daemon/line/line_ring.h"
#include "daemon/stream/epoch/iq_tap.h"
#include "daemon/trigger/event.h"
#include "daemon/trigger/event_marks.h"
#include "daemon/trigger/measure_feed.h"
#include "daemon/trigger/trigger.h"
#include "daemon/trigger/trigger_setup.h"

struct triggers_config {
    struct line_ring *lines;
    struct iq_tap *tap;  /* of the trigger thread alone */
    struct iq_tap *kept; /* the recorder's, which on_line moves forward; NULL: none */
    struct event_store *events;
    struct event_marks *marks; /* gets events that are complete; NULL: none */
    struct measure_feed *feed; /* results of measurements; NULL: none */
    bool lossless;
    double pre_s; /* of samples that the IQ ring must have before an event */
    /* (optional) On the trigger thread: an event is new, or an open one has ended. */
    void (*on_event)(void *user, const struct trigger_setup *setup,
                     struct event *e); /* may set e->recording */
    /* (optional) On the trigger thread: no event of the epoch will begin before this position. */
    void (*on_line)(void *user, uint32_t epoch, uint64_t position, double rate_hz);
    void (*changed)(void *user); /* (optional) on the trigger thread: the store has changed */
    void (*ended)(void *user);   /* after the last line */
    void *user;
};

struct reason;
struct triggers;

int triggers_create(struct triggers **out, const struct triggers_config *config); /* -ENOMEM */
void triggers_stop(struct triggers *t);    /* joins the thread; NULL is fine */
void triggers_destroy(struct triggers *t); /* NULL is fine */

/* ---- the loop thread ---- */

/*
 * Arms a trigger, or replaces the one of its name, from the next line on. Takes over the set-up,
 * also on failure. -EMFILE: there are TRIGGERS_MAX; -ENOMEM.
 */
int triggers_set(struct triggers *t, struct trigger_setup *setup);
int triggers_remove(struct triggers *t, const char *name); /* -ENOENT */
/*
 * An event now, at the newest sample, whatever the spectrum shows. -ENOENT: no such trigger;
 * -EAGAIN: there are no samples yet; -EALREADY: it is disarmed after its last event.
 */
int triggers_fire(struct triggers *t, const char *name);
/* The same for each trigger of the type external; what fails is logged. Returns how many there are.
 */
size_t triggers_fire_external(struct triggers *t);
/* Makes the triggers of a configuration be those of this one; others stay. One line in *why. */
int triggers_configure(struct triggers *t, const struct config *c, struct reason *why);
size_t triggers_count(const struct triggers *t);
bool triggers_want_density(const struct triggers *t); /* a condition reads the density of lines */
/* The set-ups, in their order: valid until the next change. */
const struct trigger_setup *triggers_setup(const struct triggers *t, size_t i);
/* The place of a trigger; triggers_count: none. */
size_t triggers_find(const struct triggers *t, const char *name);

/* ---- any thread ---- */

struct trigger_state {
    bool armed;                  /* it can fire */
    char reason[TRIGGER_REASON]; /* why it cannot, or not exactly; "": it can */
    uint64_t events, recordings; /* so far */
    uint32_t limits;             /* number of its limits: others have another one; 0: none */
};

struct triggers_state {
    uint32_t triggers;
    uint64_t lines, missed;   /* decided; passed by the ring */
    uint64_t refined, frames; /* lines whose frames decided; those frames */
    uint64_t without_iq;      /* lines whose frames were gone */
    uint64_t events;          /* of all triggers so far */
};
extern const struct figure triggers_figures[]; /* of the metrics */

void triggers_state(struct triggers *t, struct triggers_state *out);
/* Of trigger i; the loop thread. */
void triggers_one_state(struct triggers *t, size_t i, struct trigger_state *out);
/* Of trigger i; the loop thread. False: its condition has none, or no line has come yet. */
bool triggers_limits(struct triggers *t, size_t i, struct condition_limits *out);
bool triggers_ended(struct triggers *t); /* the last line is decided, or there was nothing to do */
struct event_store *triggers_events(struct triggers *t);

#endif
