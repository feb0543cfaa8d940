/*
 * rest_body.h - who may make a request that changes something, and the body of such a request.
 *
 * The checks have one order, whoever makes the change in the end: Origin, token, length and type of
 * the body; only then is a body read. What is read goes to the change of the site (http_site.h).
 * Loop thread only.
 */
#ifndef FFTD_DAEMON_HTTP_REST_REST_BODY_H
#define FFTD_DAEMON_HTTP_REST_REST_BODY_H

#include <stddef.h>

struct pending_answer;
struct request;

/*
 * Makes a change, or waits for its body. 0: a body follows, or an answer; -1: it is answered, and
 * the connection closes. Bytes after the request do no harm then.
 */
int rest_body_begin(struct pending_answer *out, const struct request *r);
int rest_body_add(struct pending_answer *out, const void *bytes, size_t size); /* -1: close */
int rest_body_end(struct pending_answer *out);                                 /* the same */

#endif
