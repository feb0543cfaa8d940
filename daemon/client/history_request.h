/*
 * history_request.h - a client's request for history: fields by name, checked. Pure, any thread.
 */
#ifndef FFTD_DAEMON_CLIENT_HISTORY_REQUEST_H
#define FFTD_DAEMON_CLIENT_HISTORY_REQUEST_H

#include <jansson.h>

#include "daemon/line/history/history.h"
#include "daemon/wire/wire.h"

struct reason;

/* Of the rows that one request gets; lines in a row that it may ask for. */
enum { HISTORY_ROWS_MAX = 1024, HISTORY_LEVELS_MAX = 1 << 18, HISTORY_LINES_MAX = 1 << 20 };

enum history_field {
    HISTORY_ID,
    HISTORY_COLUMNS,
    HISTORY_ROWS,
    HISTORY_LINES,
    HISTORY_BEFORE,
    HISTORY_FROM, /* s since 1970 */
    HISTORY_TO,
    HISTORY_LOW_HZ,
    HISTORY_HIGH_HZ,
    HISTORY_FIELDS
};

struct history_request {
    double value[HISTORY_FIELDS]; /* NAN: not given */
    unsigned detector;
    enum wire_coding coding;
};

void history_request_init(struct history_request *r);
const char *history_field_name(enum history_field field);
/* All of these: 0, or -EINVAL with one line in *why. */
int history_request_set(struct history_request *r, enum history_field field, double value,
                        struct reason *why);
int history_request_set_detector(struct history_request *r, const char *name, struct reason *why);
/* The values of a call, an object. */
int history_request_read(struct history_request *r, const json_t *values, struct reason *why);
/* The query, within the limits; `columns` and `rows` where none are given. */
int history_request_query(const struct history_request *r, uint32_t columns, uint32_t rows,
                          struct history_query *out, struct reason *why);

#endif
