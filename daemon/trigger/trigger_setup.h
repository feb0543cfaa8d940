/*
 * trigger_setup.h - the set-up of a trigger, checked: its condition, and the keys that every
 * trigger has.
 *
 * The keys of every trigger: type, when, for, gap, holdoff, mode, record, webhook, webhook-timeout,
 * then, count. The others are the options of its condition. Without a type, the condition is the
 * one that a key is named after: level=-20.
 *
 * A set-up is counted: the loop thread reads its text and keys, the trigger thread its state.
 */
#ifndef FFTD_DAEMON_TRIGGER_TRIGGER_SETUP_H
#define FFTD_DAEMON_TRIGGER_TRIGGER_SETUP_H

#include <stdatomic.h>
#include <stdio.h>

#include "daemon/config/config.h"
#include "daemon/option/option_family.h"
#include "daemon/trigger/condition/condition.h"

enum { TRIGGERS_MAX = 64 };

struct reason;

enum trigger_when {
    WHEN_INSIDE,  /* an event lasts while the condition is met */
    WHEN_OUTSIDE, /* while it does not */
    WHEN_ENTER,   /* the first frame in which it is met */
    WHEN_LEAVE,   /* the first frame in which it is no longer met */
    WHEN_BURST    /* as inside, and known when it has ended */
};
#define WHEN_NAMES "inside, outside, enter, leave, enter-leave"

enum trigger_mode { MODE_NORMAL, MODE_SINGLE, MODE_FREE };
#define MODE_NAMES "normal, single, free"

enum trigger_then { THEN_GO_ON, THEN_HOLD, THEN_STOP };
#define THEN_NAMES "go-on, hold, stop"

struct trigger_setup {
    atomic_uint refs;
    struct option_text text; /* as written, with its name; owns the strings of the options */
    const struct condition_ops *ops;
    unsigned when, mode, then;
    bool record;              /* its events leave recordings */
    const char *webhook;      /* URL that gets its events; NULL: none */
    double webhook_timeout_s; /* for an answer */
    double for_s, gap_s, holdoff_s;
    uint64_t count; /* of events, then it is disarmed; 0: no limit */
    void *state;    /* of the condition: its options are set */
};

/*
 * Checks a text that has a name. origin: the file of texts with lines, the option of others, or
 * NULL for those of clients, which may not name files; the error begins with it. Files that the
 * text names are read. -EINVAL, -ENOMEM with one line in *why.
 */
int trigger_setup_create(struct trigger_setup **out, const struct option_text *text,
                         const char *origin, struct reason *why);
struct trigger_setup *trigger_setup_ref(struct trigger_setup *s);
void trigger_setup_unref(struct trigger_setup *s); /* NULL is fine */

/* Checks all triggers of a configuration; derives c->trigger_detectors, c->trigger_density. */
int trigger_check_config(struct config *c, struct reason *why);
/* The set-up of trigger i of a checked configuration. */
int trigger_setup_from_config(struct trigger_setup **out, const struct config *c, size_t i,
                              struct reason *why);

/*
 * Logs which triggers of a checked configuration cannot fire: there is no such measurement, their
 * level is above full scale, or their band is not in lines such as this one, whose powers are 0;
 * NULL: such lines are not known.
 */
void trigger_warn_idle(const struct config *c, const struct line *line);

/* trigger_types.c: the conditions and their keys, for fftd list and for the manual (scdoc).
 */
struct option_family trigger_family(void);
struct option_type trigger_type(const struct condition_ops *ops);
void trigger_print_types(FILE *out);
void trigger_print_man(FILE *out);

#endif
