/* lease_message.h - the message "lease": who may change the radio now. Loop thread. */
#ifndef FFTD_DAEMON_LIVE_MESSAGE_LEASE_MESSAGE_H
#define FFTD_DAEMON_LIVE_MESSAGE_LEASE_MESSAGE_H

#include "daemon/control/lease.h"

struct ws_message;
struct subscriber;

struct ws_message *lease_message_next(struct subscriber *u);     /* NULL: no memory */
void lease_message_leave(struct subscriber *u);                  /* gives the lease back */
void lease_message_name(struct subscriber *u, const char *name); /* NULL: stays as it is */
struct lease_user lease_message_user(const struct subscriber *u);

#endif
