/*
 * event.h - an event: a find of a trigger; and the store of recent events.
 *
 * Positions are those of the IQ ring of an epoch. An exact event begins and ends with a frame; the
 * others with a line, because the samples of it were missing or gone.
 */
#ifndef FFTD_DAEMON_TRIGGER_EVENT_H
#define FFTD_DAEMON_TRIGGER_EVENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "daemon/option/option_text.h"

enum { EVENTS_KEPT = 4096 };

struct event {
    uint64_t id; /* from 1 on */
    char trigger[OPTION_NAME_MAX + 1];
    const char *type;      /* of the condition; static */
    bool open;             /* it lasts: the end is that of the newest frame that belongs to it */
    bool exact;            /* to the frame */
    uint32_t epoch;        /* of the positions */
    uint64_t start, end;   /* of the first sample, and after the last one */
    uint64_t first_sample; /* number of the first sample, counting lost ones */
    int64_t time_ns;       /* Unix time of the first sample */
    bool hardware_time;    /* of the device's clock */
    double duration_s;
    double uncertainty_s;   /* where in the first frame the signal began is not known */
    double low_hz, high_hz; /* centres of the lowest and the highest bin that met the condition */
    double peak_dbfs, peak_hz; /* NAN: none */
    double center_hz, rate_hz; /* of the stream */
    bool records;              /* its trigger wants a recording */
    bool outlasts;             /* it lasts longer than the ring may keep its first samples */
    uint64_t recording;        /* id of the recording; 0: none */
    uint64_t line;             /* number of the line that it began in */
    uint64_t change;           /* set by the store: grows with every change of an event */
};

/* A new reference; NULL: no memory. */
json_t *event_to_json(const struct event *e);

/* Which events are wanted. */
struct event_filter {
    uint64_t after;         /* larger ids than this one */
    const char *trigger;    /* of this name; NULL: all */
    int64_t from_ns, to_ns; /* events that lasted at some time in this range, with its ends */
    bool newest;            /* the last `limit` ones; else the first ones */
    size_t limit;
};
#define EVENT_FILTER_ALL .from_ns = INT64_MIN, .to_ns = INT64_MAX
int64_t event_end_ns(const struct event *e); /* Unix time of its end, as far as it is known */

/* ---- the store: any thread --------------------------------------------------------------- */

struct event_store;

int event_store_create(struct event_store **out); /* -ENOMEM */
/* Before the first event: ids go on after this one. */
void event_store_continue(struct event_store *s, uint64_t newest);
void event_store_destroy(struct event_store *s); /* NULL is fine */
/* Adds the event, with the next id, which it gets too. The oldest of more than EVENTS_KEPT goes. */
void event_store_add(struct event_store *s, struct event *e);
/* The event of this id is now so; nothing if it is gone. */
void event_store_update(struct event_store *s, const struct event *e);
uint64_t event_store_count(struct event_store *s);  /* of all of this run */
uint64_t event_store_change(struct event_store *s); /* of the newest change; 0: none */
bool event_store_find(struct event_store *s, uint64_t id, struct event *out);
/*
 * Copies the events that pass the filter, oldest first. Returns how many. *oldest (may be NULL):
 * the smallest id that is kept; of older events the store knows nothing.
 */
size_t event_store_list(struct event_store *s, const struct event_filter *filter, struct event *out,
                        uint64_t *oldest);
/* Copies events that changed after this change, in the order of changes. Returns how many. */
size_t event_store_changed(struct event_store *s, uint64_t after, struct event *out,
                           size_t capacity);

#endif
