/*
 * channel_answer.h - answers /api/v1/channel-stream: the samples of a channel, for as long as the
 * client reads them. Loop thread.
 *
 * A client that reads too slowly loses whole blocks. For these, and for samples that the stream
 * lacks, it gets zeros, so that its samples keep the time; for more than a second at a time it gets
 * those of a second.
 */
#ifndef FFTD_DAEMON_HTTP_STREAM_CHANNEL_ANSWER_H
#define FFTD_DAEMON_HTTP_STREAM_CHANNEL_ANSWER_H

#include <uv.h>

struct answer;
struct channel_stream;
struct channels;
struct channel_set;
struct radio_control;
struct request;

struct channel_streams {
    struct channels *channels; /* set by the owner, as are the next two; NULL: there are none */
    struct channel_set **channel_set; /* the named ones; NULL, or NULL there: none */
    const struct radio_control *control;
    struct channel_stream *first;
};

extern const char channel_answer_parameters[]; /* of the query */

/* Of the route; streams: a struct channel_streams. */
void channel_answer(void *streams, const struct request *r, struct answer *a);
void channel_streams_on_blocks(struct channel_streams *s); /* a channel has a block */
void channel_streams_on_tick(struct channel_streams *s);   /* once a second */

#endif
