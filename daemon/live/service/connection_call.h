/* connection_call.h - what a websocket does for calls of the resources that it alone has. Loop
 * thread. */
#ifndef FFTD_DAEMON_LIVE_SERVICE_CONNECTION_CALL_H
#define FFTD_DAEMON_LIVE_SERVICE_CONNECTION_CALL_H

#include "daemon/api/call_connection.h"

struct subscriber;

/* Valid as long as the client. */
struct api_connection connection_call_of(struct subscriber *u);

#endif
