/*
 * guard.h - whom a request may come from: the Host and Origin headers. Pure, any thread.
 *
 * Host: an IP literal, localhost, or a name from allow_host; anything else could be somebody's
 * page that has re-bound its name to our address (DNS rebinding).
 * Origin: absent (no browser), the same host and port as Host, or one of allow_origin. A foreign
 * one or "null" is another page using the visitor's browser.
 */
#ifndef FFTD_DAEMON_SERVER_GUARD_H
#define FFTD_DAEMON_SERVER_GUARD_H

#include <stdbool.h>

/* allowed: comma separated names, without ports; may be NULL. */
bool guard_host(const char *host, const char *allowed);
/*
 * Does the browser believe that it talks to this very machine: localhost, 127.x.x.x or [::1]? A
 * proxy that passes its own public name on is told apart by that.
 */
bool guard_host_is_local(const char *host);
/* origin: NULL if the header is absent. allowed: comma separated origins; may be NULL. */
bool guard_origin(const char *origin, const char *host, const char *allowed);
/* True if `item` is one of a comma separated list, in any case of letters, spaces ignored. */
bool guard_listed(const char *item, const char *list);

#endif
