/* channel_answer.c - opens a channel for a request, and sends its blocks. */
#include "daemon/http/stream/channel_answer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/access/peers.h"
#include "daemon/base/reason.h"
#include "daemon/base/si.h"
#include "daemon/channel/channel_gain.h"
#include "daemon/channel/channel_plan.h"
#include "daemon/channel/channels.h"
#include "daemon/control/radio_control.h"
#include "daemon/http/answer/answer.h"
#include "daemon/http/answer/body_stream.h"
#include "daemon/http/answer/pending.h"
#include "daemon/http/http_server.h"

const char channel_answer_parameters[] = "center_hz, format, gain, rate_hz, width_hz";

struct channel_stream {
    struct body_stream body; /* first */
    struct channel_stream *next;
    struct channel_streams *all;
    struct channel *channel;
    struct channel_cursor cursor;
    struct channel_gain gain;
    enum fft_iq_format format;
    double rate_hz;
    bool begun;
    uint64_t index; /* of the next sample */
    uint64_t zeros; /* samples that come before the next block: they are missing */
    bool starved;   /* everything was sent */
    unsigned char *bytes;
    size_t from, to, capacity; /* of the bytes */
};

/* ---- the body --------------------------------------------------------------------------- */

/* Room for this many samples. False: no memory. */
static bool make_room(struct channel_stream *s, size_t samples)
{
    const size_t bytes = samples * fft_iq_bytes(s->format);
    s->from = s->to = 0;
    if (bytes <= s->capacity)
        return true;
    unsigned char *more = realloc(s->bytes, bytes);
    if (!more)
        return false;
    s->bytes = more;
    s->capacity = bytes;
    return true;
}

static void fill(struct channel_stream *s, const struct fft_iq *samples, size_t count)
{
    channel_gain_pack(&s->gain, s->format, s->rate_hz, samples, count, s->bytes + s->to);
    s->to += count * fft_iq_bytes(s->format);
}

/* The next piece of what is missing, as samples of the value 0. */
static bool fill_zeros(struct channel_stream *s)
{
    enum { PIECE = 1024 };
    static const struct fft_iq zeros[PIECE];
    const size_t count = s->zeros < PIECE ? (size_t)s->zeros : PIECE;
    struct channel_gain none;
    channel_gain_init(&none, false, 0);
    if (!make_room(s, count))
        return false;
    channel_gain_pack(&none, s->format, s->rate_hz, zeros, count, s->bytes);
    s->to = count * fft_iq_bytes(s->format);
    s->zeros -= count;
    return true;
}

/*
 * A segment may begin in the middle of a sample of the one before: that comes once. Indices far
 * before are those of a new epoch, which counts anew.
 */
static bool fill_block(struct channel_stream *s, const struct channel_block *b)
{
    enum { AGAIN_MAX = 2 };
    const uint64_t before = s->begun && b->index < s->index ? s->index - b->index : 0;
    const size_t again = before <= AGAIN_MAX ? (size_t)before : 0;
    if (!make_room(s, b->count))
        return false;
    if (again < b->count)
        fill(s, b->sample + again, b->count - again);
    s->begun = true;
    s->index = b->index + b->count;
    return true;
}

/* The stream that came, or the one after it, cannot have the channel. */
static bool is_refused(const struct channel_stream *s)
{
    struct channel_info info;
    channel_info(s->channel, &info);
    return info.state == CHANNEL_REFUSED;
}

/* The next block, or the zeros before it. 0: there is none yet. */
static int next_piece(struct channel_stream *s)
{
    bool closed;
    const struct channel_cursor before = s->cursor;
    if (s->zeros > 0)
        return fill_zeros(s) ? 1 : -ENOMEM;
    struct channel_block *b =
        channel_output_take(channel_output_of(s->channel), &s->cursor, &closed);
    if (!b)
        return closed || is_refused(s) ? -ENODATA : 0;
    int more = 1;
    if (s->begun && b->index > s->index) {
        const uint64_t missing = b->index - s->index;
        s->zeros = missing < (uint64_t)s->rate_hz ? missing : (uint64_t)s->rate_hz;
        s->index = b->index;
        s->cursor = before; /* the block is taken again */
    } else if (!fill_block(s, b)) {
        more = -ENOMEM;
    }
    channel_block_unref(b);
    return more;
}

static ssize_t next_data(struct body_stream *body, const void **data)
{
    struct channel_stream *s = (struct channel_stream *)body;
    int more = 1;
    while (s->from == s->to && more > 0)
        more = next_piece(s);
    s->starved = more == 0;
    *data = s->bytes + s->from;
    return s->from < s->to ? (ssize_t)(s->to - s->from) : more;
}

static void skip_data(struct body_stream *body, size_t bytes)
{
    struct channel_stream *s = (struct channel_stream *)body;
    s->from += bytes;
}

static void close_stream(struct body_stream *body)
{
    struct channel_stream *s = (struct channel_stream *)body;
    struct channel_stream **at = &s->all->first;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    channel_close(s->channel);
    free(s->bytes);
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
    struct channel_request request;
    enum fft_iq_format format;
    bool automatic;
    double gain_db;
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
    w->automatic =
        text ? strcmp(text, "auto") == 0 : w->format == FFT_IQ_CU8 || w->format == FFT_IQ_CS8;
    if (!text || w->automatic)
        return 0;
    if (read_number(r, "gain", SI_DB, false, &w->gain_db, why) < 0 || !(fabs(w->gain_db) <= 120))
        return reason_key(why, -EINVAL, "gain", "gain: \"%s\" is not auto or -120 to 120 dB", text);
    return 0;
}

static int read_query(const struct request *r, struct wanted *w, struct reason *why)
{
    const char *format = query_value(&r->query, "format");
    *w = (struct wanted){.format = FFT_IQ_CF32};
    int err = read_number(r, "center_hz", SI_HZ, true, &w->request.center_hz, why);
    if (err == 0)
        err = read_number(r, "rate_hz", SI_RATE, true, &w->request.rate_hz, why);
    if (err == 0)
        err = read_number(r, "width_hz", SI_HZ, false, &w->request.width_hz, why);
    if (err == 0 && format && fft_iq_parse(format, &w->format) < 0)
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

static int open_stream(struct channel_streams *all, const struct wanted *w,
                       struct channel_stream **out, struct reason *why)
{
    struct channel_stream *s = calloc(1, sizeof *s);
    if (!s)
        return reason_set(why, -ENOMEM, "no memory");
    const int err = channel_open(all->channels, &w->request, &s->channel, why);
    if (err < 0) {
        free(s);
        return err;
    }
    s->body = (struct body_stream){
        .size = BODY_ENDLESS, .data = next_data, .skip = skip_data, .close = close_stream};
    s->all = all;
    s->format = w->format;
    s->rate_hz = w->request.rate_hz;
    s->next = all->first;
    all->first = s;
    channel_gain_init(&s->gain, w->automatic, w->gain_db);
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
    int err = read_query(r, &w, &why);
    if (err == 0)
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
    if (!w.automatic)
        snprintf(gain, sizeof gain, "%g", w.gain_db);
    *a = (struct answer){.status = 200, .type = "application/octet-stream", .stream = &s->body};
    snprintf(a->about, sizeof a->about,
             "X-Fftd-Center-Hz: %.17g\r\nX-Fftd-Rate-Hz: %.17g\r\nX-Fftd-Format: %s\r\n"
             "X-Fftd-Gain: %s\r\n",
             w.request.center_hz, w.request.rate_hz, fft_iq_name(w.format), gain);
}
