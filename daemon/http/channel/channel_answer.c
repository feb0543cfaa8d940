/* channel_answer.c - opens a channel for a request, and sends its blocks. */
#include "daemon/http/channel/channel_answer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/audio/audio_codec.h"
#include "daemon/base/reason.h"
#include "daemon/channel/channel_reader.h"
#include "daemon/channel/channels.h"
#include "daemon/channel/named/channel_set.h"
#include "daemon/control/radio_control.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/channel/audio_answer.h"
#include "daemon/http/channel/channel_check.h"
#include "daemon/http/channel/channel_stream.h"
#include "daemon/http/request.h"

static const char samples_parameters[] =
    "center_hz, format, framed, gain, id, rate_hz, wait, width_hz";

struct samples_stream {
    struct channel_stream stream; /* first */
    struct channel *channel;
    struct channel_reader reader;
    bool named; /* the channel has other readers, too */
};

/* ---- the body --------------------------------------------------------------------------- */

static ssize_t next_data(struct body_stream *body, const void **data)
{
    struct samples_stream *s = (struct samples_stream *)body;
    struct channel_reader *r = &s->reader;
    const int more = channel_reader_next(r, 0);
    s->stream.starved = more == 0;
    *data = r->bytes + r->from;
    return more > 0 ? (ssize_t)(r->to - r->from) : more;
}

static void skip_data(struct body_stream *body, size_t bytes)
{
    struct samples_stream *s = (struct samples_stream *)body;
    s->reader.from += bytes;
}

static void close_stream(struct body_stream *body)
{
    struct samples_stream *s = (struct samples_stream *)body;
    channel_stream_leave(&s->stream);
    if (s->named)
        channel_leave(s->channel);
    else
        channel_close(s->channel);
    channel_reader_finish(&s->reader);
    free(s);
}

/* ---- the request ------------------------------------------------------------------------ */

struct wanted {
    struct channel *named; /* of others, too; NULL: one of its own */
    struct channel_request request;
    struct channel_format format;
};

static int read_rate(const struct request *r, struct channel_request *q, struct reason *why)
{
    const int err = channel_check_number(r, "rate_hz", SI_RATE, true, &q->rate_hz, why);
    if (err == 0 && !(q->rate_hz >= 1 && q->rate_hz <= TUNING_RATE_MAX_HZ))
        return reason_key(why, -EINVAL, "rate_hz", "rate_hz: is not within 1 to %g S/s",
                          TUNING_RATE_MAX_HZ);
    return err;
}

static int find_named(const struct channel_streams *s, const struct request *r, const char *name,
                      struct wanted *w, struct reason *why)
{
    static const char *const own[] = {"center_hz", "rate_hz", "width_hz"};
    size_t place;
    const int err = channel_check_named(s, r, &place, why);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (query_value(&r->query, own[k]))
            return reason_key(why, -EINVAL, own[k], "%s: is set by the channel %s: leave it out",
                              own[k], name);
    if (err < 0)
        return err;
    w->named = channel_set_channel(*s->channel_set, place);
    w->request = channel_setup_request(channel_set_setup(*s->channel_set, place));
    return 0;
}

static int read_place(const struct request *r, struct wanted *w, struct reason *why)
{
    int err = channel_check_center(r, &w->request.center_hz, why);
    if (err == 0)
        err = read_rate(r, &w->request, why);
    return err < 0 ? err
                   : channel_check_number(r, "width_hz", SI_HZ, false, &w->request.width_hz, why);
}

