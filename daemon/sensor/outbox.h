/*
 * outbox.h - messages on their way to the broker, kept until it has confirmed them.
 *
 * Lines and events wait while the link is away, and are sent again after it was lost with them.
 * Other messages describe the present: they are sent over the link that stands, or not at all. The
 * memory is bounded; a message without room is dropped and counted, and no caller waits.
 */
#ifndef FFTD_DAEMON_SENSOR_OUTBOX_H
#define FFTD_DAEMON_SENSOR_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/status/nats_state.h"

enum { OUTBOX_LINES_MAX = 64, OUTBOX_BYTES_MAX = 4 << 20 };

/* The last word of a message's subject: outbox_kind_name. */
enum outbox_kind {
    OUTBOX_ANNOUNCE,
    OUTBOX_LINES,
    OUTBOX_STATUS,
    OUTBOX_LEDGER,
    OUTBOX_EVENTS,
    OUTBOX_MEASUREMENTS,
    OUTBOX_LINK,
    OUTBOX_KINDS
};
const char *outbox_kind_name(enum outbox_kind kind);

struct outbox_message {
    struct outbox_message *next;
    uint64_t id; /* counts from 1 */
    enum outbox_kind kind;
    bool sent; /* over the link that stands */
    size_t size;
    uint8_t data[];
};

struct outbox;

int outbox_create(struct outbox **out); /* -ENOMEM */
void outbox_destroy(struct outbox *o);  /* NULL is fine */

/* ---- any thread ---- */

/* False: it had no room. */
bool outbox_push(struct outbox *o, enum outbox_kind kind, const void *data, size_t size);
/* True: the link stands, and few enough lines wait that one more will soon be sent. */
bool outbox_wants_line(struct outbox *o);
void outbox_state(struct outbox *o, struct outbox_state *out);
void outbox_wake(struct outbox *o); /* ends the wait of outbox_next */

/* ---- the thread of the link ---- */

/* After true, everything that waits is sent again; what described the present is dropped. */
void outbox_set_up(struct outbox *o, bool up);
/*
 * The next message to be sent; it stays valid until it is confirmed. NULL: there was none within
 * timeout_ms, or outbox_wake was called.
 */
const struct outbox_message *outbox_next(struct outbox *o, int timeout_ms);
/* The broker has all messages up to this one. */
void outbox_confirm(struct outbox *o, uint64_t id);

#endif
