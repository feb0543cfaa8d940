/* rtl_tcp_client.c - takes commands, and sends a channel as cu8. */
#include "daemon/rtl_tcp/rtl_tcp_client.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/channel/channels.h"
#include "daemon/source/rtl_tcp/rtl_tcp_protocol.h"

enum {
    CHANGES_MS = 50,    /* between changes of a channel's rate: opening one costs time */
    PATIENCE_MS = 30000 /* with a client that reads nothing */
};

_Static_assert(sizeof((struct rtl_tcp_client *)0)->greeting == RTL_TCP_GREETING, "it fits");

static const char *name_of(const struct rtl_tcp_client *c, char into[ADDRESS_TEXT])
{
    return address_text(&c->address, into);
}

/* ---- the channel -------------------------------------------------------------------------- */

static int open_channel(struct rtl_tcp_client *c, double rate_hz, struct reason *why)
{
    const struct channel_format format = {
        .format = FFT_IQ_CU8, .automatic = c->settings.automatic, .gain_db = c->settings.gain_db};
    const struct channel_request request = {.center_hz = rtl_tcp_settings_center_hz(&c->settings),
                                            .rate_hz = rate_hz};
    const int err = channel_open(c->channels, &request, &c->channel, why);
    if (err < 0)
        return err;
    channel_reader_init(&c->reader, c->channel, rate_hz, &format);
    c->rate_hz = rate_hz;
    c->center_hz = request.center_hz;
    c->begun = false;
    c->counted = 0;
    return 0;
}

static void close_channel(struct rtl_tcp_client *c)
{
    channel_close(c->channel);
    c->channel = NULL;
    channel_reader_finish(&c->reader);
}

/* Not while bytes of its reader are being sent. */
static void change_rate(struct rtl_tcp_client *c, double rate_hz)
{
    struct reason why = {0};
    close_channel(c);
    if (open_channel(c, rate_hz, &why) == 0)
        return;
    log_warn("rtl_tcp: %s", why.sentence);
    rtl_tcp_client_close(c);
}

/* This stream cannot have the rate: the one before goes on. */
static void refuse_rate(struct rtl_tcp_client *c)
{
    char address[ADDRESS_TEXT];
    struct channel_info info;
    channel_info(c->channel, &info);
    if (info.state == CHANNEL_REFUSED)
        log_limited(LOG_PRIORITY_INFO, "rtl_tcp: %s: %s", name_of(c, address), info.message);
    if (info.state != CHANNEL_REFUSED || !(fabs(c->rate_hz - c->last_rate_hz) > 0)) {
        rtl_tcp_client_close(c);
        return;
    }
    c->settings.rate_hz = c->last_rate_hz;
    change_rate(c, c->last_rate_hz);
}

/* Applies what the commands so far ask for: the last ones count. */
static void apply(struct rtl_tcp_client *c)
{
    const struct rtl_tcp_settings *s = &c->settings;
    const struct channel_gain *gain = &c->reader.gain;
    const double center_hz = rtl_tcp_settings_center_hz(s);
    const uint64_t now = uv_now(c->socket.loop);
    if (c->closing || !c->channel)
        return;
    if (fabs(center_hz - c->center_hz) > 0) {
        channel_move(c->channel, center_hz);
        c->center_hz = center_hz;
        c->said_outside = false;
    }
    if (gain->automatic != s->automatic ||
        (!s->automatic && fabs(channel_gain_db(gain) - s->gain_db) > 0.01))
        channel_gain_init(&c->reader.gain, s->automatic, s->gain_db);
    if (fabs(s->rate_hz - c->rate_hz) > 0 && !c->writing && now - c->changed_ms >= CHANGES_MS) {
        c->changed_ms = now;
        change_rate(c, s->rate_hz);
    }
}

/* ---- samples ------------------------------------------------------------------------------ */

static void on_sent(uv_write_t *write, int status)
{
    struct rtl_tcp_client *c = write->data;
    c->writing = false;
    c->reader.from = c->reader.to;
    c->sent_ms = uv_now(c->socket.loop);
    if (status < 0)
        rtl_tcp_client_close(c);
    else
        rtl_tcp_client_send(c);
}

static void send_bytes(struct rtl_tcp_client *c, void *bytes, size_t count)
{
    const uv_buf_t buffer = uv_buf_init(bytes, (unsigned)count);
    c->write.data = c;
    c->writing = uv_write(&c->write, (uv_stream_t *)&c->socket, &buffer, 1, on_sent) == 0;
    if (!c->writing)
        rtl_tcp_client_close(c);
}

