/*
 * guard.h - checks the Host and Origin headers of a request. Pure, any thread.
 *
 * Host may be an IP literal, localhost, or a name from allow_host. Any other name could be of a
 * page whose name was re-bound to this daemon's address (DNS rebinding).
 * Origin may be absent (not a browser), the same host and port as Host, or one of allow_origin. A
 * foreign one or "null" means that another page uses the visitor's browser.
 */
#ifndef FFTD_DAEMON_ACCESS_GUARD_H
#define FFTD_DAEMON_ACCESS_GUARD_H

#include <stdbool.h>

/* allowed: comma separated names, without ports; may be NULL. */
bool guard_host(const char *host, const char *allowed);
/*
 * True if the host means this machine: localhost, 127.x.x.x or [::1]. The name of a proxy that
 * passes on its own public name is not local.
 */
bool guard_host_is_local(const char *host);
/* origin: NULL if the header is absent. allowed: comma separated origins; may be NULL. */
bool guard_origin(const char *origin, const char *host, const char *allowed);
/*
 * True if an origin that was refused differs from the host only by its port, which the host lacks:
 * browsers send the port, so a proxy has dropped it.
 */
bool guard_host_lacks_port(const char *origin, const char *host);
/* True if `item` is in a comma separated list. Ignores letter case and spaces. */
bool guard_listed(const char *item, const char *list);

#endif
