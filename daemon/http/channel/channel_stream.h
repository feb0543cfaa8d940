/*
 * channel_stream.h - answers that last as long as their clients read: what those of channels and of
 * their audio have in common. Loop thread.
 */
#ifndef FFTD_DAEMON_HTTP_CHANNEL_CHANNEL_STREAM_H
#define FFTD_DAEMON_HTTP_CHANNEL_CHANNEL_STREAM_H

#include <stdbool.h>

#include "daemon/http/answer/body_stream.h"

struct audio;
struct channels;
struct channel_set;
struct radio_control;

struct channel_streams {
    struct channels *channels; /* set by the owner, as are the next three; NULL: there are none */
    struct channel_set **channel_set; /* the named ones; NULL, or NULL there: none */
    struct audio *audio;              /* NULL: no audio */
    const struct radio_control *control;
    struct channel_stream *first;
};

/* A member of what is sent. */
struct channel_stream {
    struct body_stream body; /* first */
    struct channel_stream *next;
    struct channel_streams *all;
    bool starved; /* everything was sent */
    bool waits;   /* the end of a replay waits until its client has all of it */
};

void channel_stream_enter(struct channel_stream *s, struct channel_streams *all);
void channel_stream_leave(struct channel_stream *s);

bool channel_streams_wait(const struct channel_streams *s); /* whether one that waits goes on */
void channel_streams_on_blocks(struct channel_streams *s);  /* a channel or its audio has a block */
void channel_streams_on_tick(struct channel_streams *s);    /* once a second */

#endif
