/* ws.c - websockets: adds and removes clients, handles their messages, sends their frames. */
#include <errno.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/base/json.h"
#include "daemon/client/choices.h"
#include "daemon/client/control.h"
#include "daemon/server/internal.h"
#include "daemon/status/status_json.h"

_Static_assert(FRAME_PRE >= LWS_PRE, "the library writes its header before a frame's data");

enum { MESSAGES_PER_S = 500, MESSAGES_BURST = 1000 };

static json_t *counts_to_json(const struct server_counts *c)
{
    return json_pack(
        "{so so so so so so so so so so so so}", "clients", count_to_json(c->clients), "views",
        count_to_json(c->views), "clients_total", count_to_json(c->clients_total),
        "displaced_total", count_to_json(c->displaced_total), "refused_total",
        count_to_json(c->refused_total), "frames_total", count_to_json(c->frames_total),
        "merged_total", count_to_json(c->merged_total), "lines_missed",
        count_to_json(c->lines_missed), "wrong_tokens_total", count_to_json(c->wrong_tokens_total),
        "blocked_tokens_total", count_to_json(c->blocked_tokens_total), "spectra_total",
        count_to_json(c->spectra_total), "answer_bytes", count_to_json(c->answer_bytes));
}

json_t *server_status_json(struct server *s, const struct status *status)
{
    const struct server_counts c = server_count(s);
    json_t *json = status_to_json(status);
    if (json)
        json_object_set_new(json, "server", counts_to_json(&c));
    return json;
}

/* ---- the list of clients ---------------------------------------------------------------- */

static void add_client(struct server *s, struct client *c, struct lws *wsi)
{
    memset(c, 0, sizeof *c);
    c->server = s;
    c->wsi = wsi;
    c->next = s->clients;
    c->forwarded = server_is_forwarded(wsi);
    c->allowance = MESSAGES_BURST;
    c->refilled_ns = clock_now_ns();
    const struct address address = server_address_of(wsi);
    c->peer = peer_hold(&s->peers, &address, c->refilled_ns);
    c->peer->clients++;
    s->clients = c;
    s->counts.clients++;
    s->counts.clients_total++;
}

/* libwebsockets also reports the end of connections that it never reported as established. */
static void remove_client(struct client *c)
{
    if (!c || !c->server)
        return;
    struct server *s = c->server;
    struct client **at = &s->clients;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    s->counts.clients--;
    feed_leave(&s->feed, &c->feed);
    density_subscribe(c, false);
    while (c->queued > 0)
        frame_drop(c->queue[--c->queued]);
    c->peer->clients--;
    peer_drop(&s->peers, c->peer, clock_now_ns());
    c->server = NULL;
}

/* ---- sending ---------------------------------------------------------------------------- */

static bool has_output(const struct client *c)
{
    return c->queued > 0 || (c->status_due && c->server->status) ||
           (c->measures_due && c->server->measures) || c->density || feed_ready(&c->feed);
}

void server_request_writes(struct server *s)
{
    for (struct client *c = s->clients; c; c = c->next) {
        if (has_output(c))
            lws_callback_on_writable(c->wsi);
    }
}

/* The next frame, held: queued messages, the status, measurements, then spectra. NULL: none. */
static struct frame *next_frame(struct client *c)
{
    struct server *s = c->server;
    if (c->queued > 0) {
        struct frame *f = c->queue[0];
        c->queued--;
        for (uint32_t i = 0; i < c->queued; i++)
            c->queue[i] = c->queue[i + 1];
        return f;
    }
    if (c->status_due && s->status) {
        c->status_due = false;
        return frame_hold(s->status);
    }
    if (c->measures_due && s->measures) {
        c->measures_due = false;
        return frame_hold(s->measures);
    }
    struct frame *density = c->density;
    c->density = NULL;
    return density ? density : feed_next_frame(&s->feed, &c->feed);
}

