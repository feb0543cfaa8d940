/* rest_values.h - the values of a call: of the query of its request, and of its JSON body. */
#ifndef FFTD_DAEMON_HTTP_REST_REST_VALUES_H
#define FFTD_DAEMON_HTTP_REST_REST_VALUES_H

#include <jansson.h>
#include <libwebsockets.h>
#include <stddef.h>

#include "daemon/base/reason.h"

struct query;

/* All add to an object. 0, or -EINVAL with a sentence. */
int rest_values_of_request(struct lws *wsi, json_t *values, struct reason *why);
int rest_values_of_query(const struct query *q, json_t *values, struct reason *why);
/* One that is also in the query is given twice. */
int rest_values_of_body(const char *bytes, size_t size, json_t *values, struct reason *why);

#endif
