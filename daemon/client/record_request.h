/* record_request.h - the fields of a "record" message (docs/protocol.md). Pure, any thread. */
#ifndef FFTD_DAEMON_CLIENT_RECORD_REQUEST_H
#define FFTD_DAEMON_CLIENT_RECORD_REQUEST_H

#include "daemon/client/fields.h"
#include "daemon/record/recorder.h"

/* What a client says of a recording that is to start. */
struct record_change {
    double pre_s, duration_s; /* 0: none, until it is stopped */
    bool timed;               /* from_ns: Unix time of the first sample; excludes pre_s */
    int64_t from_ns;
    double low_hz, high_hz; /* of a band; both, or neither */
    char label[RECORD_LABEL];
};

struct record_message {
    uint64_t stop; /* the id of the recording to stop; 0: start one */
    struct record_change start;
};

/* ISO 8601, or Unix time in seconds. 0 or -EINVAL. */
int record_change_read_time(const char *text, struct record_change *out);
/* Whether the fields agree with one another: 0, or -EINVAL. */
int record_change_check(const struct record_change *c, const struct error_text *error);
/* 0 or -EINVAL. */
int record_request_read(const json_t *message, struct record_message *out,
                        const struct error_text *error);

#endif