static int send_next(struct client *c)
{
    struct frame *f = next_frame(c);
    if (!f)
        return 0;
    const int sent =
        lws_write(c->wsi, f->data, f->size, f->text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    /* The client may answer with a credit message, which must not count: a replay may send
     * thousands of frames a second. */
    c->allowance += f->text ? 0 : 1;
    frame_drop(f);
    if (sent < 0)
        return -1;
    if (has_output(c))
        lws_callback_on_writable(c->wsi);
    return 0;
}

static int close_client(struct client *c, enum lws_close_status code, const char *why)
{
    unsigned char text[64];
    const size_t size = strnlen(why, sizeof text);
    memcpy(text, why, size);
    lws_close_reason(c->wsi, code, text, size);
    return -1;
}

/* Closes a client whose queue is full: it does not read. */
static int queue_message(struct client *c, json_t *message)
{
    struct frame *f = frame_from_json(message);
    if (!f || c->queued == CLIENT_QUEUE) {
        frame_drop(f);
        return close_client(c, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many answers wait");
    }
    c->queue[c->queued++] = f;
    lws_callback_on_writable(c->wsi);
    return 0;
}

static int queue_error(struct client *c, const char *error)
{
    json_t *text = json_string(error);
    return queue_message(
        c, json_pack("{ss so}", "type", "error", "message", text ? text : json_string("refused")));
}

/* ---- messages of clients ---------------------------------------------------------------- */

static int welcome(struct client *c, const struct control *m)
{
    char error[128];
    c->welcomed = true;
    c->status_due = true;
    const char *refused =
        server_login(c, m->kind == CONTROL_HELLO ? m->token : NULL, error, sizeof error);
    if (refused && queue_error(c, refused))
        return -1;
    return queue_message(c, json_pack("{ss ss sb so}", "type", "welcome", "version", FFTD_VERSION,
                                      "control", c->control, "choices", choices_to_json()));
}

static int on_view(struct client *c, const struct control *m)
{
    struct server *s = c->server;
    const struct line *line = s->feed.latest;
    if (line && !(line->detectors & 1U << m->view.detector))
        return queue_error(c, "detector: this detector is not computed");
    const int err = feed_set_view(&s->feed, &c->feed, &m->view, m->view_id, m->restart);
    if (err < 0)
        return queue_error(c, err == -EMFILE    ? "too many different views (see max-views)"
                              : err == -ENOBUFS ? "there is no memory for another trace"
                                                : strerror(-err));
    return 0;
}

static const char *control_refusal(const struct client *c)
{
    const struct server *s = c->server;
    if (s->token.set)
        return "changing the radio needs the control token, in the first message";
    return s->listener.local
               ? "changing the radio through a proxy needs a control token; none is configured"
               : "changing the radio from elsewhere needs a control token; none is configured";
}

static int on_set(struct client *c, const struct control *m)
{
    struct server *s = c->server;
    char error[256] = "";
    if (!c->control)
        return queue_error(c, control_refusal(c));
    const int err = server_apply_change(s, &m->change, error, sizeof error);
    if (err < 0)
        return queue_error(c, error[0] ? error : strerror(-err));
    return queue_message(c, json_pack("{ss}", "type", "done"));
}

static int on_measure(struct client *c, const struct control *m)
{
    struct server *s = c->server;
    char error[512] = "";
    int err = 0;
    if (m->measure == MEASURE_WANT || m->measure == MEASURE_UNWANT) {
        c->measures_wanted = m->measure == MEASURE_WANT;
        c->measures_due = false;
        s->measures_changed = true;
        return 0;
    }
    if (!c->control)
        return queue_error(c, control_refusal(c));
    if (m->measure == MEASURE_SET)
        err = server_set_measure(s, m->measure_setup, error, sizeof error);
    else
        err = server_remove_measure(s, m->measure_name, error, sizeof error);
    return err < 0 ? queue_error(c, error[0] ? error : strerror(-err))
                   : queue_message(c, json_pack("{ss}", "type", "done"));
}

static int on_message(struct client *c, const struct control *m)
{
    const bool first = !c->welcomed;
    if (first && welcome(c, m))
        return -1;
    switch (m->kind) {
    case CONTROL_HELLO:
        return first ? 0 : queue_error(c, "hello must be the first message");
    case CONTROL_VIEW:
        return on_view(c, m);
    case CONTROL_CREDIT:
        feed_credit(&c->feed, m->credit);
        return 0;
    case CONTROL_DENSITY:
        density_subscribe(c, m->want);
        return 0;
    case CONTROL_SET:
        return on_set(c, m);
    case CONTROL_MEASURE:
        return on_measure(c, m);
    }
    return 0;
}

/* Counts a message. Returns false if the client exceeds the rate of messages. */
static bool is_within_rate(struct client *c)
{
    const uint64_t now = clock_now_ns();
    c->allowance += (double)(now - c->refilled_ns) * 1e-9 * MESSAGES_PER_S;
    c->refilled_ns = now;
    if (c->allowance > MESSAGES_BURST)
        c->allowance = MESSAGES_BURST;
    c->allowance -= 1;
    return c->allowance >= 0;
}

static int handle_message(struct client *c)
{
    struct control m;
    char error[256] = "";
    if (!is_within_rate(c))
        return close_client(c, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many messages");
    int err = control_parse(&m, c->message, c->size, error, sizeof error);
    c->size = 0;
    err = err < 0 ? queue_error(c, error) : on_message(c, &m);
    control_finish(&m);
    if (err == 0 && has_output(c))
        lws_callback_on_writable(c->wsi);
    return err;
}

/* Collects the fragments of a message, which have any size. */
static int receive(struct client *c, const char *bytes, size_t size)
{
    if (lws_frame_is_binary(c->wsi))
        return close_client(c, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "text only");
    if (size > sizeof c->message - c->size)
        return close_client(c, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "at most 4096 bytes");
    if (size > 0)
        memcpy(c->message + c->size, bytes, size);
    c->size += size;
    if (!lws_is_final_fragment(c->wsi) || lws_remaining_packet_payload(c->wsi))
        return 0;
    return handle_message(c);
}

/*
 * Checks the close frame of a client (RFC 6455, 5.5.1 and 7.4). libwebsockets has checked the codes
 * below 5000; it would repeat other faults to the client. -1: the fault is sent instead.
 */
static int check_close_frame(struct lws *wsi, const uint8_t *body, size_t size)
{
    const unsigned code = size >= 2 ? (unsigned)body[0] << 8 | body[1] : 0;
    json_t *reason = size > 2 ? json_stringn((const char *)body + 2, size - 2) : NULL;
    const bool is_text = size <= 2 || reason; /* jansson takes UTF-8 only */
    json_decref(reason);
    if (size != 1 && code < 5000 && is_text)
        return 0;
    lws_close_reason(
        wsi, is_text ? LWS_CLOSE_STATUS_PROTOCOL_ERR : LWS_CLOSE_STATUS_INVALID_PAYLOAD, NULL, 0);
    return -1;
}

int server_on_websocket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t size)
{
    const struct lws_protocols *protocol = lws_get_protocol(wsi);
    struct client *c = user;
    switch ((int)reason) {
    case LWS_CALLBACK_ESTABLISHED:
        add_client(protocol->user, c, wsi);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return c && c->server ? send_next(c) : 0;
    case LWS_CALLBACK_RECEIVE:
        return c && c->server ? receive(c, in, size) : -1;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return check_close_frame(wsi, in, size);
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
        remove_client(c);
        return 0;
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
        return -1;
    default:
        return 0;
    }
}