static int read_query(const struct channel_streams *s, const struct request *r, struct wanted *w,
                      struct reason *why)
{
    const char *format = query_value(&r->query, "format"), *name = query_value(&r->query, "id");
    *w = (struct wanted){.format = {.format = FFT_IQ_CF32}};
    int err = channel_check_keys(r, samples_parameters, "is of audio, and needs a mode", why);
    if (err == 0)
        err = name ? find_named(s, r, name, w, why) : read_place(r, w, why);
    if (err == 0 && format && fft_iq_parse(format, &w->format.format) < 0)
        err = audio_codec_find(format)
                  ? reason_key(why, -EINVAL, "format",
                               "format: %s is a format of audio: add a mode, such as mode=nfm",
                               format)
                  : reason_key(why, -EINVAL, "format",
                               "format: \"%s\" is not cu8, cs8, cs16 or cf32", format);
    if (err == 0)
        err = channel_check_switch(r, "wait", &w->request.waits, why);
    if (err == 0)
        err = channel_check_switch(r, "framed", &w->format.framed, why);
    return err < 0 ? err
                   : channel_format_read_gain(&w->format, query_value(&r->query, "gain"), why);
}

/* A reader of a named channel begins with what comes next. */
static void join_named(struct samples_stream *s, struct channel *x)
{
    struct channel_output *output = channel_output_of(x);
    s->channel = x;
    s->named = true;
    channel_join(x);
    channel_output_join(output, &s->reader.cursor);
    channel_output_leave(output, &s->reader.cursor); /* nobody waits for it */
}

static int open_stream(struct channel_streams *all, const struct wanted *w,
                       struct samples_stream **out, struct reason *why)
{
    struct samples_stream *s = calloc(1, sizeof *s);
    if (!s)
        return reason_set(why, -ENOMEM, "no memory");
    const int err = w->named ? 0 : channel_open(all->channels, &w->request, &s->channel, why);
    if (err < 0) {
        free(s);
        return err;
    }
    s->stream.body = (struct body_stream){
        .size = BODY_ENDLESS, .data = next_data, .skip = skip_data, .close = close_stream};
    s->stream.waits = w->request.waits && !w->named;
    channel_stream_enter(&s->stream, all);
    channel_reader_init(&s->reader, w->named ? w->named : s->channel, w->request.rate_hz,
                        &w->format);
    if (w->named)
        join_named(s, w->named);
    *out = s;
    return 0;
}

static void answer_samples(struct channel_streams *all, const struct request *r, struct answer *a)
{
    struct reason why = {0};
    struct wanted w;
    struct samples_stream *s = NULL;
    int err = read_query(all, r, &w, &why);
    if (err == 0 && !w.named) /* one with a name waits for its frequency */
        err = channel_check_stream(all, &w.request, w.request.center_hz, &why);
    if (err == 0)
        err = channel_check_share(all, r, &why);
    if (err == 0)
        err = open_stream(all, &w, &s, &why);
    if (err < 0) {
        channel_check_refuse(a, err, &why);
        return;
    }
    char gain[32] = "auto";
    if (!w.format.automatic)
        snprintf(gain, sizeof gain, "%g", w.format.gain_db);
    *a = (struct answer){
        .status = 200, .type = "application/octet-stream", .stream = &s->stream.body};
    snprintf(a->about, sizeof a->about,
             "X-Fftd-Center-Hz: %.17g\r\nX-Fftd-Rate-Hz: %.17g\r\nX-Fftd-Format: %s\r\n"
             "X-Fftd-Gain: %s\r\n",
             w.request.center_hz, w.request.rate_hz, fft_iq_name(w.format.format), gain);
}

/* A mode, or a named channel with one whose samples are not asked for. */
static bool wants_audio(const struct channel_streams *all, const struct request *r)
{
    size_t place;
    const char *format = query_value(&r->query, "format");
    enum fft_iq_format samples;
    if (query_value(&r->query, "mode"))
        return true;
    return query_value(&r->query, "id") && channel_check_named(all, r, &place, NULL) == 0 &&
           channel_setup_mode(channel_set_setup(*all->channel_set, place)) &&
           !(format && fft_iq_parse(format, &samples) == 0);
}

void channel_answer(void *streams, const struct request *r, struct answer *a)
{
    struct channel_streams *all = streams;
    if (!all->channels)
        answer_fault(a, 404, "there are no channels: this fftd has no samples");
    else if (wants_audio(all, r))
        audio_answer(all, r, a);
    else
        answer_samples(all, r, a);
}
