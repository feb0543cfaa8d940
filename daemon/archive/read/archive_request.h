/*
 * archive_request.h - requests to the archive as text: keys and values of a query or of the
 * command line. Pure.
 */
#ifndef FFTD_DAEMON_ARCHIVE_READ_ARCHIVE_REQUEST_H
#define FFTD_DAEMON_ARCHIVE_READ_ARCHIVE_REQUEST_H

#include <stddef.h>

#include "daemon/archive/read/archive_read.h"
#include "daemon/archive/read/survey.h"

struct reason;

enum archive_format { ARCHIVE_JSON, ARCHIVE_CSV, ARCHIVE_PNG, ARCHIVE_BINARY };

struct archive_request {
    bool survey; /* else a picture */
    enum archive_format format;
    struct archive_query picture;
    double bottom_db, top_db; /* levels of a PNG's darkest and brightest color; NAN: of its cells */
    struct survey_query of_survey;
};

/* A date, seconds since 1970, or seconds before the newest row. -EINVAL. */
#define ARCHIVE_TIME_EXPECTED "a date, seconds since 1970, or less than 0: before the newest row"
int archive_time_parse(const char *text, struct archive_time *out);
/* Why the archive does not answer: of an -errno of archive_read, survey_read or playback_next. */
const char *archive_describe(int err);

void archive_request_init(struct archive_request *r, bool survey);
/* -EINVAL with one line in *why that names the key. */
int archive_request_set(struct archive_request *r, const char *key, const char *value,
                        struct reason *why);
/* What the keys must meet together. The same. */
int archive_request_check(const struct archive_request *r, struct reason *why);
const char *archive_request_type(const struct archive_request *r); /* of HTTP */

#endif
