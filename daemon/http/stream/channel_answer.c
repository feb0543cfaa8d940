/* channel_answer.c - opens a channel for a request, and sends its blocks. */
#include "daemon/http/stream/channel_answer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/channel/channel_plan.h"
#include "daemon/channel/channel_reader.h"
#include "daemon/channel/channels.h"
#include "daemon/channel/named/channel_set.h"
#include "daemon/control/radio_control.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/body_stream.h"
#include "daemon/http/answer/pending.h"
#include "daemon/http/http_server.h"

const char channel_answer_parameters[] = "center_hz, format, gain, id, rate_hz, width_hz";

struct channel_stream {
    struct body_stream body; /* first */
    struct channel_stream *next;
    struct channel_streams *all;
    struct channel *channel;
    struct channel_reader reader;
    bool named;   /* the channel has other readers, too */
    bool starved; /* everything was sent */
};

/* ---- the body --------------------------------------------------------------------------- */

static ssize_t next_data(struct body_stream *body, const void **data)
{
    struct channel_stream *s = (struct channel_stream *)body;
    struct channel_reader *r = &s->reader;
    const int more = channel_reader_next(r, 0);
    s->starved = more == 0;
    *data = r->bytes + r->from;
    return more > 0 ? (ssize_t)(r->to - r->from) : more;
}

static void skip_data(struct body_stream *body, size_t bytes)
{
    struct channel_stream *s = (struct channel_stream *)body;
    s->reader.from += bytes;
}

static void close_stream(struct body_stream *body)
{
    struct channel_stream *s = (struct channel_stream *)body;
    struct channel_stream **at = &s->all->first;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    if (s->named)
        channel_leave(s->channel);
    else
        channel_close(s->channel);
    channel_reader_finish(&s->reader);
    free(s);
}

void channel_streams_on_blocks(struct channel_streams *s)
{
    for (struct channel_stream *x = s->first, *next; x; x = next) {
        next = x->next; /* x may be gone after it */
        if (x->starved && x->body.ready)
            x->body.ready(x->body.user);
    }
}

/* A client that waits for samples keeps its patience, and one that has left is noticed. */
void channel_streams_on_tick(struct channel_streams *s)
{
    for (struct channel_stream *x = s->first, *next; x; x = next) {
        next = x->next;
        if (!x->starved || !x->body.user)
            continue;
        pending_keep(x->body.user);
        pending_notice(x->body.user);
    }
    channel_streams_on_blocks(s); /* one that was refused ends */
}

/* ---- the request ------------------------------------------------------------------------ */

struct wanted {
    struct channel *named; /* of others, too; NULL: one of its own */
    struct channel_request request;
    struct channel_format format;
};

static int read_number(const struct request *r, const char *key, enum si_unit unit, bool needed,
                       double *out, struct reason *why)
{
    const char *text = query_value(&r->query, key);
    if (!text && needed)
        return reason_key(why, -EINVAL, key, "%s: is missing, as %s=%s", key, key,
                          unit == SI_HZ ? "433.92M" : "250k");
    if (text && si_parse_unit(text, unit, out) < 0)
        return reason_key(why, -EINVAL, key, "%s: \"%s\" is not a number, as %s", key, text,
                          unit == SI_DB   ? "20"
                          : unit == SI_HZ ? "433.92M"
                                          : "250k");
    return 0;
}

/* Beyond them no radio goes, and phases are not exact. */
static int check_bounds(const struct channel_request *q, struct reason *why)
{
    if (!(fabs(q->center_hz) <= TUNING_CENTER_MAX_HZ))
        return reason_key(why, -EINVAL, "center_hz", "center_hz: is beyond %g Hz",
                          TUNING_CENTER_MAX_HZ);
    if (!(q->rate_hz >= 1 && q->rate_hz <= TUNING_RATE_MAX_HZ))
        return reason_key(why, -EINVAL, "rate_hz", "rate_hz: is not within 1 to %g S/s",
                          TUNING_RATE_MAX_HZ);
    return 0;
}

static int read_gain(const struct request *r, struct wanted *w, struct reason *why)
{
    const char *text = query_value(&r->query, "gain");
    struct channel_format *f = &w->format;
    f->automatic =
        text ? strcmp(text, "auto") == 0 : f->format == FFT_IQ_CU8 || f->format == FFT_IQ_CS8;
    if (!text || f->automatic)
        return 0;
    if (read_number(r, "gain", SI_DB, false, &f->gain_db, why) < 0 || !(fabs(f->gain_db) <= 120))
        return reason_key(why, -EINVAL, "gain", "gain: \"%s\" is not auto or -120 to 120 dB", text);
    return 0;
}

/* -ENOENT: there is none of this name. */
static int find_named(const struct channel_streams *s, const struct request *r, const char *name,
                      struct wanted *w, struct reason *why)
{
    static const char *const own[] = {"center_hz", "rate_hz", "width_hz"};
    const struct channel_set *set = s->channel_set ? *s->channel_set : NULL;
    const size_t i = channel_set_find(set, name);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (query_value(&r->query, own[k]))
            return reason_key(why, -EINVAL, own[k], "%s: is that of the channel %s", own[k], name);
    if (i == channel_set_count(set))
        return reason_key(why, -ENOENT, "id", "id: there is no channel with the name %s", name);
    w->named = channel_set_channel(set, i);
    w->request = channel_setup_request(channel_set_setup(set, i));
    return 0;
}

static int read_place(const struct request *r, struct wanted *w, struct reason *why)
{
    int err = read_number(r, "center_hz", SI_HZ, true, &w->request.center_hz, why);
    if (err == 0)
        err = read_number(r, "rate_hz", SI_RATE, true, &w->request.rate_hz, why);
    return err < 0 ? err : read_number(r, "width_hz", SI_HZ, false, &w->request.width_hz, why);
}

