/* triggers_private.h - the fields of struct triggers, for the files triggers*.c alone. */
#ifndef FFTD_DAEMON_TRIGGER_TRIGGERS_PRIVATE_H
#define FFTD_DAEMON_TRIGGER_TRIGGERS_PRIVATE_H

#include <stdatomic.h>
#include <uv.h>

#include "daemon/trigger/refiner.h"
#include "daemon/trigger/triggers.h"

/* A trigger to arm or replace, or to fire, or, without either, to remove. */
struct trigger_change {
    struct trigger_change *next;
    struct trigger_setup *setup; /* held; NULL: no arming */
    bool fires;
    uint32_t epoch; /* of the position at which it fires */
    uint64_t position;
    char name[OPTION_NAME_MAX + 1];
};

struct trigger_entry {
    struct trigger_setup *setup;     /* held */
    bool configured;                 /* it comes from the configuration, which may remove it */
    struct trigger_state state;      /* under lock, as the next three */
    struct condition_limits *limits; /* owned; NULL: none */
    uint32_t limits_changes;         /* of the condition, when these were its limits */
    uint32_t limits_number;          /* of these limits; 0: none */
};

struct triggers {
    struct triggers_config config;
    uv_thread_t thread;
    bool running; /* the loop thread's, like the set-ups of the entries */
    struct trigger_entry entry[TRIGGERS_MAX];
    size_t entries; /* changes under lock */
    atomic_bool stop;

    uv_mutex_t lock;
    /* under lock */
    struct trigger_change *changes; /* oldest first */
    struct triggers_state state;
    uint32_t limits_published; /* of all triggers so far */
    bool ended;

    /* the trigger thread's */
    struct line_reader reader;
    struct trigger trigger[TRIGGERS_MAX];
    size_t count;
    struct trigger_change *fires; /* for the next line */
    struct refiner *refiner;
    struct line wait[FEED_RESULTS]; /* facts of lines whose results may come, oldest first */
    size_t waits;
    uint64_t lines, refined, frames, without_iq;
    char ring[TRIGGER_REASON]; /* why the ring is too short; "": it is not */
    uint32_t ring_epoch;
    uint64_t ring_samples; /* of a line, when the ring was compared with it; 0: not yet */
};

/* triggers_thread.c */
void triggers_run(void *triggers); /* the trigger thread */
/* triggers_measure.c: after a line, and when there is time. */
void triggers_add_results(struct triggers *t, const struct line *line); /* NULL: no new line */
/* On the trigger thread, or after it has ended. */
void triggers_apply_changes(struct triggers *t);
void triggers_drop_fires(struct triggers *t); /* the same */

#endif
