/*
 * query.h - the parameters of a request's query. Pure, any thread.
 */
#ifndef FFTD_DAEMON_HTTP_QUERY_H
#define FFTD_DAEMON_HTTP_QUERY_H

#include <stdbool.h>
#include <stddef.h>

struct api_key;
struct reason;

enum { QUERY_PARAMETERS = 20, QUERY_NAME = 32, QUERY_VALUE = 64 };

/* '?' replaces bytes that are not printable ASCII. */
struct parameter {
    char name[QUERY_NAME], value[QUERY_VALUE];
    bool cut; /* name or value was longer */
};

/* Holds the first QUERY_PARAMETERS parameters. No path has as many. Zeroed: empty. */
struct query {
    struct parameter parameter[QUERY_PARAMETERS];
    unsigned count;
};

/* Adds "name=value", decoded. Ignores "". Without '=' the value is "". */
void query_add(struct query *q, const char *pair);
/*
 * keys: of the path, which end with a zeroed row; NULL: it has none. -EINVAL with the key and a
 * line in *why: a name is unknown or occurs twice, or a value is too long to be valid.
 */
int query_check(const struct query *q, const struct api_key *keys, struct reason *why);
/* The first name that is not in a list such as "a, bc"; NULL: there is none. */
const char *query_find_unknown(const struct query *q, const char *known);
const char *query_value(const struct query *q, const char *name); /* NULL: absent */

#endif