static int read_query(const struct channel_streams *s, const struct request *r, struct wanted *w,
                      struct reason *why)
{
    const char *format = query_value(&r->query, "format"), *name = query_value(&r->query, "id");
    *w = (struct wanted){.format = {.format = FFT_IQ_CF32}};
    int err = name ? find_named(s, r, name, w, why) : read_place(r, w, why);
    if (err == 0 && format && fft_iq_parse(format, &w->format.format) < 0)
        err = reason_key(why, -EINVAL, "format", "format: \"%s\" is not cu8, cs8, cs16 or cf32",
                         format);
    if (err == 0)
        err = check_bounds(&w->request, why);
    return err < 0 ? err : read_gain(r, w, why);
}

/* -EINVAL; -ERANGE: the radio is tuned elsewhere; -EBUSY: it sweeps. No stream yet: no refusal. */
static int check_stream(const struct channel_streams *s, const struct channel_request *q,
                        struct reason *why)
{
    struct status now;
    struct channel_grid grid;
    struct channel_shape shape;
    radio_control_status(s->control, &now);
    const struct tuning *t = &now.stream.tuning;
    const double center_hz = isfinite(t->center_hz) ? t->center_hz : 0;
    if (settings_sweeps(&now.settings))
        return reason_set(why, -EBUSY,
                          "a sweep has no channels: the radio is never long at one "
                          "frequency");
    if (!(t->rate_hz > 0))
        return 0;
    channel_grid_init(&grid, t->rate_hz);
    const int err = channel_shape_plan(&shape, &grid, q->rate_hz, q->width_hz, why);
    if (err == 0 && fabs(q->center_hz - center_hz) >= t->rate_hz / 2)
        return reason_key(why, -ERANGE, "center_hz",
                          "center_hz: %.10g Hz is not within %.0f Hz to %.0f Hz, which the radio "
                          "receives now%s",
                          q->center_hz, center_hz - t->rate_hz / 2, center_hz + t->rate_hz / 2,
                          fabs(q->center_hz * 1e6 - center_hz) < t->rate_hz / 2
                              ? ": a number in MHz needs an M"
                              : "");
    return err;
}

static unsigned status_of(int err)
{
    return err == -EINVAL   ? 400
           : err == -EPERM  ? 404
           : err == -ENOENT ? 404
           : err == -EBUSY  ? 409
           : err == -ERANGE ? 416
                            : 503;
}

static void refuse(struct answer *a, int err, const struct reason *why)
{
    if (why->key[0])
        answer_fault_key(a, status_of(err), why->key, "%s", why->sentence);
    else
        answer_fault(a, status_of(err), "%s", why->sentence);
}

static int check_share(const struct channel_streams *s, const struct request *r, struct reason *why)
{
    struct channels_state state;
    channels_state(s->channels, &state);
    const uint32_t most = (uint32_t)state.most, own = r->own->downloads;
    const bool allowed =
        most == 0 || share_allows_visitor(most, (uint32_t)state.open, own, r->visitor != r->own,
                                          r->visitor->downloads);
    return allowed ? 0
                   : reason_set(why, -EMFILE,
                                "this address has %u open, and max-channels is %u: what is left is "
                                "for others",
                                own, most);
}

/* A reader of a named channel begins with what comes next. */
static void join_named(struct channel_stream *s, struct channel *x)
{
    struct channel_output *output = channel_output_of(x);
    s->channel = x;
    s->named = true;
    channel_join(x);
    channel_output_join(output, &s->reader.cursor);
    channel_output_leave(output, &s->reader.cursor); /* nobody waits for it */
}

static int open_stream(struct channel_streams *all, const struct wanted *w,
                       struct channel_stream **out, struct reason *why)
{
    struct channel_stream *s = calloc(1, sizeof *s);
    if (!s)
        return reason_set(why, -ENOMEM, "no memory");
    const int err = w->named ? 0 : channel_open(all->channels, &w->request, &s->channel, why);
    if (err < 0) {
        free(s);
        return err;
    }
    s->body = (struct body_stream){
        .size = BODY_ENDLESS, .data = next_data, .skip = skip_data, .close = close_stream};
    s->all = all;
    s->next = all->first;
    all->first = s;
    channel_reader_init(&s->reader, w->named ? w->named : s->channel, w->request.rate_hz,
                        &w->format);
    if (w->named)
        join_named(s, w->named);
    *out = s;
    return 0;
}

void channel_answer(void *streams, const struct request *r, struct answer *a)
{
    struct channel_streams *all = streams;
    struct reason why = {0};
    struct wanted w;
    struct channel_stream *s = NULL;
    if (!all->channels) {
        answer_fault(a, 404, "there are no channels: no samples come here");
        return;
    }
    int err = read_query(all, r, &w, &why);
    if (err == 0 && !w.named) /* one with a name waits for its frequency */
        err = check_stream(all, &w.request, &why);
    if (err == 0)
        err = check_share(all, r, &why);
    if (err == 0)
        err = open_stream(all, &w, &s, &why);
    if (err < 0) {
        refuse(a, err, &why);
        return;
    }
    char gain[32] = "auto";
    if (!w.format.automatic)
        snprintf(gain, sizeof gain, "%g", w.format.gain_db);
    *a = (struct answer){.status = 200, .type = "application/octet-stream", .stream = &s->body};
    snprintf(a->about, sizeof a->about,
             "X-Fftd-Center-Hz: %.17g\r\nX-Fftd-Rate-Hz: %.17g\r\nX-Fftd-Format: %s\r\n"
             "X-Fftd-Gain: %s\r\n",
             w.request.center_hz, w.request.rate_hz, fft_iq_name(w.format.format), gain);
}
