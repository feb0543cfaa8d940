/*
 * live_service.h - serves the websockets of a radio: their views, and the messages that each gets
 * of the radio, one topic after the other. Loop thread.
 */
#ifndef FFTD_DAEMON_LIVE_SERVICE_LIVE_SERVICE_H
#define FFTD_DAEMON_LIVE_SERVICE_LIVE_SERVICE_H

#include <stdbool.h>

struct line;
struct live;

extern const struct client_role live_service_role;

/*
 * Watches the radio for its clients. `clients` and what the owner sets are set, and the server that
 * they belong to opens next. 0 or -errno.
 */
int live_service_start(struct live *l);
void live_service_on_line(struct live *l, const struct line *line); /* before the feed has it */
void live_service_push(struct live *l); /* sends what is new; after lines, and once a second */
void live_service_tick(struct live *l); /* once a second */
bool live_service_has_sent_end(const struct live *l); /* no client waits for a status */
void live_service_stop(struct live *l);               /* closes its handle of the loop */
void live_service_finish(struct live *l);             /* after the last client has left */

#endif