static void count(struct rtl_tcp_client *c)
{
    c->counts->missing += c->reader.missed - c->counted;
    c->counted = c->reader.missed;
}

/* Once for each place that the client tunes to. */
static void note_outside(struct rtl_tcp_client *c)
{
    char address[ADDRESS_TEXT];
    struct channel_info info;
    channel_info(c->channel, &info);
    c->outside =
        info.state == CHANNEL_OUTSIDE && !(fabs(info.request.center_hz - c->center_hz) > 0);
    if (!c->outside || c->said_outside)
        return;
    c->said_outside = true;
    c->counts->outside++;
    log_limited(LOG_PRIORITY_INFO, "rtl_tcp: %s: the radio does not receive %.0f Hz: silence",
                name_of(c, address), c->center_hz);
}

void rtl_tcp_client_send(struct rtl_tcp_client *c)
{
    apply(c);
    if (c->closing || c->writing || !c->channel)
        return;
    const int more = channel_reader_next(&c->reader, 0);
    count(c);
    if (more == -ENODATA && !c->begun)
        refuse_rate(c);
    else if (more < 0)
        rtl_tcp_client_close(c);
    if (more <= 0)
        return;
    c->begun = true;
    c->last_rate_hz = c->rate_hz;
    send_bytes(c, c->reader.bytes + c->reader.from, c->reader.to - c->reader.from);
}

void rtl_tcp_client_tick(struct rtl_tcp_client *c)
{
    if (c->closing)
        return;
    if (c->writing && uv_now(c->socket.loop) - c->sent_ms > PATIENCE_MS) {
        rtl_tcp_client_close(c);
        return;
    }
    if (c->channel)
        note_outside(c);
    rtl_tcp_client_send(c);
}

/* ---- commands ----------------------------------------------------------------------------- */

static void give_buffer(uv_handle_t *handle, size_t size, uv_buf_t *out)
{
    struct rtl_tcp_client *c = (struct rtl_tcp_client *)handle;
    (void)size;
    *out = uv_buf_init(c->received, sizeof c->received);
}

static void on_commands(uv_stream_t *stream, ssize_t bytes, const uv_buf_t *buffer)
{
    struct rtl_tcp_client *c = (struct rtl_tcp_client *)stream;
    struct rtl_tcp_settings *s = &c->settings;
    const bool biased = s->biased;
    if (bytes < 0) {
        rtl_tcp_client_close(c);
        return;
    }
    const uint64_t commands = s->commands, ignored = s->ignored;
    rtl_tcp_settings_take(s, (const uint8_t *)buffer->base, (size_t)bytes);
    c->counts->commands += s->commands - commands;
    c->counts->ignored += s->ignored - ignored;
    if (s->biased && !biased) {
        char address[ADDRESS_TEXT];
        log_limited(LOG_PRIORITY_INFO,
                    "rtl_tcp: %s asks for power through the antenna socket: refused",
                    name_of(c, address));
    }
    apply(c);
}

/* ---- life --------------------------------------------------------------------------------- */

int rtl_tcp_client_start(struct rtl_tcp_client *c, struct reason *why)
{
    const int err = open_channel(c, c->settings.rate_hz, why);
    if (err < 0) {
        rtl_tcp_client_close(c);
        return err;
    }
    c->last_rate_hz = c->rate_hz;
    c->sent_ms = uv_now(c->socket.loop);
    uv_tcp_nodelay(&c->socket, 1);
    /* At once, in one segment: some clients read once, and take fewer bytes for another server. */
    rtl_tcp_write_greeting(c->greeting, RTL_TCP_R820T, RTL_TCP_GAINS);
    send_bytes(c, c->greeting, sizeof c->greeting);
    if (!c->closing && uv_read_start((uv_stream_t *)&c->socket, give_buffer, on_commands) < 0)
        rtl_tcp_client_close(c);
    return 0;
}

static void on_closed(uv_handle_t *handle)
{
    struct rtl_tcp_client *c = (struct rtl_tcp_client *)handle;
    close_channel(c);
    c->closed(c->user, c);
}

/* What is being sent needs the reader's bytes until then. */
void rtl_tcp_client_close(struct rtl_tcp_client *c)
{
    if (c->closing)
        return;
    c->closing = true;
    uv_close((uv_handle_t *)&c->socket, on_closed);
}
