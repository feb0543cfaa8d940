/*
 * streams.h - paths whose answers are large or do not end: a carrier has a function for each. The
 * rows are for the document, and for the names of their parameters. Pure, any thread.
 */
#ifndef FFTD_DAEMON_API_STREAMS_H
#define FFTD_DAEMON_API_STREAMS_H

#include "daemon/api/resource.h"

struct api_outcome {
    unsigned status; /* of HTTP */
    const char *about;
};

struct api_stream {
    const char *path, *tag, *about; /* as of a resource */
    const struct api_key *keys;     /* end with a zeroed row; NULL: none */
    const char *needs;              /* required keys, "a=1&b=2" with an example of each; or NULL */
    const char *types;              /* of the answers, "application/json, text/csv" */
    const char *result;             /* what an answer with status 200 is */
    const struct api_outcome *faults; /* end with a zeroed row; NULL: none of its own */
};

/* Of a radio and of a hub; they end with path == NULL. */
extern const struct api_stream api_streams[], api_hub_streams[];
/* The row of a path; NULL: none. */
const struct api_stream *api_stream_find(const struct api_stream *rows, const char *path);

#endif
