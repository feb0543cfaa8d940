/*
 * message.h - what a hub gets from a broker: whose message it is, and whether it is one. What comes
 * is data from outside. Pure.
 */
#ifndef FFTD_DAEMON_NATS_MESSAGE_H
#define FFTD_DAEMON_NATS_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

/* The last words of the subjects that a hub reads. */
enum hub_kind { HUB_ANNOUNCE, HUB_LINES, HUB_LEDGER, HUB_STATUS, HUB_LINK, HUB_EVENTS, HUB_KINDS };
const char *hub_kind_name(enum hub_kind kind);

/* Why a message was dropped. */
enum hub_fault {
    HUB_FAULT_SUBJECT, /* not PREFIX.SITE.RADIO.KIND with words of letters, digits, - and _ */
    HUB_FAULT_SIZE,    /* more bytes than one of its kind may have */
    HUB_FAULT_JSON,    /* no object, or without what each object has */
    HUB_FAULT_LINE,    /* no header of version 1, or no frame after it */
    HUB_FAULT_RADIOS,  /* of a radio that has no place in the table */
    HUB_FAULT_MEMORY,
    HUB_FAULTS
};
const char *hub_fault_name(enum hub_fault fault);

enum { HUB_WORD = 64 }; /* a site or a radio, with its NUL */

struct hub_message {
    enum hub_kind kind;
    char site[HUB_WORD], radio[HUB_WORD];
    const uint8_t *data; /* [size], of the caller */
    size_t size;
};

/* -1, or the enum hub_fault: of subject and size. */
int hub_message_read(struct hub_message *out, const char *prefix, const char *subject,
                     const void *data, size_t size);

#endif
