/* audio_answer.c - finds a receiver for a request, and sends its audio. */
#include "daemon/http/channel/audio_answer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/audio/audio.h"
#include "daemon/audio/audio_listener.h"
#include "daemon/base/reason.h"
#include "daemon/channel/named/channel_set.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/channel/channel_check.h"
#include "daemon/http/channel/channel_stream.h"
#include "daemon/http/request.h"

struct audio_stream {
    struct channel_stream stream; /* first */
    struct audio_listener *listener;
};

/* ---- the body --------------------------------------------------------------------------- */

static ssize_t next_data(struct body_stream *body, const void **data)
{
    struct audio_stream *s = (struct audio_stream *)body;
    const ssize_t more = audio_listener_data(s->listener, data);
    s->stream.starved = more == 0;
    return more;
}

static void skip_data(struct body_stream *body, size_t bytes)
{
    struct audio_stream *s = (struct audio_stream *)body;
    audio_listener_skip(s->listener, bytes);
}

static void close_stream(struct body_stream *body)
{
    struct audio_stream *s = (struct audio_stream *)body;
    channel_stream_leave(&s->stream);
    audio_leave(s->listener);
    free(s);
}

/* ---- the request ------------------------------------------------------------------------ */

static const char *value_of(const void *from, const char *key)
{
    return query_value(from, key);
}

/* "id": a named channel, which has a centre. */
static int read_named(const struct channel_streams *all, const struct request *r,
                      struct audio_request *q, struct reason *why)
{
    size_t place;
    const int err = channel_check_named(all, r, &place, why);
    if (err < 0)
        return err;
    const struct channel_setup *setup = channel_set_setup(*all->channel_set, place);
    if (query_value(&r->query, "center_hz"))
        return reason_key(why, -EINVAL, "center_hz",
                          "center_hz: is set by the channel %s: leave it out", setup->text.name);
    return audio_request_read_named(q, setup, value_of, &r->query, why);
}

static int read_query(const struct channel_streams *all, const struct request *r,
                      struct audio_request *q, struct reason *why)
{
    const bool named = query_value(&r->query, "id");
    int err = named ? read_named(all, r, q, why) : audio_request_read(q, value_of, &r->query, why);
    if (err == 0 && query_value(&r->query, "rate_hz"))
        err = reason_key(why, -EINVAL, "rate_hz",
                         "rate_hz: is for samples; for audio use audio_rate_hz");
    if (err == 0 && query_value(&r->query, "framed"))
        err = reason_key(why, -EINVAL, "framed",
                         "framed: is for samples: ask for their format, such as cf32");
    return err < 0 || named ? err : channel_check_center(r, &q->center_hz, why);
}

/* Who only joins others costs a socket; else an address has its share. */
static int check(const struct channel_streams *all, const struct request *r,
                 struct audio_request *q, struct reason *why)
{
    struct demod_plan plan;
    struct channel_request channel;
    int err = audio_request_plan(q, &plan, &channel, why);
    if (err == 0 && !q->channel[0]) /* one with a name waits for its frequency */
        err = channel_check_stream(all, &channel, q->center_hz, why);
    return err < 0 || audio_has(all->audio, q) ? err : channel_check_share(all, r, why);
}

static int open_stream(struct channel_streams *all, const struct audio_request *q,
                       struct audio_stream **out, struct reason *why)
{
    struct audio_stream *s = calloc(1, sizeof *s);
    if (!s)
        return reason_set(why, -ENOMEM, "no memory");
    const int err = audio_listen(all->audio, q, &s->listener, why);
    if (err < 0) {
        free(s);
        return err;
    }
    s->stream.body = (struct body_stream){
        .size = BODY_ENDLESS, .data = next_data, .skip = skip_data, .close = close_stream};
    s->stream.waits = q->waits;
    channel_stream_enter(&s->stream, all);
    *out = s;
    return 0;
}

void audio_answer(struct channel_streams *all, const struct request *r, struct answer *a)
{
    struct reason why = {0};
    struct audio_request q;
    struct audio_stream *s = NULL;
    if (!all->audio) {
        answer_fault(a, 404, "there is no audio here");
        return;
    }
    int err = read_query(all, r, &q, &why);
    if (err == 0)
        err = check(all, r, &q, &why);
    if (err == 0)
        err = open_stream(all, &q, &s, &why);
    if (err < 0) {
        channel_check_refuse(a, err, &why);
        return;
    }
    *a = (struct answer){.status = 200, .type = q.codec->type, .stream = &s->stream.body};
    snprintf(a->about, sizeof a->about,
             "X-Fftd-Center-Hz: %.17g\r\nX-Fftd-Mode: %s\r\nX-Fftd-Format: %s\r\n"
             "X-Fftd-Audio-Rate-Hz: %.17g\r\nX-Fftd-Audio-Channels: %u\r\n",
             q.center_hz, q.demod.ops->name, q.codec->name, q.rate_hz,
             s->listener->framing.channels);
}
