/*
 * trigger.h - an armed trigger: turns decisions about frames into events.
 *
 * Samples are counted with their numbers, including lost ones, so that time does not stand still in
 * a gap. One thread, the trigger thread.
 */
#ifndef FFTD_DAEMON_TRIGGER_TRIGGER_H
#define FFTD_DAEMON_TRIGGER_TRIGGER_H

#include "daemon/base/reason.h"
#include "daemon/trigger/event.h"
#include "daemon/trigger/match.h"
#include "daemon/trigger/trigger_setup.h"

enum { TRIGGER_REASON = 200 };

/* Gets each event: when it begins or is known as a whole, and again when an open one ends. */
typedef void trigger_emit(void *user, const struct trigger_setup *setup, struct event *e);

/* Zeroed at first; trigger_init. */
struct trigger {
    struct trigger_setup *setup; /* a reference */
    trigger_emit *emit;
    void *user;

    struct match_finder match;
    struct event event; /* of the match */
    bool wanted;        /* holdoff and count allow an event of this match */
    bool exact;         /* the frames of the match were found */
    uint64_t events, recordings, not_before;

    /* of the newest line */
    bool undecided;    /* its frames decide */
    struct reason why; /* why it cannot fire; "": it can */
    bool warned;       /* that was logged */
    uint32_t epoch, n;
    double rate_hz, center_hz;
    uint64_t line; /* number */
    bool had_line;
};

/* Frames of a line that meet the condition or do not. */
struct trigger_frames {
    uint64_t first, count; /* index of the first one in the line */
    bool met;
    const struct condition_hit *hit; /* if met; NULL: none */
};

void trigger_init(struct trigger *t, struct trigger_setup *setup, trigger_emit *emit, void *user);
void trigger_end(struct trigger *t);           /* no line follows: ends the event that lasts */
void trigger_finish(struct trigger *t);        /* the same, and frees it; a zeroed one is fine */
bool trigger_is_done(const struct trigger *t); /* after its last event */

/*
 * The position at which an event began that is not known as a whole yet, and does not outlast;
 * UINT64_MAX: none.
 */
uint64_t trigger_oldest(const struct trigger *t);
/* An event that lasts and began before this position outlasts: it is emitted once more. */
void trigger_outlast(struct trigger *t, uint64_t before);

/*
 * Begins a line: decisions for the whole line become events. True: its frames have to decide;
 * give them all to trigger_add in order, or call trigger_add_line.
 */
bool trigger_begin_line(struct trigger *t, const struct line *line);
void trigger_add(struct trigger *t, const struct line *line, const struct trigger_frames *frames);
/* What measurements say of a line, for a condition that they decide; NULL: nothing. */
void trigger_add_result(struct trigger *t, const struct line *line,
                        const struct measure_snapshot *result);
/* The frames cannot be found: the condition counts as met in all of the line. */
void trigger_add_line(struct trigger *t, const struct line *line);
/* A command: an event of one sample, at a number. `line`: the newest one. */
void trigger_fire(struct trigger *t, const struct line *line, uint64_t number);

#endif
