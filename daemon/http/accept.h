/*
 * accept.h - content negotiation: the headers Accept and Accept-Encoding (RFC 9110, 12.5). Pure,
 * any thread.
 */
#ifndef FFTD_DAEMON_HTTP_ACCEPT_H
#define FFTD_DAEMON_HTTP_ACCEPT_H

#include <stdbool.h>

/*
 * True if `header` lists `name` itself, with a weight above 0 that is at least the weight of
 * `other`. A wildcard lists `other`, but not `name`. Names are media types or content codings.
 */
bool accept_prefers(const char *header, const char *name, const char *other);

#endif
