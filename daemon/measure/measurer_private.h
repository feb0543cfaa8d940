/* measurer_private.h - the fields of a measurer, for the files measurer*.c alone. */
#ifndef FFTD_DAEMON_MEASURE_MEASURER_PRIVATE_H
#define FFTD_DAEMON_MEASURE_MEASURER_PRIVATE_H

#include <stdatomic.h>
#include <uv.h>

#include "daemon/measure/measurer.h"
#include "daemon/measure/measuring.h"

/* A measurement to add or replace, or without a set-up one to remove, or to take the trace of. */
struct change {
    struct change *next;
    struct measure_setup *setup;
    struct line *line; /* held: the newest, for a set-up that a client owns; NULL: none */
    uint32_t owner;
    char name[OPTION_NAME_MAX + 1];
    char reference[REFERENCE_NAME]; /* "": no trace is taken */
};

struct entry {
    struct measure_setup *setup; /* a copy for the loop thread: the other one is at work */
    bool configured;             /* it comes from the configuration, which may remove it */
};

struct measurer {
    struct measurer_config config;
    uv_thread_t thread;
    bool running; /* the loop thread's, like entry and entries */
    struct entry entry[MEASUREMENTS_MAX];
    size_t entries;
    atomic_bool stop;

    uv_mutex_t lock;
    /* under lock */
    struct change *changes; /* oldest first */
    struct measure_snapshot *newest;
    struct measurer_state state;
    bool ended;

    /* the measure thread's */
    struct line_reader reader;
    struct measuring measuring[MEASUREMENTS_MAX];
    size_t count;
    struct fft_iq *iq;
    size_t iq_room;
    struct measure_result scratch;
    struct band_rules rules;  /* of the newest line */
    struct spur_table *spurs; /* held: of the rules; NULL: none */
    /* with `owned`, held or NULL: the newest line, and a line that came with a change */
    struct line *last, *offered;
};

/* The entry of this name; m->entries: none. Loop thread. */
size_t measurer_find(const struct measurer *m, uint32_t owner, const char *name);

/* measurer_thread.c */
void measurer_run(void *measurer); /* the measure thread */
/* On the measure thread, or after it has ended. */
void measurer_apply_changes(struct measurer *m);
void measurer_drop_lines(struct measurer *m); /* the same */

#endif
