/* routes.h - finds what answers a request: a resource, a route of the site, or a file. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_SERVICE_ROUTES_H
#define FFTD_DAEMON_HTTP_SERVICE_ROUTES_H

#include <stdbool.h>

struct answer;
struct http_server;
struct request;

bool routes_have(struct http_server *s, const char *path);     /* some method of it has an answer */
void routes_answer(const struct request *r, struct answer *a); /* to GET and HEAD */

#endif
