/*
 * copy_table.h - the radios whose archives a hub has, as its loop and the collector's thread see
 * them: offers go one way, states the other. Any thread; nobody waits long for the lock.
 */
#ifndef FFTD_DAEMON_HUB_COPIES_COPY_TABLE_H
#define FFTD_DAEMON_HUB_COPIES_COPY_TABLE_H

#include "daemon/hub/copy_state.h"
#include "daemon/nats/archive_message.h"
#include "daemon/nats/message.h"

enum { COPIES_MAX = 1000 };

struct copy_table;

struct copy_name {
    char site[HUB_WORD], radio[HUB_WORD];
};

int copy_table_create(struct copy_table **out); /* 0 or -ENOMEM */
void copy_table_destroy(struct copy_table *t);  /* NULL is fine */

/* ---- the loop ---- */

/*
 * What the radio offers now, and what there is of it. A radio with an offer gets a place, which it
 * keeps. *place: what was written there for this radio before; 0: none yet.
 */
void copy_table_exchange(struct copy_table *t, uint32_t *place, const struct copy_name *name,
                         const struct archive_offer *offer, struct copy_state *out);
void copy_table_begin_round(struct copy_table *t); /* radios without a place are counted anew */
void copy_table_totals(struct copy_table *t, struct copy_totals *out);
/* "SITE.RADIO": false if there is no such radio. */
bool copy_table_find(struct copy_table *t, const char *name, struct copy_name *out);

/* ---- the collector's thread ---- */

uint32_t copy_table_count(struct copy_table *t); /* places are 1 to count */
/* A radio whose folder was found. 0: there is no place. */
uint32_t copy_table_add(struct copy_table *t, const struct copy_name *name);
void copy_table_name(struct copy_table *t, uint32_t place, struct copy_name *out);
/* True: the offer is another one than that of the last call. */
bool copy_table_take_offer(struct copy_table *t, uint32_t place, struct archive_offer *out);
void copy_table_set_state(struct copy_table *t, uint32_t place, const struct copy_state *state);
void copy_table_set_totals(struct copy_table *t, const struct copy_totals *totals);

#endif
