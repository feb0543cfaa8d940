/*
 * channel_answer.h - answers /api/v1/channel-stream: the samples of a channel, or with `mode` its
 * audio, for as long as the client reads them. Loop thread.
 *
 * A client that reads too slowly loses whole blocks. For these, and for samples that the stream
 * lacks, it gets zeros, so that its samples keep the time; for more than a second at a time it gets
 * those of a second.
 */
#ifndef FFTD_DAEMON_HTTP_CHANNEL_CHANNEL_ANSWER_H
#define FFTD_DAEMON_HTTP_CHANNEL_CHANNEL_ANSWER_H

struct answer;
struct request;

/* Of the route; streams: a struct channel_streams. */
void channel_answer(void *streams, const struct request *r, struct answer *a);

#endif
